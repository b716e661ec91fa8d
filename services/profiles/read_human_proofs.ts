/** Asks other chains about queued addresses. */
import {
  PROOF_CHAINS,
  PROOF_SOURCES,
  type ProofSource,
} from "../model/human_proofs_schema.ts";
import { Fault } from "../platform/fault.ts";
import type { RunContext } from "../platform/jobs/job_run.ts";
import { SERVICE } from "../platform/rate_limit/call_budget.ts";
import { timeoutSignal } from "../platform/clock.ts";
import type { ProfilesDeps } from "./deps.ts";
import {
  isQueueDue,
  isReadDue,
  MAX_ADDRESSES,
  NOTHING_READ,
  type ProofRead,
  type ProofRecord,
} from "./human_proofs.ts";
import type { ProofChain } from "./human_proofs_client.ts";

type ProofDeps = Pick<ProfilesDeps, "now" | "store" | "upstream">;
type Queued = Parameters<ProofDeps["store"]["humanProofs"]["answer"]>[0];
type Reads = Partial<Record<ProofSource, ProofRead>>;

/**
 * Groups of addresses in one run. A node may count each call of a batch: a run makes
 * fewer than 240 calls a minute to a node, also if every address has a proof.
 */
const MAX_GROUPS = 8;

/** Longest wait for an answer. */
const WAIT_MS = 30_000;

/** Queues an address if registries are configured and one of them is to be asked. */
export async function queueIfDue(
  { now, store, upstream }: ProofDeps,
  address: string,
  found: ProofRecord | null,
): Promise<void> {
  const sources = upstream.proofChains.flatMap(({ sources }) => sources);
  const at = now().getTime();
  if (!isQueueDue(found ?? NOTHING_READ, sources, at)) return;
  await store.humanProofs.queue(address, sources, at);
}

/**
 * Asks the registries about queued addresses, longest wait first, and returns what was
 * done in words. A registry that fails is not asked again in this run; the others are.
 */
export async function readHumanProofs(
  deps: ProofDeps,
  { proceed }: RunContext,
): Promise<string> {
  const failed = new Set<ProofSource>();
  let count = 0;
  let groups = 0;
  for await (const group of groupsOf(deps.store.humanProofs.listQueued())) {
    if (groups++ === MAX_GROUPS || !await proceed()) break;
    await readGroup(deps, group, failed);
    count += group.length;
  }
  const down = [...failed].map((source) => {
    const { name, chain } = PROOF_SOURCES[source];
    return `${name} on ${PROOF_CHAINS[chain].name}`;
  });
  const problem = down.length === 0 ? "" : `, no answer of ${down.join(", ")}`;
  return `proofs of ${count} addresses read${problem}`;
}

async function readGroup(
  deps: ProofDeps,
  group: readonly Queued[],
  failed: Set<ProofSource>,
): Promise<void> {
  const { now, store: { humanProofs }, upstream } = deps;
  const records = await Promise.all(
    group.map(({ address }) => humanProofs.find(address)),
  );
  const reads: Reads[] = group.map(() => ({}));
  const startedAt = now().getTime();
  for (const chain of upstream.proofChains) {
    for (const source of chain.sources) {
      const due = group.flatMap(({ address }, nth) =>
        isReadDue(records[nth]?.reads[source], startedAt)
          ? [{ nth, address }]
          : []
      );
      const addresses = due.map(({ address }) => address);
      const found = due.length === 0 || failed.has(source)
        ? null
        : await readOrNull(chain, source, addresses);
      if (found === null && due.length > 0) failed.add(source);
      const at = now().getTime();
      for (const [index, { nth }] of due.entries()) {
        reads[nth]![source] = found === null
          ? failedRead(records[nth] ?? null, source, at)
          : { readAt: at, failedAt: null, proof: found[index]! };
      }
    }
  }
  await Promise.all(
    group.map((queued, nth) => humanProofs.answer(queued, reads[nth]!)),
  );
}

/** Reads proofs; null if the registry does not answer. */
async function readOrNull(
  chain: ProofChain,
  source: ProofSource,
  addresses: readonly string[],
) {
  try {
    return await chain.read(source, addresses, {
      priority: "job",
      signal: timeoutSignal(WAIT_MS),
      requester: SERVICE,
    });
  } catch (error) {
    if (error instanceof Fault) return null;
    throw error;
  }
}

/** What was read before stays, and says that the last read failed. */
function failedRead(
  record: ProofRecord | null,
  source: ProofSource,
  at: number,
): ProofRead {
  const before = record?.reads[source];
  return {
    readAt: before?.readAt ?? null,
    proof: before?.proof ?? null,
    failedAt: at,
  };
}

async function* groupsOf(
  queued: AsyncIterable<Queued>,
): AsyncGenerator<Queued[]> {
  let group: Queued[] = [];
  for await (const one of queued) {
    group.push(one);
    if (group.length < MAX_ADDRESSES) continue;
    yield group;
    group = [];
  }
  if (group.length > 0) yield group;
}
