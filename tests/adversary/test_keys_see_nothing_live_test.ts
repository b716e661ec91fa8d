/** A test key sees nothing of the wallet that it belongs to. */
import { assert, assertEquals } from "@std/assert";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import { FIXTURE_ADDRESSES } from "../../services/scores/test_addresses_schema.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { askScoring, enrol, WALLET } from "../support/callers.ts";
import { testDeps } from "../support/deps.ts";

Deno.test("a test key's answers are the same for a paying wallet that used its quota and for a new one", async () => {
  using deps = await testDeps();
  const live = await enrol(deps, { plan: "scale" });
  const address = exampleOf("ordinary");
  for (let nth = 0; nth < 3; nth++) await live.ask(`/score/${address}`);
  const answersFor = async (wallet: string) => {
    const order = { wallet, name: "test", kind: "test" } as const;
    const created = await createApiKey(deps, order);
    assert(created);
    const paths = ["/usage", `/score/${FIXTURE_ADDRESSES[0]}`, "/score/0x1"];
    return await Promise.all(paths.map(async (path) => {
      const { status, body, headers } = await askScoring(deps, path, {
        headers: { "X-Api-Key": created.key },
      });
      const names = [...headers.keys()].filter((name) => /limit/.test(name));
      assert(names.length > 0);
      return [status, body, names.map((name) => headers.get(name))];
    }));
  };
  const stranger = `0x${"ee".repeat(20)}`;
  assertEquals(await answersFor(WALLET), await answersFor(stranger));
});
