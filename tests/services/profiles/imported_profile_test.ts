/** One imported line: instants, defaults, and which accounts are the same. */
import { assertEquals, assertMatch } from "@std/assert";
import { START, testDeps } from "../../support/deps.ts";
import { addressOf } from "../../support/graph.ts";
import { importLines } from "../../support/profile_import.ts";

const [A, B] = [addressOf(1), addressOf(2)] as const;
const AT = "2026-10-01T12:00:00Z";
const TX = `0x${"11".repeat(32)}`;

Deno.test("importProfiles() takes an account or a donation of this instant, and none of the next millisecond", async () => {
  using deps = await testDeps();
  const now = Date.parse(START);
  const lineAt = (at: number) => [
    { address: A, socials: [{ kind: "x", handle: "ada", verifiedAt: at }] },
    { address: B, donations: [{ to: A, usdc: 1, at, txHash: TX }] },
  ];
  assertEquals((await importLines(deps, lineAt(now + 1))).refused, [
    { line: 1, reason: "the x account has a verification time in the future" },
    { line: 2, reason: "a donation has a time in the future" },
  ]);
  assertEquals(await deps.store.profiles.find(A), null);
  assertEquals(await deps.store.profiles.find(B), null);
  assertEquals((await importLines(deps, lineAt(now))).refused, []);
});

Deno.test("importProfiles() gives a bare line no paid slug and no months of Premium", async () => {
  using deps = await testDeps();
  await importLines(deps, [{ address: A }]);
  const held = await deps.store.profiles.find(A);
  assertEquals([held?.paidSlug, held?.premiumMonths], [false, 0]);
});

Deno.test("importProfiles() takes registered domains only", async () => {
  using deps = await testDeps();
  const lineOf = (handle: string) => ({
    address: A,
    socials: [{ kind: "domain", handle, verifiedAt: AT }],
  });
  const { refused } = await importLines(deps, [lineOf("www.firn.network")]);
  assertMatch(
    refused[0]!.reason,
    /a registered domain without a subdomain: firn\.network$/,
  );
  const { refusedCount } = await importLines(deps, [lineOf("firn.network")]);
  assertEquals(refusedCount, 0);
});

Deno.test("importProfiles() compares an account by its id if both sides have one, else by its handle", async (t) => {
  const account = (id: string | undefined, handle: string) => ({
    kind: "github",
    verifiedAt: AT,
    handle,
    ...id && { id },
  });
  const cases: [
    name: string,
    held: object,
    imported: object,
    isSame: boolean,
  ][] = [
    ["one id, renamed", account("7", "ada"), account("7", "new"), true],
    ["two ids, one name", account("7", "ada"), account("8", "ada"), false],
    ["no id held", account(undefined, "ada"), account("7", "ada"), true],
    ["no id imported", account("7", "ada"), account(undefined, "ada"), true],
    ["no id, renamed", account("7", "ada"), account(undefined, "new"), false],
  ];
  for (const [name, held, imported, isSame] of cases) {
    await t.step(name, async () => {
      using deps = await testDeps();
      await importLines(deps, [{ address: A, socials: [held] }]);
      const before = await deps.store.profiles.find(A);
      const { refused } = await importLines(deps, [
        { address: A, socials: [imported] },
      ]);
      const reason = "the profile already has another github account";
      assertEquals(refused, isSame ? [] : [{ line: 1, reason }]);
      assertEquals(await deps.store.profiles.find(A), before);
    });
  }
});
