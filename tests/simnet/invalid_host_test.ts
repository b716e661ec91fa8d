/** What the demo adds to the service leaves an invalid Host to it. */
import { assertEquals, assertMatch } from "@std/assert";
import { withDemoWallet } from "../../simnet/demo_wallet/wallet_routes.ts";
import { withRecordLink } from "../../simnet/linked_accounts/record_link_routes.ts";

Deno.test("the demo passes a request with an invalid Host on to the service", async () => {
  let passed = 0;
  const service = () => {
    passed++;
    return new Response(null, { status: 400 });
  };
  const handler = withDemoWallet(
    withRecordLink(service, "http://localhost"),
    () => Promise.reject(new Error("is no call of the wallet")),
  );
  const options = { port: 0, hostname: "127.0.0.1", onListen() {} };
  await using server = Deno.serve(options, handler);
  for (const host of ["a b", "[::1", "x@y"]) {
    const { port } = server.addr;
    const connection = await Deno.connect({ hostname: "127.0.0.1", port });
    const head = `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(head));
    const text = await new Response(connection.readable).text();
    assertMatch(text, /^HTTP\/1\.1 400 /, host);
  }
  assertEquals(passed >= 2, true);
});
