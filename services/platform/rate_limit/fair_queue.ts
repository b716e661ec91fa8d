/**
 * The order in which the waiting calls to one upstream are made. Wallets take turns
 * by weight (fair queueing: Demers, Keshav and Shenker, 1989). A score that has
 * waited too long keeps a place: a time at which its next request goes first.
 */
import type { CallClass, Limit, Priority, Requester } from "./call_budget.ts";
import { MINUTE_MS } from "../days.ts";
import { maxOf } from "../numbers.ts";

const SECOND_MS = 1_000;

/** A waiting call. */
export interface Waiting {
  readonly requester: Requester;
  readonly priority: Priority;
  readonly subject?: string | undefined;
  readonly isStarted?: boolean;
  /** When it stops waiting, epoch ms. */
  readonly until: number;
}

/** Places are spread over times of this length. */
const PART_MS = 5 * SECOND_MS;

/** The part of the calls that places may take; the rest serves who asks for the first time. */
const PLACES_SHARE = 0.75;

/** How long a place is kept after its time. */
const PLACE_KEPT_MS = 30 * SECOND_MS;

/** Places of one wallet: two minutes of a key's burst. */
const MAX_PLACES = 120;

/** A wallet that waits for longer gets every second turn. */
const HUNGRY_MS = 30 * SECOND_MS;

/** A wallet that waits for longer goes before places: it is to be answered once a minute. */
const STARVED_MS = 45 * SECOND_MS;

/** Weight of the newest read in the average of calls per read. */
const NEWEST_WEIGHT = 0.05;

/** The waiting calls of one wallet or network. */
interface Flow<T> {
  readonly waiting: T[];
  /** When each subject has its place, epoch ms. */
  readonly places: Map<string, number>;
  /** From when its next place may be, epoch ms. */
  placesUntil: number;
  weight: number;
  /** Virtual time at which its next turn starts. */
  turn: number;
  /** Since when it waits for an answer; null if it does not. */
  hungrySince: number | null;
  usedAt: number;
}

/** Creates the queue of an upstream with these limits. */
export function fairQueue<T extends Waiting>(limits: readonly Limit[]) {
  const flows = new Map<string, Flow<T>>();
  /** Places by part of time. */
  const placesIn = new Map<number, number>();
  const msPerCall = Math.max(
    0,
    maxOf(
      limits.filter(({ perMs }) => perMs <= MINUTE_MS)
        .map(({ calls, perMs }) => perMs / calls),
    ),
  );
  let virtualTime = 0;
  let callsPerRead = 1;
  let readCalls = 1;
  let isHungryTurn = false;
  let tidiedAt = 0;

  function flowOf(
    { requester, priority }: Pick<Waiting, "requester" | "priority">,
    now: number,
  ): Flow<T> {
    const name = `${priority} ${requester.parties[0]?.name ?? requester.of}`;
    let flow = flows.get(name);
    if (flow === undefined) {
      flow = {
        waiting: [],
        places: new Map(),
        placesUntil: 0,
        weight: requester.weight,
        turn: virtualTime,
        hungrySince: null,
        usedAt: now,
      };
      flows.set(name, flow);
    }
    flow.usedAt = now;
    flow.weight = requester.weight;
    return flow;
  }

  /** Forgets places whose time has passed, and who has not asked for a minute. */
  function tidy(now: number): void {
    if (Math.abs(now - tidiedAt) < SECOND_MS) return;
    tidiedAt = now;
    for (const [name, flow] of flows) {
      for (const [subject, at] of flow.places) {
        if (at + PLACE_KEPT_MS < now) removePlace(flow, subject);
      }
      const isIdle = Math.abs(now - flow.usedAt) > MINUTE_MS;
      if (isIdle && flow.waiting.length + flow.places.size === 0) {
        flows.delete(name);
      }
    }
  }

  function removePlace(flow: Flow<T>, subject: string | undefined): void {
    const at = subject === undefined ? undefined : flow.places.get(subject);
    if (at === undefined) return;
    flow.places.delete(subject!);
    const part = at / PART_MS;
    const left = (placesIn.get(part) ?? 1) - 1;
    if (left > 0) placesIn.set(part, left);
    else placesIn.delete(part);
  }

  function remove(flow: Flow<T>, call: T): void {
    const at = flow.waiting.indexOf(call);
    if (at >= 0) flow.waiting.splice(at, 1);
  }

  /** Returns how soon a call has its turn: the smaller rank first, then the smaller time. */
  function orderOf(
    flow: Pick<Flow<T>, "hungrySince" | "places" | "turn" | "weight">,
    { requester: { of }, priority, subject, isStarted }: T,
    now: number,
    isHungry = isHungryTurn,
  ): readonly [rank: number, time: number] {
    if (of === "payments") return [0, 0];
    // What has begun ends soon, so that its calls were not in vain.
    if (isStarted) return [1, 0];
    if (of === "refresh") return [7, flow.turn];
    if (of === "changes" || of === "service" && priority === "reader") {
      return [2, 0];
    }
    const hungrySince = flow.hungrySince ?? now;
    const hungryMs = now - hungrySince;
    if (hungryMs > STARVED_MS) return [3, hungrySince];
    const place = flow.places.get(subject ?? "") ?? Infinity;
    if (place <= now) return [4, place];
    return isHungry && hungryMs > HUNGRY_MS
      ? [5, hungrySince]
      : [6, flow.turn + 1 / flow.weight];
  }

  return {
    /** Adds a call. */
    enter(call: T, now: number): void {
      tidy(now);
      const flow = flowOf(call, now);
      if (flow.waiting.length === 0) {
        flow.turn = Math.max(flow.turn, virtualTime);
        flow.hungrySince ??= now;
      }
      flow.waiting.push(call);
    },

    /**
     * Returns the calls whose turns are next, of those that may be made: in their order
     * if each is served before the next one, and `most` of them at most.
     */
    next(now: number, mayCall: (call: T) => boolean, most: number): T[] {
      const waiting = [...flows.values()].map((flow) => ({
        flow: { ...flow },
        calls: flow.waiting.filter(mayCall),
      }));
      const next: T[] = [];
      let isHungry = isHungryTurn;
      while (next.length < most) {
        let best:
          | {
            of: typeof waiting[number];
            call: T;
            order: readonly [number, number];
          }
          | undefined;
        for (const of of waiting) {
          for (const call of of.calls) {
            const order = orderOf(of.flow, call, now, isHungry);
            const isFirst = best === undefined || order[0] < best.order[0] ||
              order[0] === best.order[0] && order[1] < best.order[1];
            if (isFirst) best = { of, call, order };
          }
        }
        if (best === undefined) break;
        const { of: { flow, calls }, call, order: [rank] } = best;
        next.push(call);
        calls.splice(calls.indexOf(call), 1);
        if (rank === 5 || rank === 6) isHungry = !isHungry;
        flow.weight = call.requester.weight;
        flow.turn += 1 / flow.weight;
        flow.hungrySince = now;
      }
      return next;
    },

    /** Returns the time that the waiting calls take, ms; -Infinity if a place is kept for the subject. */
    waitMs(
      call: Pick<Waiting, "requester" | "priority" | "subject">,
      now: number,
    ): number {
      const { places } = flowOf(call, now);
      if (places.has(call.subject ?? "")) return -Infinity;
      return [...flows.values()]
        .reduce((sum, { waiting }) => sum + waiting.length, 0) * msPerCall;
    },

    /** Lists all calls. */
    list: (): T[] => [...flows.values()].flatMap(({ waiting }) => waiting),

    /** Removes a call that was admitted. */
    serve(call: T, now: number): void {
      const flow = flowOf(call, now);
      const [rank] = orderOf(flow, call, now);
      if (rank === 6) virtualTime = Math.max(virtualTime, flow.turn);
      if (rank === 5 || rank === 6) isHungryTurn = !isHungryTurn;
      remove(flow, call);
      removePlace(flow, call.subject);
      flow.turn += 1 / flow.weight;
      flow.hungrySince = flow.waiting.length > 0 ? now : null;
      if (call.subject === undefined) return;
      if (call.isStarted) {
        readCalls++;
        return;
      }
      callsPerRead += NEWEST_WEIGHT * (readCalls - callsPerRead);
      readCalls = 1;
    },

    /** Removes a call that gives up. */
    leave(call: T, now: number): void {
      remove(flowOf(call, now), call);
    },

    /**
     * Keeps a place for the subject of a call, at `notBefore` or later, and returns
     * its time. The places of a wallet are spread evenly over its fair part of the
     * calls, so that it never waits for a minute between two of them.
     */
    keepPlace(call: T, now: number, notBefore = now): number {
      const flow = flowOf(call, now);
      const subject = call.subject ?? "";
      const held = flow.places.get(subject);
      if (held !== undefined && held > now && held >= notBefore) return held;
      removePlace(flow, subject);
      const callMs = Math.max(1, msPerCall * callsPerRead);
      const most = Math.max(1, Math.floor(PLACES_SHARE * PART_MS / callMs));
      const inMinute = most * MINUTE_MS / PART_MS;
      const weights = [...flows.values()]
        .filter((each) =>
          each === flow || each.waiting.length + each.places.size > 0
        )
        .reduce((sum, { weight }) => sum + weight, 0);
      const apartMs = Math.min(
        STARVED_MS,
        MINUTE_MS * weights / (inMinute * flow.weight),
      );
      const freeAt = Math.max(now + SECOND_MS, notBefore, flow.placesUntil);
      let part = Math.ceil(freeAt / PART_MS);
      while ((placesIn.get(part) ?? 0) >= most) part++;
      const at = part * PART_MS;
      if (flow.places.size < MAX_PLACES) {
        flow.placesUntil = freeAt + apartMs;
        flow.places.set(subject, at);
        placesIn.set(part, (placesIn.get(part) ?? 0) + 1);
      }
      return at;
    },
  };
}

/** The classes whose calls wait in line and keep places: scores. */
export function isScore(of: CallClass): boolean {
  return of === "plans" || of === "free";
}
