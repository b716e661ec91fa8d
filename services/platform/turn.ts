/** The turn in which work uses the main thread, and waits outside of it. */
import { AsyncLocalStorage } from "node:async_hooks";

/** A turn of the main thread. */
export interface Turn {
  /** Gives the turn to others until what is waited for has ended. Returns its result. */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
  /** Charges a read of the sources. */
  readonly noteRead: () => void;
}

/** The turn of the work under way; none for work that no queue limits. */
const current = new AsyncLocalStorage<Turn | undefined>();

/** Works in a turn. */
export function workIn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return current.run(turn, work);
}

/**
 * Works without a turn: every request and every job begins so. In Deno 2.9 a dynamic
 * import leaves the context in which it ran, and the next request would begin in it,
 * with the turn of another client.
 */
export function workWithoutTurn<T>(work: () => T): T {
  return current.run(undefined, work);
}

/** Charges a read of the sources to the work under way, if it has a turn. */
export function noteRead(): void {
  current.getStore()?.noteRead();
}

/** Waits outside of the turn of the work under way, if it has one. What is waited for has none. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  const turn = current.getStore();
  return turn === undefined
    ? wait()
    : turn.outside(() => current.run(undefined, wait));
}

/** Returns whether the work under way has a turn. */
export function hasTurn(): boolean {
  return current.getStore() !== undefined;
}
