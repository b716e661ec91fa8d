/** Every field of a score answer changes with an event that can really happen. */
import { assert, assertEquals } from "@std/assert";
import { importProfiles } from "../../../services/profiles/profile_import.ts";
import type { ScoreRead } from "../../../services/model/scores_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import {
  exampleOf,
  type Persona,
  personaOf,
  recordTimeMs,
} from "../../../simnet/accounts.ts";
import { asFetch } from "../../../simnet/upstreams.ts";
import { enrol } from "../../support/callers.ts";
import {
  START,
  type TestDeps,
  testDeps,
  type Zones,
} from "../../support/deps.ts";
import { keyPair, newOwner } from "../../support/owners.ts";
import { paidChain, TREASURY } from "../../support/evm/paid_chain.ts";

const AT = "2026-01-01T00:00:00Z";
const FRIEND = exampleOf("ordinary", 7);

/** The methods the simulated node answers; the chain made by hand answers all others. */
const OF_ACCOUNTS = ["eth_getTransactionCount", "eth_getCode"];

/** Returns for how long a wallet has been in use, at the start of a test's clock. */
function ageOf(wallet: string): number {
  const now = Date.parse(START);
  return now - recordTimeMs(wallet, 0, now);
}

/**
 * Opens a service around the youngest wallet of a persona, with the events that
 * can happen to it.
 */
async function openWorld(persona: Persona) {
  const zones: Zones = {};
  const chain = paidChain({ start: Date.parse(START) });
  const deps: TestDeps = await testDeps({
    zones,
    settings: {
      TREASURY_ADDRESS: TREASURY,
      WORLD_CHAIN_RPC_URL: "http://world.test",
    },
    async fetch(input, init) {
      const request = new Request(input, init);
      const { host } = new URL(request.url);
      const { method } = host === "c-chain.test"
        ? await request.clone().json()
        : { method: OF_ACCOUNTS[0] };
      return await (OF_ACCOUNTS.includes(method)
        ? asFetch(deps.upstreams)(request)
        : chain.node()(request));
    },
  });
  const { ask } = await enrol(deps, { plan: "scale" });
  const signers = Array.from({ length: 40 }, (_, nth) => keyPair(nth + 1));
  const walletOf = ({ address }: typeof signers[0]) => address.toLowerCase();
  const [youngest] = signers
    .filter((signer) => personaOf(walletOf(signer)) === persona)
    .toSorted((a, b) => ageOf(walletOf(a)) - ageOf(walletOf(b)));
  const owner = newOwner(deps, youngest);
  await owner.signIn();

  async function read(address: string = owner.wallet): Promise<ScoreRead> {
    const { status, body, text } = await ask(`/score/${address}`);
    assertEquals(status, 200, text);
    return body;
  }

  async function call(method: string, path: string, body?: unknown) {
    const answer = await owner.call(method, path, { body });
    assertEquals(answer.status, 200, answer.text);
    return answer.body;
  }

  return {
    deps,
    read,
    claim: (slug: string | null = null) =>
      call("PUT", "/profile", { displayName: null, slug, linksPublic: false }),

    /** Links a domain that the owner holds. */
    async linkDomain(): Promise<void> {
      const body = { domain: "firn.network" };
      const { record } = await call("POST", "/socials/domain", body);
      zones[record.name] = { txt: [[record.value]] };
      await call("POST", "/socials/domain/verify", body);
    },

    /** Imports lines of an operator's file. */
    async bring(...lines: readonly object[]): Promise<void> {
      const texts = lines.map((line) => JSON.stringify(line));
      const open = async function* () {
        yield* texts;
      };
      assertEquals((await importProfiles(deps, open)).refused, []);
    },

    /** Makes wallets with a history follow the owner, some at a time. */
    async follow(count: number, everyMs: number): Promise<void> {
      const { wallet } = owner;
      for (let nth = 0; nth < count; nth++) {
        const address = exampleOf("heavy", nth);
        await read(address);
        const at = Date.parse(AT) + nth * everyMs;
        await this.bring({ address, follows: [{ address: wallet, at }] });
      }
    },

    /** Transfers USDC to the treasury as a donation, and reports the transfer. */
    async donate(to: string): Promise<void> {
      const amount = 100_000_000n;
      const txHash = chain.send({ from: owner.wallet, to, amount });
      chain.mine();
      await call("POST", "/donations", { to, txHash });
    },

    /** Buys something for the profile. */
    async buy(product: string, terms: object): Promise<void> {
      const quote = await call("POST", "/quotes", { product, ...terms });
      const amount = BigInt(quote.amount);
      const txHash = chain.send({ from: owner.wallet, amount });
      chain.mine();
      await call("POST", "/claims", { quoteId: quote.quoteId, txHash });
    },
    wallet: owner.wallet,
    [Symbol.dispose]: () => deps[Symbol.dispose](),
  };
}

type World = Awaited<ReturnType<typeof openWorld>>;

/**
 * Each event, the persona it happens to, and the fields it changes; a `+` in
 * front means that the field rises.
 */
const HAPPENINGS: readonly [
  name: string,
  persona: Persona,
  happen: (world: World) => Promise<unknown>,
  moved: readonly string[],
][] = [
  ["the profile is claimed", "ordinary", (world) => world.claim(), [
    "+s4.confidence",
    "+explanation.confidence.value",
    "explanation.reasons",
  ]],
  [
    "a domain is linked",
    "ordinary",
    async (world) => {
      await world.claim();
      await world.linkDomain();
    },
    ["+s4.humanity", "+s4.composite", "+score", "+breakdown.verifiedSocials"],
  ],
  [
    "accounts elsewhere are brought in",
    "dormant",
    ({ bring, wallet: address }) => {
      const kinds = ["x", "github", "farcaster", "discord", "telegram"];
      const socials = kinds.map((kind) => {
        return {
          kind,
          handle: `${kind}user`,
          verifiedAt: "2025-01-01T00:00:00Z",
        };
      });
      return bring({ address, socials, premiumMonths: 12, paidSlug: true });
    },
    [
      "+headline.score",
      "headline.tier",
      "headline.tierLabel",
      "explanation.summary",
      "explanation.confidence.band",
      "explanation.confidence.label",
      "explanation.confidence.detail",
      "verifiedHuman",
      "verifiedHumanEvidence",
      "tier",
      "tierLabel",
      "+costToFake.usd",
      "+costToFake.alone",
    ],
  ],
  [
    "a registry elsewhere proves a unique human",
    "ordinary",
    ({ deps, wallet: address }) =>
      deps.store.humanProofs.answer({ address, key: ["queued"] }, {
        worldId: {
          readAt: Date.parse(AT),
          failedAt: null,
          proof: {
            strength: 1,
            verifiedAt: null,
            expiresAt: deps.now().getTime() + DAY_MS,
          },
        },
      }),
    ["humanProofs", "+breakdown.humanProofs", "+s4.humanity"],
  ],
  [
    "wallets with a history follow, weeks apart",
    "ordinary",
    (world) => world.follow(6, 20 * DAY_MS),
    ["+s4.social", "graph.analyzed", "+breakdown.followers"],
  ],
  [
    "the same wallets follow within an hour",
    "ordinary",
    (world) => world.follow(6, 60_000),
    ["graph.flags", "graph.socialDamping"],
  ],
  [
    "something is given to another profile",
    "ordinary",
    async (world) => {
      await world.bring({ address: FRIEND });
      await world.claim();
      await world.donate(FRIEND);
    },
    ["+s4.economic", "+breakdown.donations"],
  ],
  [
    "something is given to oneself",
    "ordinary",
    async (world) => {
      await world.claim();
      await world.donate(world.wallet);
    },
    ["graph.flags", "graph.socialDamping", "explanation.reasons"],
  ],
  [
    "membership is bought",
    "ordinary",
    async (world) => {
      await world.claim();
      await world.buy("premium", { periods: 3 });
    },
    ["+s4.economic", "+breakdown.premium"],
  ],
  [
    "the profile's name is bought",
    "ordinary",
    async (world) => {
      await world.claim("ada-l");
      await world.buy("slug", { slug: "ada-l" });
    },
    ["+s4.economic", "+breakdown.paidSlug"],
  ],
  [
    "a year of further transactions goes by",
    "ordinary",
    ({ deps }) => Promise.resolve(deps.advance(365 * DAY_MS)),
    [
      "+s4.humanity",
      "+breakdown.walletAge",
      "+breakdown.txActivity",
      "+breakdown.gasSpent",
      "+breakdown.total",
      "+costToFake.days",
      "+fetchedAt",
    ],
  ],
  [
    "a year without any goes by",
    "dormant",
    ({ deps }) => Promise.resolve(deps.advance(365 * DAY_MS)),
    ["s4.activity"],
  ],
];

/** Fields that name the model, its prices and the address of an answer. */
const FIXED = [
  "address",
  "headline.model",
  "model",
  "costToFake.of",
  "costToFake.asOf",
];

/** Lists every field by its path; a list counts as one field. */
function fieldsOf(value: unknown, path = ""): [string, unknown][] {
  if (value === null || typeof value !== "object" || Array.isArray(value)) {
    return [[path, value]];
  }
  return Object.entries(value).flatMap(([name, field]) =>
    fieldsOf(field, path === "" ? name : `${path}.${name}`)
  );
}

for (const [name, persona, happen, moved] of HAPPENINGS) {
  Deno.test(`when ${name}, ${moved.join(", ")} move`, async () => {
    using world = await openWorld(persona);
    const before = new Map(fieldsOf(await world.read()));
    await happen(world);
    const after = new Map(fieldsOf(await world.read()));
    for (const each of moved) {
      const path = each.replace("+", "");
      const [was, is] = [before.get(path), after.get(path)];
      const differs = JSON.stringify(was) !== JSON.stringify(is);
      assert(differs, `${path} stayed ${JSON.stringify(was)}`);
      if (each.startsWith("+")) {
        assert(is! > was!, `${path} went from ${was} to ${is}`);
      }
    }
    for (const path of FIXED) assertEquals(after.get(path), before.get(path));
  });
}

Deno.test("every field of a score changes with some signal", async () => {
  using world = await openWorld("ordinary");
  const fields = fieldsOf(await world.read()).map(([path]) => path);
  const moved = HAPPENINGS.flatMap(([, , , moved]) =>
    moved.map((path) => path.replace("+", ""))
  );
  const all = new Set([...moved, ...FIXED]);
  assertEquals(all.symmetricDifference(new Set(fields)), new Set());
});

Deno.test("a score belongs to the requested address", async () => {
  using world = await openWorld("ordinary");
  const { address } = await world.read(FRIEND);
  assertEquals(address, FRIEND);
});
