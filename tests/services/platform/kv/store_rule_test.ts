/**
 * The rules of the store: what they are made of, and that each holds for what the
 * service writes, and reports each violation.
 */
import { assert, assertEquals } from "@std/assert";
import { gzipSync } from "node:zlib";
import {
  ANY,
  areDistinct,
  areRising,
  isAbout,
  isSame,
  numberAt,
  textAt,
} from "../../../../services/platform/kv/store_rule.ts";
import { sha256Hex } from "../../../../services/platform/bytes.ts";
import { openStores, RULES } from "../../../../services/stores.ts";
import { testDeps } from "../../../support/deps.ts";
import { ADA, fill } from "../../../support/kv/filled_store.ts";
import { assertSound } from "../../../support/kv/invariants.ts";
import { assertRules } from "../../../support/kv/rule_cases.ts";
import { NOW } from "../../../support/evm/orders.ts";

Deno.test("a rule is about the keys of its length whose fixed parts are the same", () => {
  const rule = { of: ["a", ANY, "b", NaN] } as unknown as Parameters<
    typeof isAbout
  >[0];
  const cases: [key: Deno.KvKey, isMeant: boolean][] = [
    [["a", "x", "b", 7], true],
    [["a", 1, "b", 0], true],
    [["c", "x", "b", 7], false],
    [["a", "x", "c", 7], false],
    [["a", "x", "b"], false],
    [["a", "x", "b", 7, 8], false],
  ];
  for (const [key, isMeant] of cases) assertEquals(isAbout(rule, key), isMeant);
  assertEquals([textAt(["a", 7], 1), numberAt(["a", "7"], 1)], ["7", 7]);
});

Deno.test("values are the same by their content, distinct if none comes twice, and rising if each is larger than the one before", () => {
  assertEquals(isSame({ a: 1, b: [2] }, { b: [2], a: 1 }), true);
  assertEquals(isSame({ a: 1 }, { a: 2 }), false);
  const rows: [values: number[], isDistinct: boolean, isRising: boolean][] = [
    [[], true, true],
    [[5], true, true],
    [[1, 2, 9], true, true],
    [[1, 1], false, false],
    [[1, 3, 2], true, false],
    [[2, 1], true, false],
  ];
  for (const [values, isDistinct, isRising] of rows) {
    assertEquals(
      [areDistinct(values), areRising(values)],
      [isDistinct, isRising],
    );
  }
});

Deno.test("check() finds no violation in what the service writes, and reports a record that no rule knows", async () => {
  using deps = await testDeps({ chains: 2 });
  await fill(deps);
  const now = deps.now().getTime();
  const records = await assertSound(deps.kv, now);
  assert(records > 300, `${records} records`);
  await deps.kv.set(["graphs", ADA, "friends", ADA], true);
  const { broken, brokenCount } = await deps.store.invariants.check(now);
  assertEquals(broken.map(({ rule }) => rule), ["known-record"]);
  assertEquals(brokenCount, 1);
});

Deno.test("check() reports an unreadable record with its error, and checks the others", async () => {
  using kv = await Deno.openKv(":memory:");
  await kv.set(["score_histories", ADA], 5);
  await kv.set(["payment_scan"], { block: -1, disputed: [] });
  const { broken } = await openStores(kv).invariants.check(NOW);
  assertEquals(broken.map(({ rule, error }) => [rule, error !== null]), [
    ["payment-scan", false],
    ["score-history", true],
  ]);
});

Deno.test("rules of attestations and bulk files hold for sound records, and for no others", () => {
  const manifestOf = (date: string, previous: unknown = null) => {
    const text = JSON.stringify({ date, previous });
    const zipped = new Uint8Array(gzipSync(text));
    return { date, zipped, sha256: sha256Hex(new TextEncoder().encode(text)) };
  };
  const key = ["download_manifests", "2026-11-21"];
  const first = manifestOf("2026-11-20");
  const before = [["download_manifests", "2026-11-20"], first] as const;
  const link = { date: first.date, sha256: first.sha256 };
  const next = manifestOf("2026-11-21", link);
  const table = { name: "t", files: [{ version: "v", bytes: 3 }] };
  const chunk = (bytes: number) =>
    [["download_chunks", "v", 0], new Uint8Array(bytes)] as const;
  return assertRules(RULES, [
    {
      rule: "attestation-nonce",
      key: ["attestation_nonces", ADA],
      cases: [["one", true, 1], ["none", false, 0], ["a half", false, 1.5]],
    },
    {
      rule: "download-manifest",
      key,
      cases: [
        ["after the one before", true, next, [before]],
        ["without the one before", false, next],
        ["with another hash", false, { ...next, sha256: "x" }, [before]],
        ["of another day", false, first],
      ],
    },
    {
      rule: "download-table",
      key: ["download_tables", "t"],
      cases: [
        ["whole", true, table, [chunk(3)]],
        ["cut", false, table, [chunk(2)]],
        ["of another name", false, { ...table, name: "u" }, [chunk(3)]],
      ],
    },
  ]);
});

Deno.test("every rule has records that show it", async () => {
  const services = new URL("../../", import.meta.url);
  const folders = ["accounts", "chain_data", "payments", "platform"]
    .concat("profiles", "profiles/follows", "scores");
  const files = folders.map((folder) => `${folder}/store_rules_test.ts`);
  const texts = await Promise.all(
    [...files, "platform/kv/store_rule_test.ts"]
      .map((file) => Deno.readTextFile(new URL(file, services))),
  );
  const shown = texts.join("").matchAll(/rule: "([a-z-]+)"/g);
  const names = new Set(RULES.map(({ name }) => name));
  assertEquals(new Set(Array.from(shown, ([, name]) => name)), names);
});
