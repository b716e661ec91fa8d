/** A key never follows a redirect. */
import { assertEquals, assertMatch } from "@std/assert";
import { Firn } from "../../sdk/mod.ts";
import { failureOf } from "../support/sdk/outcomes.ts";
import { type Scripted, scripted } from "../support/sdk/service.ts";

const ADDRESS = `0x${"ab".repeat(20)}`;

/** Serves answers on loopback until it is disposed. */
function serve(answer: (request: Request) => Response) {
  const server = Deno.serve(
    { port: 0, hostname: "127.0.0.1", onListen() {} },
    answer,
  );
  return {
    url: `http://127.0.0.1:${server.addr.port}`,
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}

Deno.test("a redirect of a keyed request fails at once, and its target never sees the key", async () => {
  const seen: string[] = [];
  await using target = serve((request) => {
    seen.push(request.url);
    return Response.json({ count: 0 });
  });
  await using service = serve(() =>
    new Response(null, { status: 302, headers: { Location: target.url } })
  );
  const firn = new Firn({ baseUrl: service.url, apiKey: "firn_test_key" });
  for (const call of [firn.usage(), firn.batch([ADDRESS])]) {
    const { code, status, message, meta } = await failureOf(call);
    assertEquals([code, status, meta?.attempts], ["BAD_ANSWER", 302, 1]);
    assertEquals(
      message,
      `${service.url} redirects to ${target.url}, and a key is not sent there: set baseUrl to the address that answers`,
    );
  }
  assertEquals(seen, []);
  // Chain data follows redirects, because it carries no key.
  assertEquals((await firn.chains()).count, 0);
});

Deno.test("a redirect that a browser hides, or that fetch has followed, fails too", async () => {
  const hidden = () => Response.error(); // its status is 0
  const followed = (url: string, redirected: boolean) => () =>
    Object.defineProperties(Response.json({ used: 0 }), {
      url: { value: url },
      redirected: { value: redirected },
    });
  const other = "https://other.example/api/v1/usage";
  const refused: [Scripted, target: RegExp][] = [
    [hidden, / redirects to another address,/],
    [followed(other, true), / redirects to https:\/\/other\.example,/],
  ];
  for (const [answered, target] of refused) {
    const { firn, requests } = scripted([answered]);
    const { code, message } = await failureOf(firn.usage());
    assertEquals([code, requests.length], ["BAD_ANSWER", 1]);
    assertMatch(message, target);
  }
  // A fetch of the caller may send requests through another host.
  await scripted([followed(other, false)]).firn.usage();
});
