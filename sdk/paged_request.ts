/** A request whose answer has many items: one answer, or item by item. */
import type { Answer } from "./facts.ts";

/** How the pages of a request are read. */
export interface Pages<Page, Item> {
  /** Reads the answer of the request itself. */
  readonly first: () => Promise<Answer<Page>>;
  /** Reads the answers one by one. */
  readonly all: () => AsyncGenerator<Answer<Page>, void, undefined>;
  /** Returns the items of an answer. */
  readonly itemsOf: (page: Page) => Iterable<Item>;
}

/**
 * A request that is sent when it is awaited, or iterated over. Await it for one
 * answer. Iterate over it for the items of all its answers, read one at a time.
 */
export class PagedRequest<Page, Item>
  implements PromiseLike<Answer<Page>>, AsyncIterable<Item> {
  readonly #pages: Pages<Page, Item>;

  /** Creates a request. */
  constructor(pages: Pages<Page, Item>) {
    this.#pages = pages;
    // React Native has no such symbol; there, `for await` calls the method of this name.
    if (Symbol.asyncIterator === undefined) {
      const iterate = () => this[Symbol.asyncIterator]();
      Object.assign(this, { "@@asyncIterator": iterate });
    }
  }

  /** Sends the request; `await` calls this. */
  then<Result = Answer<Page>, Failed = never>(
    onAnswer?: ((answer: Answer<Page>) => Result | PromiseLike<Result>) | null,
    onError?: ((error: unknown) => Failed | PromiseLike<Failed>) | null,
  ): Promise<Result | Failed> {
    return this.#pages.first().then(onAnswer, onError);
  }

  /** Reads the answers one by one. */
  pages(): AsyncGenerator<Answer<Page>, void, undefined> {
    return this.#pages.all();
  }

  /** Reads the items one by one. */
  async *[Symbol.asyncIterator](): AsyncGenerator<Item, void, undefined> {
    for await (const page of this.pages()) yield* this.#pages.itemsOf(page);
  }
}
