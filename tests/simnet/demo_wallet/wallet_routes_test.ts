import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { withDemoWallet } from "../../../simnet/demo_wallet/wallet_routes.ts";

const PAGE = "<html><head><title>A page</title></head><body></body></html>";
const INFO = {} as Deno.ServeHandlerInfo<Deno.NetAddr>;

/** A service with three paths behind the wallet's routes, and its requests. */
function testRoutes() {
  const requests: Request[] = [];
  const door = withDemoWallet(
    (request) => {
      requests.push(request);
      const { pathname } = new URL(request.url);
      if (pathname === "/api") return Response.json({ untouched: true });
      const headers = {
        "Content-Type": "text/html",
        "Content-Security-Policy": "script-src 'self'",
        "ETag": '"page"',
        "Content-Length": String(PAGE.length),
      };
      return new Response(PAGE, { headers });
    },
    () => Promise.resolve(Response.json({ jsonrpc: "2.0" })),
  );
  const get = async (path: string, headers: HeadersInit = {}) =>
    await door(new Request(`http://demo${path}`, { headers }), INFO);
  return { requests, get };
}

Deno.test("withDemoWallet() adds one same-origin script to the dashboard", async () => {
  const { get, requests } = testRoutes();
  const headers = { "Accept-Encoding": "gzip", "If-None-Match": '"page"' };
  const page = await get("/dashboard", headers);
  const text = await page.text();
  const [, src] = /<script type="module" src="(.+)"><\/script><\/head>/
    .exec(text)!;
  assert(src!.startsWith("/"));
  assertEquals(page.headers.get("Content-Length"), null);
  assertEquals(page.headers.get("ETag"), null);
  assertEquals(
    page.headers.get("Content-Security-Policy"),
    "script-src 'self'",
  );
  // The script can only be added to an uncompressed 200.
  assertEquals(requests[0]!.headers.get("Accept-Encoding"), null);
  assertEquals(requests[0]!.headers.get("If-None-Match"), null);

  const module = await get(src!);
  assertEquals(module.status, 200);
  assertStringIncludes(module.headers.get("Content-Type")!, "text/javascript");
  assertEquals(module.headers.get("X-Simulated"), "simnet");
  assertStringIncludes(await module.text(), "eip6963:announceProvider");
});

Deno.test("withDemoWallet() adds the script to every page that uses a wallet, and to no file beside them", async () => {
  const { get } = testRoutes();
  const address = `0x${"a".repeat(40)}`;
  const added = async (path: string) =>
    (await (await get(path)).text()).includes("/demo/wallet.js");
  for (
    const path of [
      "/dashboard/profile",
      "/profiles/ada",
      `/tools/score/${address}`,
    ]
  ) {
    assert(await added(path), path);
  }
  for (
    const path of [
      `/tools/score/${address}.svg`,
      "/static/profiles.js",
      "/profiles",
    ]
  ) {
    assert(!await added(path), path);
  }
});

Deno.test("withDemoWallet() passes all other requests on unchanged", async () => {
  const { get, requests } = testRoutes();
  const headers = { "Accept-Encoding": "gzip" };
  assertEquals(await (await get("/api", headers)).json(), { untouched: true });
  assertEquals(requests[0]!.headers.get("Accept-Encoding"), "gzip");
  assertEquals(await (await get("/", headers)).text(), PAGE);
});

Deno.test("withDemoWallet() serves the wallet's JSON-RPC on its path", async () => {
  const { get, requests } = testRoutes();
  const answer = await get("/demo/rpc");
  assertEquals(await answer.json(), { jsonrpc: "2.0" });
  assertEquals(answer.headers.get("X-Simulated"), "simnet");
  assertEquals(requests, []);
});
