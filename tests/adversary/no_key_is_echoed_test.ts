/** A key in the wrong place is not shown again. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { createKey } from "../../services/accounts/key_format.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("no page and no error repeats what looks like a key", async (t) => {
  using deps = await testDeps();
  const app = createApp(deps);
  const key = createKey();
  const encoded = key.replaceAll("_", "%5F");
  const secret = key.slice("firn_live_".length);
  const targets = [key, encoded, encoded.replaceAll("%", "%25")].flatMap((
    text,
  ) => [
    `/tools/score?address=${text}`,
    `/tools/score/${text}`,
    `/tools/score/${text}/`,
    `/api/tools/score-badge/${text}`,
    `/api/profiles/${text}`,
    `/api/chain-data/metrics?metric=${text}`,
    `/api/chain-data/metrics?${text}=1`,
    `/${text}`,
    `/api/${text}`,
  ]);
  for (const target of targets) {
    for (const accept of ["text/html", "application/json"]) {
      await t.step(`${accept} ${target.replace(secret, "…")}`, async () => {
        const response = await app.request(target, {
          headers: { Accept: accept },
        });
        const text = await response.text();
        assert(response.status >= 400, String(response.status));
        assert(!text.includes(secret), text);
        assertEquals(
          [...response.headers.values()].join().includes(secret),
          false,
        );
      });
    }
  }
});
