/** An answer with the times that HTTP caching needs. */

/** An answer, when its data was fetched, and when it last changed (null if unknown); epoch ms. */
export interface CacheableAnswer<T> {
  readonly answer: T;
  readonly fetchedAt: number;
  readonly changedAt: number | null;
}
