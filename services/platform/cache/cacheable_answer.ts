/** An answer and the instants that HTTP caching needs. */

/** An answer, when its data was read, and when it last changed if known; epoch ms. */
export interface CacheableAnswer<T> {
  readonly answer: T;
  readonly fetchedAt: number;
  readonly changedAt: number | null;
}
