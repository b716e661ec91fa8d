/**
 * Client of the registries of unique humans on one chain, by plain calls of their
 * contracts. Their addresses and rules are from the issuers' repositories:
 *
 * - World ID: `worldcoin/minikit-js` and `worldcoin/walletkit` name the address book.
 *   `addressVerifiedUntil` is never cleared, so it counts only while it lies ahead. It
 *   is the time of the proof plus `verificationLength`, 168 days. The contract refuses
 *   a second address of one World ID while the first is verified.
 * - Coinbase: `coinbase/verifications`, README (contracts and the schema "Verified
 *   Account") and `AttestationVerifier.sol` (what to check). The indexer may be out of
 *   date, so the attestation itself is checked.
 * - Human Passport: `passportxyz/eas-proxy`, `GitcoinPassportDecoder.sol` and
 *   `IGitcoinResolver.sol`. `getScore` reverts without a current score, and has four
 *   decimals. A score ends at `expirationTime`, or if that is 0 `maxScoreAge` after
 *   `time`. Below `threshold` the issuer itself does not call it a human.
 */
import { z } from "zod";
import {
  PROOF_CHAINS,
  PROOF_SOURCE_NAMES,
  PROOF_SOURCES,
  type ProofChainName,
  type ProofSource,
} from "../model/human_proofs_schema.ts";
import type { Http } from "../platform/http/http_client.ts";
import { getResults, rpcClient } from "../platform/http/rpc_client.ts";
import { Refused } from "../platform/http/upstream_answer.ts";
import type { CallOptions } from "../platform/rate_limit/call_budget.ts";
import type { HumanProof } from "./human_proofs.ts";

/** The contracts of the registries. */
export const PROOF_CONTRACTS = {
  worldAddressBook: "0x57b930D551e677CC36e2fA036Ae2fe8FdaE0330D",
  coinbaseIndexer: "0x2c7eE1E5f416dfF40054c27A62f7B357C4E8619C",
  coinbaseAttester: "0x357458739F90461b99789350868CD7CF330Dd7EE",
  /** The Ethereum Attestation Service of the OP Stack. */
  attestations: "0x4200000000000000000000000000000000000021",
  /** Its registry of schemas. */
  schemas: "0x4200000000000000000000000000000000000020",
  passportBase: "0xaa24a127d10C68C8F9Ac06199AA606953cD82eE7",
  passportOptimism: "0x5558D441779Eca04A329BcD6b47830D2C6607769",
} as const satisfies Record<string, `0x${string}`>;

/** The schema "Verified Account" of Coinbase. */
export const VERIFIED_ACCOUNT =
  "0xf8b05c79f090979bf4a80270aba232dff11a10d9ca55c4f88de95317970f0de9";

/**
 * The passport score of full strength, with its four decimals: 50, which by Human
 * Passport's own account 96 % of humans and 3 % of sybils reach.
 */
const FULL_PASSPORT = 500_000;

/** What a call that a contract reverted returns. */
const REVERTED = "reverted";

/** The words of a result, 32 bytes each. */
const Words = z.string().regex(/^0x([0-9a-f]{64})+$/i).transform((data) =>
  data.slice(2).match(/.{64}/g)!.map((word) => BigInt(`0x${word}`))
).or(z.literal(REVERTED));

/** A call of a contract. Each argument is one word: an address or 32 bytes. */
interface Call {
  readonly to: string;
  /** Such as `getScore(address)`. */
  readonly function: string;
  readonly args?: readonly string[];
}

/** Makes calls in one batch; null for those that a contract reverted. */
type MakeCalls = (
  calls: readonly Call[],
) => Promise<(readonly bigint[] | null)[]>;

/** Creates the client of the registries of one chain. */
export function proofChain(http: Http, url: string, name: ProofChainName) {
  const { chainId, name: label } = PROOF_CHAINS[name];
  const { run } = rpcClient(http, { url, chainId, name: `${label} RPC` });

  async function makeCalls(
    calls: readonly Call[],
    options: CallOptions,
  ): Promise<(readonly bigint[] | null)[]> {
    if (calls.length === 0) return [];
    const request = new Request(url, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(
        await Promise.all(calls.map(async ({ to, ...call }, id) => ({
          jsonrpc: "2.0",
          id,
          method: "eth_call",
          params: [{ to, data: await encodeCall(call) }, "latest"],
        }))),
      ),
    });
    const asked = { ...options, reverted: REVERTED } as const;
    const { body } = await getResults(http, request, Words, asked);
    return calls.map((call, id) => {
      const words = body.get(id);
      // An account without code answers nothing.
      if (words === undefined) throw new Refused(`no ${call.function}`);
      return words === REVERTED ? null : words;
    });
  }

  return {
    /** The sources on this chain. */
    sources: PROOF_SOURCE_NAMES
      .filter((source) => PROOF_SOURCES[source].chain === name),

    /**
     * Reads the proofs of at most 35 addresses in one or two batches, in their order;
     * null for those without one. Throws an `upstreamDown` fault if one can't be read.
     */
    async read(
      source: ProofSource,
      addresses: readonly string[],
      options: CallOptions,
    ): Promise<(HumanProof | null)[]> {
      const now = Math.floor(http.now().getTime() / 1000);
      const { body } = await run(options, () =>
        READERS[source](
          (calls) => makeCalls(calls, options),
          addresses,
          now,
        ));
      return body;
    },
  };
}

/** The client of the registries of one chain. */
export type ProofChain = ReturnType<typeof proofChain>;

/** Returns the data of a call. */
export async function encodeCall(
  { function: signature, args = [] }: Omit<Call, "to">,
): Promise<string> {
  const { toFunctionSelector } = await import("viem");
  const words = args.map((arg) => arg.slice(2).toLowerCase().padStart(64, "0"));
  return toFunctionSelector(signature) + words.join("");
}

/** Reads the proofs of addresses at an instant, epoch seconds. */
type ReadProofs = (
  call: MakeCalls,
  addresses: readonly string[],
  now: number,
) => Promise<(HumanProof | null)[]>;

const READERS: Readonly<Record<ProofSource, ReadProofs>> = {
  worldId: readWorldIds,
  coinbase: readCoinbaseAccounts,
  passportBase: readPassports(PROOF_CONTRACTS.passportBase),
  passportOptimism: readPassports(PROOF_CONTRACTS.passportOptimism),
};

async function readWorldIds(
  call: MakeCalls,
  addresses: readonly string[],
  now: number,
): Promise<(HumanProof | null)[]> {
  const to = PROOF_CONTRACTS.worldAddressBook;
  const [length, ...ends] = await call([
    { to, function: "verificationLength()" },
    ...addresses.map((address) => ({
      to,
      function: "addressVerifiedUntil(address)",
      args: [address],
    })),
  ]);
  return ends.map((words) => {
    const until = numberAt(words, 0);
    if (until <= now) return null;
    const from = until - numberAt(length, 0);
    // The length may have changed since.
    const verifiedAt = from > 0 && from <= now ? from * 1000 : null;
    return { strength: 1, verifiedAt, expiresAt: until * 1000 };
  });
}

async function readCoinbaseAccounts(
  call: MakeCalls,
  addresses: readonly string[],
  now: number,
): Promise<(HumanProof | null)[]> {
  const ids = await call(addresses.map((address) => ({
    to: PROOF_CONTRACTS.coinbaseIndexer,
    function: "getAttestationUid(address,bytes32)",
    args: [address, VERIFIED_ACCOUNT],
  })));
  const attested = ids.flatMap((words, nth) => {
    const id = words?.[0] ?? 0n;
    return id === 0n ? [] : [{ nth, id: `0x${id.toString(16)}` }];
  });
  const found = await call(attested.map(({ id }) => ({
    to: PROOF_CONTRACTS.attestations,
    function: "getAttestation(bytes32)",
    args: [id],
  })));
  const proofs: (HumanProof | null)[] = addresses.map(() => null);
  for (const [index, { nth }] of attested.entries()) {
    const words = found[index];
    if (!words) continue;
    // The first word is the offset of the structure.
    const [, , schema, , , , , recipient, attester] = words;
    const [time, end, revoked] = [3, 4, 5].map((at) => numberAt(words, at));
    const isValid = schema === BigInt(VERIFIED_ACCOUNT) &&
      recipient === BigInt(addresses[nth]!) &&
      attester === BigInt(PROOF_CONTRACTS.coinbaseAttester) &&
      revoked === 0 && (end === 0 || end! > now);
    if (!isValid) continue;
    proofs[nth] = {
      strength: 1,
      verifiedAt: time! * 1000,
      expiresAt: end === 0 ? null : end! * 1000,
    };
  }
  return proofs;
}

function readPassports(decoder: string): ReadProofs {
  return async (call, addresses, now) => {
    const [threshold, maxAge, resolver, ...scores] = await call([
      { to: decoder, function: "threshold()" },
      { to: decoder, function: "maxScoreAge()" },
      { to: decoder, function: "gitcoinResolver()" },
      ...addresses.map((address) => ({
        to: decoder,
        function: "getScore(address)",
        args: [address],
      })),
    ]);
    const passing = addresses.flatMap((address, nth) => {
      const words = scores[nth] ?? null;
      if (words === null) return [];
      const score = numberAt(words, 0);
      return score >= numberAt(threshold, 0) ? [{ nth, address, score }] : [];
    });
    const dated = await call(passing.map(({ address }) => ({
      to: `0x${(resolver?.[0] ?? 0n).toString(16).padStart(40, "0")}`,
      function: "getCachedScore(address)",
      args: [address],
    })));
    const proofs: (HumanProof | null)[] = addresses.map(() => null);
    for (const [index, { nth, score }] of passing.entries()) {
      const [time, end] = [1, 2].map((at) => numberAt(dated[index], at));
      const until = end! > 0 ? end! : time! + numberAt(maxAge, 0);
      if (until <= now) continue;
      proofs[nth] = {
        strength: Math.min(1, score / FULL_PASSPORT),
        verifiedAt: time! * 1000,
        expiresAt: until * 1000,
      };
    }
    return proofs;
  };
}

/** Returns a word as a number. Throws if the call was reverted, has no such word, or it is too large. */
function numberAt(
  words: readonly bigint[] | null | undefined,
  at: number,
): number {
  return z.int().nonnegative().parse(Number(words?.[at] ?? NaN));
}
