/** Proofs of a unique human, from stand-ins of the registries on real nodes. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { ScoreRead } from "../../../services/model/scores_schema.ts";
import { DAY_MS, HOUR_MS, MINUTE_MS } from "../../../services/platform/days.ts";
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { newProfile } from "../../../services/profiles/profile.ts";
import { PROOF_ASSUMPTIONS } from "../../../services/operator/doctor/proof_assumptions.ts";
import { openSources } from "../../../services/operator/doctor/sources_client.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { asFetch, simulateUpstreams } from "../../../simnet/upstreams.ts";
import { type Anvil, onNode, startAnvil } from "../../support/evm/anvil.ts";
import { SUBJECT } from "../../support/doctor/simulated_sources.ts";
import { START, type TestDeps, testDeps } from "../../support/deps.ts";
import { openRegistries } from "../../support/evm/human_registries.ts";
import { succeed } from "../../support/jobs.ts";

const START_S = Date.parse(START) / 1000;
const DAY_S = DAY_MS / 1000;
const JOB = "score-waiting";
const ADDRESSES = Array.from(
  { length: 12 },
  (_, n) => exampleOf("ordinary", n),
);

/** A service that reads proofs on real nodes, and everything else from the embedded upstreams. */
async function openProofs(urls: Record<string, string>): Promise<TestDeps> {
  let clock = () => new Date(START);
  const simulated = asFetch(simulateUpstreams({ now: () => clock() }));
  const deps = await testDeps({
    settings: urls,
    fetch: (input, init) =>
      new URL((input as Request).url).hostname === "127.0.0.1"
        ? fetch(input, init)
        : simulated(input, init),
  });
  clock = deps.now;
  return deps;
}

const at = (s: number) => new Date(s * 1000).toISOString();
const read = (deps: TestDeps, address: string): Promise<ScoreRead> =>
  readScore(deps, address, { requester: SERVICE });

/** Scores addresses, lets the job ask the registries, and scores them again. */
async function prove(deps: TestDeps, addresses: readonly string[]) {
  for (const address of addresses) await read(deps, address);
  const line = await succeed(deps, JOB);
  const reads: ScoreRead[] = [];
  for (const address of addresses) reads.push(await read(deps, address));
  return { line, reads };
}

const statesOf = ({ humanProofs }: ScoreRead): Record<string, string> =>
  Object.fromEntries(humanProofs.map(({ source, state }) => [source, state]));

onNode.test("proofs on three chains are read after the score, and count", async (t) => {
  const startsAt = Date.parse(START);
  await using world = await startAnvil({ startsAt, chainId: 480 });
  await using base = await startAnvil({ startsAt, chainId: 8453 });
  await using optimism = await startAnvil({ startsAt, chainId: 10 });
  const [onWorld, onBase, onOptimism] = await Promise.all(
    [world, base, optimism].map(openRegistries),
  );
  const [worldId, coinbase, passport, all, nothing, ...invalid] = ADDRESSES;
  const until = START_S + 100 * DAY_S;
  await onWorld!.verifyWorldId(worldId!, until);
  await onWorld!.verifyWorldId(all!, until);
  await onBase!.attest(coinbase!, { time: BigInt(START_S - 5 * DAY_S) });
  await onBase!.attest(all!);
  const score = { score: 250_000, time: START_S - 10 * DAY_S };
  await onOptimism!.score("passportOptimism", passport!, score);
  await onBase!.score("passportBase", all!, score);

  using deps = await openProofs({
    WORLD_CHAIN_RPC_URL: world.url,
    BASE_RPC_URL: base.url,
    OPTIMISM_RPC_URL: optimism.url,
  });
  const before = await read(deps, worldId!);
  assertEquals(before.humanProofs, [], "nothing was asked in the read");
  const { line, reads } = await prove(deps, ADDRESSES.slice(0, 5));
  assertMatch(line, /proofs of 5 addresses read$/);
  const none = {
    worldId: "none",
    coinbase: "none",
    passportBase: "none",
    passportOptimism: "none",
  };
  assertEquals(reads.map(statesOf), [
    { ...none, worldId: "proven" },
    { ...none, coinbase: "proven" },
    { ...none, passportOptimism: "proven" },
    {
      worldId: "proven",
      coinbase: "proven",
      passportBase: "proven",
      passportOptimism: "none",
    },
    none,
  ]);
  const shown = (nth: number, source: string) =>
    reads[nth]!.humanProofs.find((proof) => proof.source === source);
  const readAt = deps.now().toISOString();
  assertEquals(shown(0, "worldId"), {
    source: "worldId",
    chain: "World Chain",
    state: "proven",
    verifiedAt: at(until - 168 * DAY_S),
    expiresAt: at(until),
    readAt,
    failedAt: null,
  });
  assertEquals(shown(1, "coinbase"), {
    source: "coinbase",
    chain: "Base",
    state: "proven",
    verifiedAt: at(START_S - 5 * DAY_S),
    expiresAt: null,
    readAt,
    failedAt: null,
  });
  assertEquals(
    [shown(2, "passportOptimism")].map((proof) => [
      proof?.chain,
      proof?.verifiedAt,
      proof?.expiresAt,
    ]),
    [["Optimism", at(score.time), at(score.time + 90 * DAY_S)]],
  );

  await t.step(
    "a proof adds points and its price; several count once",
    () => {
      const points = reads.map(({ breakdown }) => breakdown.humanProofs);
      assert(points[0]! > 5 && points[1]! > 5, `${points}`);
      assert(points[2]! > 0 && points[2]! < points[0]!, `${points}`);
      assertEquals(points[4], 0);
      const codes = reads.map(({ explanation: { reasons } }) =>
        reasons.some(({ code }) => code === "UNIQUE_HUMAN_PROOF")
      );
      assertEquals(codes, [true, true, true, true, false]);
      assertEquals(
        reads[0]!.headline.score > before.headline.score,
        true,
        "the proof raised the score",
      );
      assertEquals(
        Math.round(
          100 * (reads[0]!.costToFake.usd - before.costToFake.usd),
        ),
        50,
        "a World ID costs 0.50 USD",
      );
    },
  );

  await t.step(
    "the registries are not asked again before a week",
    async () => {
      const quiet = await prove(deps, [worldId!]);
      assertEquals(quiet.line, "no address waits");
      deps.advance(7 * DAY_MS);
      assertMatch((await prove(deps, [worldId!])).line, /proofs of 1 addr/);
    },
  );

  await t.step("invalid proofs do not count", async () => {
    const [lapsed, revoked, expired, foreign, schema, recipient, low] = invalid;
    const now = Math.floor(deps.now().getTime() / 1000);
    await onWorld!.verifyWorldId(lapsed!, now - 1);
    await onBase!.attest(revoked!, { revocationTime: 1n });
    await onBase!.attest(expired!, { expirationTime: BigInt(now - 1) });
    await onBase!.attest(foreign!, { attester: nothing });
    await onBase!.attest(schema!, { schema: `0x${"1".repeat(64)}` });
    await onBase!.attest(recipient!, { recipient: nothing });
    await onOptimism!.score("passportOptimism", low!, {
      score: 199_999,
      time: now,
    });
    await onBase!.score("passportBase", low!, {
      score: 900_000,
      time: START_S - 91 * DAY_S,
    });
    const { reads } = await prove(deps, invalid);
    assertEquals(reads.map(statesOf), invalid.map(() => none));
    assertEquals(
      reads.map(({ breakdown }) => breakdown.humanProofs),
      invalid.map(() => 0),
    );
  });

  await t.step(
    "a proof ends with its expiry, without a further call",
    async () => {
      deps.advance(100 * DAY_MS);
      const late = await read(deps, worldId!);
      assertEquals(statesOf(late).worldId, "none");
      assertEquals(late.breakdown.humanProofs, 0);
    },
  );
});

onNode.test("a dead chain costs the score nothing, and says so", async (t) => {
  const startsAt = Date.parse(START);
  await using world = await startAnvil({ startsAt, chainId: 480 });
  const base: Anvil = await startAnvil({ startsAt, chainId: 8453 });
  const [onWorld, onBase] = await Promise.all(
    [world, base].map(openRegistries),
  );
  const [first, second] = ADDRESSES;
  await onBase!.attest(first!);
  await onWorld!.verifyWorldId(second!, START_S + 100 * DAY_S);
  using deps = await openProofs({
    WORLD_CHAIN_RPC_URL: world.url,
    BASE_RPC_URL: base.url,
  });
  const alive = await prove(deps, [first!]);
  assertEquals(statesOf(alive.reads[0]!).coinbase, "proven");
  await base[Symbol.asyncDispose]();
  deps.advance(8 * DAY_MS);
  const { line, reads } = await prove(deps, [first!, second!]);
  assertMatch(
    line,
    /proofs of 2 addresses read, no answer of Coinbase verified account on Base, Human Passport on Base$/,
  );

  await t.step("what was read before still counts", () => {
    const [kept] = reads;
    assertEquals(statesOf(kept!).coinbase, "proven");
    const shown = kept!.humanProofs.find(({ source }) => source === "coinbase");
    assertEquals(shown?.readAt, START);
    assertEquals(shown?.failedAt, deps.now().toISOString());
    // A little less, because the wallet's age shows more of the same.
    const lost = alive.reads[0]!.breakdown.humanProofs -
      kept!.breakdown.humanProofs;
    assert(lost >= 0 && lost < 0.1, `${lost}`);
  });

  await t.step("another address has what the other chain says", () => {
    assertEquals(statesOf(reads[1]!), {
      worldId: "proven",
      coinbase: "unread",
      passportBase: "unread",
    });
  });

  await t.step("it is asked again after an hour, not before", async () => {
    deps.advance(HOUR_MS - MINUTE_MS);
    assertEquals((await prove(deps, [first!])).line, "no address waits");
    deps.advance(MINUTE_MS);
    assertMatch(
      (await prove(deps, [first!])).line,
      /of 1 addresses read, no/,
    );
  });
});

onNode.test("a node of another chain, and a missing contract, are failures and no answers", async () => {
  const startsAt = Date.parse(START);
  await using other = await startAnvil({ startsAt, chainId: 1 });
  await using base = await startAnvil({ startsAt, chainId: 8453 });
  await openRegistries(other);
  const onBase = await openRegistries(base);
  await onBase.remove("coinbaseIndexer");
  using deps = await openProofs({
    WORLD_CHAIN_RPC_URL: other.url,
    BASE_RPC_URL: base.url,
  });
  const { reads } = await prove(deps, [ADDRESSES[0]!]);
  assertEquals(statesOf(reads[0]!), {
    worldId: "unread",
    coinbase: "unread",
    passportBase: "none",
  });
});

onNode.test("a proof of a unique human earns a Verified Human number, which says what it rests on", async () => {
  const startsAt = Date.parse(START);
  await using world = await startAnvil({ startsAt, chainId: 480 });
  const { verifyWorldId } = await openRegistries(world);
  const address = ADDRESSES[0]!;
  await verifyWorldId(address, START_S + 30 * DAY_S);
  using deps = await openProofs({ WORLD_CHAIN_RPC_URL: world.url });
  const now = deps.now().getTime();
  await deps.store.profiles.change(address, () => ({
    profile: newProfile(now),
    audit: { at: now, event: "profile.update", requestId: "test" },
  }));
  assertEquals((await read(deps, address)).verifiedHuman, null);
  const { reads: [proven] } = await prove(deps, [address]);
  assertEquals(proven!.verifiedHuman, 1);
  assertEquals(proven!.verifiedHumanEvidence, {
    rule: "uniqueHuman",
    kinds: ["worldId"],
    since: deps.now().toISOString(),
  });
  const codesOf = ({ explanation: { reasons } }: ScoreRead) =>
    reasons.map(({ code }) => code).filter((code) =>
      code.startsWith("VERIFIED_HUMAN")
    );
  assertEquals(codesOf(proven!), ["VERIFIED_HUMAN"]);
  deps.advance(31 * DAY_MS);
  const lapsed = await read(deps, address);
  assertEquals(lapsed.verifiedHuman, 1, "it stays");
  assertEquals(codesOf(lapsed), ["VERIFIED_HUMAN_LAPSED"]);
});

onNode.test("the doctor examines the registries of each chain whose node is set", async (t) => {
  await using world = await startAnvil({ chainId: 480 });
  await using base = await startAnvil({ chainId: 8453 });
  await using optimism = await startAnvil({ chainId: 10 });
  const [, onBase] = await Promise.all(
    [world, base, optimism].map(openRegistries),
  );
  const examine = async (proofChains: Record<string, string>) => {
    const sources = openSources({
      urls: {
        metricsApis: new Map(),
        chainNodes: new Map(),
        portal: null,
        ...{ metricsApi: "", explorer: "", nodes: [], platformChain: "" },
        chainIndex: { chains: null, aggregations: null },
        proofChains,
      },
      explorerApiKey: null,
      fetch,
      sleep: () => Promise.resolve(),
      timeoutMs: 5_000,
    });
    const found: (readonly [string, boolean])[] = [];
    for (const chain of sources.proofChains) {
      for (const { text, examine } of PROOF_ASSUMPTIONS[chain]) {
        const { holds } = await examine(sources, SUBJECT);
        found.push([text, holds]);
      }
    }
    return found;
  };
  const broken = (found: readonly (readonly [string, boolean])[]) =>
    found.filter(([, holds]) => !holds).map(([text]) => text);

  const found = await examine({
    worldChain: world.url,
    base: base.url,
    optimism: optimism.url,
  });
  assert(found.length > 0);
  assertEquals(broken(found), []);

  await t.step("another chain", async () => {
    assertEquals(broken(await examine({ optimism: base.url })), [
      "the node serves chain 10",
    ]);
  });
  await t.step("no contracts", async () => {
    for (
      const registry of [
        "coinbaseIndexer",
        "coinbaseAttester",
        "attestations",
        "schemas",
        "passportBase",
      ] as const
    ) await onBase!.remove(registry);
    const found = await examine({ base: base.url });
    assertEquals(broken(found).length, found.length - 1);
  });
});
