/** The turn in which work uses the main thread, and waits outside of it. */
import { AsyncLocalStorage } from "node:async_hooks";

/** A turn of the main thread. */
export interface Turn {
  /** Gives the turn to others until what is waited for has ended. Returns its result. */
  readonly outside: <T>(wait: () => Promise<T>) => Promise<T>;
}

/** The turn of the work under way; none for work that no queue limits. */
const current = new AsyncLocalStorage<Turn | undefined>();

/** Works in a turn. */
export function workIn<T>(turn: Turn, work: () => Promise<T>): Promise<T> {
  return current.run(turn, work);
}

/** Waits for an upstream outside of the turn of the work under way, if it has one. What is waited for has none. */
export function waitOutside<T>(wait: () => Promise<T>): Promise<T> {
  const turn = current.getStore();
  return turn === undefined
    ? wait()
    : turn.outside(() => current.run(undefined, wait));
}
