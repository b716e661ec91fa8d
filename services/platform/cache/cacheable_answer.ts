/** An answer with the times that HTTP caching needs. */

/** An answer and its instants in epoch ms. */
export interface CacheableAnswer<T> {
  readonly answer: T;
  /** When its data was fetched. */
  readonly fetchedAt: number;
  /** When it last changed; null if unknown. */
  readonly changedAt: number | null;
  /** Whether it never changes again. */
  readonly isFinal?: boolean;
}
