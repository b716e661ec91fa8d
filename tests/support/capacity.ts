/** Integrators that read new addresses at their burst, and retry when they are told to. */
import { createApiKey } from "../../services/accounts/api_keys.ts";
import type { PlanName } from "../../services/payments/plans_schema.ts";
import { DAY_MS, MINUTE_MS } from "../../services/platform/days.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { hash32 } from "../../simnet/series/noise.ts";
import { type VirtualService, virtualService } from "./virtual_service.ts";

/** Addresses that an integrator has under way. */
const MAX_UNDER_WAY = 60;

/** An answer to an integrator. */
interface CapacityAnswer {
  readonly plan: PlanName;
  readonly wallet: string;
  readonly at: number;
  readonly status: number;
  readonly code: string | undefined;
  readonly retryAfterS: number;
  /** True for a request that was sent within ten seconds of its Retry-After. */
  readonly isRetry: boolean;
}

/** Integrators of one plan. */
interface Group {
  readonly plan: PlanName;
  readonly wallets: number;
  readonly everyMs: number;
}

/** Runs the integrators for some minutes, and returns the answers that they got. */
export async function runIntegrators(
  service: VirtualService,
  groups: readonly Group[],
  minutes: number,
): Promise<CapacityAnswer[]> {
  const { deps, app, sleep } = service;
  const end = deps.now().getTime() + minutes * MINUTE_MS;
  const answers: CapacityAnswer[] = [];
  let nth = 0;
  const integrators = groups.flatMap((group) =>
    Array.from({ length: group.wallets }, () => integrator(group, ++nth))
  );

  async function integrator({ plan, everyMs }: Group, nth: number) {
    const wallet = `0x${nth.toString(16).padStart(40, "0")}`;
    const { key } = (await createApiKey(deps, { wallet, name: "test" }))!;
    if (plan !== "free") {
      const at = deps.now().getTime();
      const paidUntil = at + 30 * DAY_MS;
      await deps.store.payments.grant(wallet, { at, plan, paidUntil });
    }
    const retries: { readonly address: string; readonly at: number }[] = [];
    const requests: Promise<void>[] = [];
    let made = 0;
    let underWay = 0;

    async function ask(address: string, isRetry: boolean) {
      const response = await app.request(`/api/v1/score/${address}`, {
        headers: { "X-Api-Key": key },
      }, { remoteAddr: { hostname: `198.51.100.${nth}` } });
      const body = await response.json();
      const retryAfterS = Number(response.headers.get("Retry-After"));
      const at = deps.now().getTime();
      const { status } = response;
      answers.push({
        plan,
        wallet,
        at,
        status,
        code: body.code,
        retryAfterS,
        isRetry,
      });
      if (status === 429) {
        // Anywhere in the ten seconds after the time that it was told.
        const lateMs = hash32(`late/${address}`, made) % 8_000;
        retries.push({ address, at: at + retryAfterS * 1_000 + lateMs });
        retries.sort((a, b) => a.at - b.at);
      } else {
        underWay--;
      }
    }

    // They do not start in the same millisecond.
    await sleep(hash32(`start/${wallet}`, 0) % everyMs);
    while (deps.now().getTime() < end) {
      const now = deps.now().getTime();
      if (retries[0] !== undefined && retries[0].at <= now) {
        const { address, at } = retries.shift()!;
        requests.push(ask(address, now - at <= 2_000));
      } else if (underWay < MAX_UNDER_WAY) {
        underWay++;
        const bytes = `${nth.toString(16)}${
          (made++).toString(16).padStart(6, "0")
        }`;
        requests.push(ask(`0xca${bytes.padStart(38, "0")}`, false));
      }
      await sleep(everyMs);
    }
    await Promise.all(requests);
  }

  await service.run(Promise.all(integrators));
  return answers;
}

/** Counts answers by what they are. */
export function countAnswers(
  answers: readonly CapacityAnswer[],
): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { plan, status, code } of answers) {
    const name = `${plan} ${status}${code === undefined ? "" : ` ${code}`}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

/** Returns the longest time between two scores of each wallet, from the start to the end. */
export function longestWaits(
  answers: readonly CapacityAnswer[],
  [start, end]: readonly [number, number],
): Map<string, number> {
  const wallets = Map.groupBy(answers, ({ wallet }) => wallet);
  return new Map(
    [...wallets].map(([wallet, own]) => {
      const served = own.filter(({ status }) => status === 200)
        .map(({ at }) => at);
      const times = [start, ...served, end].sort((a, b) => a - b);
      let longest = 0;
      for (let nth = 1; nth < times.length; nth++) {
        longest = Math.max(longest, times[nth]! - times[nth - 1]!);
      }
      return [wallet, longest];
    }),
  );
}

/** How long each call to a source and to the database takes while rounds are counted. */
const ROUND_MS = 1_000;

/** Counts the calls of a cold keyed read that wait for each other, to the database and to sources. */
export async function countRounds(persona: "ordinary" | "heavy") {
  const limits = { EXPLORER_CALLS_PER_SECOND: "1000" };
  using service = await virtualService(limits, {
    latencyMs: () => ROUND_MS,
    storeLatencyMs: ROUND_MS,
  });
  const { app, deps, run } = service;
  const wallet = exampleOf("new");
  const creating = createApiKey(deps, { wallet, name: "test" });
  await run(creating);
  const headers = { "X-Api-Key": (await creating)!.key };
  let start = 0;
  // The first ones ask the node for its chain, and the database for the key and the limits.
  for (let nth = 0; nth < 3; nth++) {
    await run(service.sleep(ROUND_MS * 30));
    start = deps.now().getTime();
    const path = `/api/v1/score/${exampleOf(persona, nth)}`;
    const info = { remoteAddr: { hostname: "198.51.100.1" } };
    await run(Promise.resolve(app.request(path, { headers }, info)));
  }
  return (deps.now().getTime() - start) / ROUND_MS;
}
