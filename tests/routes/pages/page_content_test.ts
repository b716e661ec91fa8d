/** Pages as bytes: rendered once, tagged, compressed, and new for visitors with a session. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertMatch } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { startSession } from "../../../services/accounts/sessions.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { testDeps } from "../../support/deps.ts";
import { HOME } from "../../support/charts/explorer.ts";

const ADDRESS = exampleOf("ordinary");
const BROWSER = { Accept: "text/html", "Accept-Encoding": "gzip" };

Deno.test("a page is rendered once and then sent as the same bytes, with ETag, gzip and security headers", async (t) => {
  using deps = await testDeps();
  await readScore(deps, ADDRESS, { requester: SERVICE });
  const app = createApp(deps);
  const paths = [
    "/",
    HOME,
    "/status",
    `/tools/score/${ADDRESS}`,
    `/profiles/${ADDRESS}`,
  ];
  for (const path of paths) {
    await t.step(path, async () => {
      const ask = (headers: HeadersInit) => app.request(path, { headers });
      const first = await ask(BROWSER);
      assertEquals(first.status, 200);
      const bytes = await first.bytes();
      const { get, list, getMany } = deps.kv;
      Object.assign(deps.kv, { get: fail, list: fail, getMany: fail });
      const second = await ask(BROWSER);
      Object.assign(deps.kv, { get, list, getMany });
      assertEquals(await second.bytes(), bytes);
      for (const { headers } of [first, second]) {
        assertEquals(headers.get("Content-Encoding"), "gzip");
        assertEquals(headers.get("Cache-Control"), "no-cache");
        assertMatch(headers.get("Vary")!, /Accept-Encoding/);
        assertMatch(
          headers.get("Content-Security-Policy")!,
          /default-src 'none'; script-src 'self'/,
        );
        assertEquals(headers.get("X-Frame-Options"), "DENY");
        assertEquals(headers.get("Access-Control-Allow-Origin"), null);
      }
      const tag = second.headers.get("ETag")!;
      assertMatch(tag, /^"[^"]+-gzip"$/);
      const unmodified = await ask({ ...BROWSER, "If-None-Match": tag });
      assertEquals(unmodified.status, 304);
      const plain = await ask({ Accept: "text/html" });
      assertEquals(plain.headers.get("Content-Encoding"), null);
      assertMatch(await plain.text(), /<\/html>/);
    });
  }
});

function fail(): never {
  throw new Error("The page was rendered again");
}

Deno.test("a signed-in visitor sees a change at once, and others within 15 seconds", async (t) => {
  for (const path of [`/tools/score/${ADDRESS}`, `/profiles/${ADDRESS}`]) {
    await t.step(path, async () => {
      using deps = await testDeps();
      await readScore(deps, ADDRESS, { requester: SERVICE });
      const app = createApp(deps);
      const showsName = async (headers: HeadersInit) => {
        const response = await app.request(path, { headers });
        return (await response.text()).includes("Ada Lovelace");
      };
      const guest = { Accept: "text/html" };
      const { token } = await startSession(
        deps,
        { wallet: ADDRESS, byContract: null },
        { replaces: undefined, requestId: "test" },
      );
      const owner = { ...guest, Cookie: `firn_session=${token}` };
      assert(!await showsName(guest));
      await deps.store.profiles.change(ADDRESS, () => ({
        profile: { ...newProfile(0), displayName: "Ada Lovelace" },
        audit: { at: 0, event: "profile.update", requestId: null },
      }));
      const before = [await showsName(guest), await showsName(owner)];
      deps.advance(15_000);
      const after = await showsName(guest);
      assertEquals([...before, after], [false, true, true]);
    });
  }
});
