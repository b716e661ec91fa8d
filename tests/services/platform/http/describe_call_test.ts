import { assertEquals } from "@std/assert";
import { callOf } from "../../../../services/platform/http/error_response.ts";

const rpc = (method: unknown) =>
  new Request("https://node.test/rpc/TheKeyOfTheNode1", {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params: ["0xab"] }),
  });

const OPERATIONS: readonly (readonly [Request, operation: string])[] = [
  [rpc("eth_getBalance"), "eth_getBalance"],
  [rpc("platform.getCurrentValidators"), "platform.getCurrentValidators"],
  [rpc("not a method"), "POST /rpc/*"],
  [rpc(7), "POST /rpc/*"],
  [
    new Request("https://i.test/api?module=account&action=txlist&apikey=KEY"),
    "txlist",
  ],
  [new Request("https://i.test/api?action=a%20b"), "GET /api"],
  [
    new Request("https://m.test/v2/chains/43114/metrics/txCount?pageToken=T"),
    "GET /v2/chains/*/metrics/txCount",
  ],
  [
    new Request("https://g.test/login/oauth/access_token", {
      method: "POST",
      body: "client_secret=S&code=C",
    }),
    "POST /login/oauth/access_token",
  ],
];

Deno.test("callOf() returns host and operation without parameters, and leaves the body unread", async () => {
  for (const [request, operation] of OPERATIONS) {
    const call = callOf(request);
    assertEquals(call.host, new URL(request.url).host);
    assertEquals(await call.operation(), operation);
    assertEquals(request.bodyUsed, false);
  }
});
