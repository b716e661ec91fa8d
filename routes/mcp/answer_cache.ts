/** Answers of open tools, kept as long as HTTP keeps its own. */
import { LRUCache } from "lru-cache";
import type { CacheableAnswer } from "../../services/platform/cache/freshness.ts";
import type { FreshnessOptions } from "../../services/platform/cache/read_through.ts";
import { singleFlight } from "../../services/platform/cache/shared_work.ts";
import type { PlatformDeps } from "../../services/platform/deps.ts";
import type { RenderQueue } from "../http/render_queue.ts";
import { isCurrent } from "../http/representation.ts";
import { type ToolAnswer, written, type WrittenAnswer } from "./tool.ts";

/** Size of the cache, in characters of JSON. */
const MAX_CHARACTERS = 8 * 2 ** 20;

/** Estimated overhead of an entry. */
const ENTRY_CHARACTERS = 512;

/** The answer as an object takes about as much memory again as its text. */
const COPIES = 2;

interface Held extends WrittenAnswer {
  readonly fetchedAt: number;
  readonly madeAt: number;
  readonly keep: null;
}

/** Makes an answer with the freshness that the client accepts. */
type MakeAnswer = (
  freshness: FreshnessOptions,
) => Promise<CacheableAnswer<ToolAnswer>>;

/** Creates the cache. Concurrent calls with one key share the work. */
export function answerCache(
  { now }: Pick<PlatformDeps, "now">,
  renders: Pick<RenderQueue, "run">,
) {
  const held = new LRUCache<string, Held>({
    maxSize: MAX_CHARACTERS,
    sizeCalculation: ({ text }) => ENTRY_CHARACTERS + COPIES * text.length,
  });
  const fly = singleFlight();

  /** Returns the answer of a key from the cache, or makes it in the turn of the client's network. */
  return (
    key: string,
    freshness: FreshnessOptions,
    make: MakeAnswer,
  ): Promise<WrittenAnswer> => {
    const found = held.get(key);
    if (found && isCurrent(found, now().getTime())) {
      return Promise.resolve(found);
    }
    const work = async () => {
      // The day may change while the answer is made.
      const madeAt = now().getTime();
      const { answer, fetchedAt } = await make(freshness);
      const made = { ...written(answer), fetchedAt, madeAt, keep: null };
      if (isCurrent(made, now().getTime())) held.set(key, made);
      return made;
    };
    const { client, maxStaleMs } = freshness;
    return fly(
      `${maxStaleMs} ${key}`,
      () => renders.run(client, work, { of: "data" }),
      client,
    );
  };
}

/** The cache. */
export type AnswerCache = ReturnType<typeof answerCache>;
