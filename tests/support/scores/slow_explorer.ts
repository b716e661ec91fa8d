/** An explorer index that answers when the test says so. */
import type { TestDeps } from "../deps.ts";

/** Returns dependencies whose explorer index waits for `answer`. */
export function withSlowExplorer(
  deps: TestDeps,
): { readonly slow: TestDeps; readonly answer: () => void } {
  const answering = Promise.withResolvers<void>();
  const { explorer } = deps.upstream;
  const slow: TestDeps = {
    ...deps,
    upstream: {
      ...deps.upstream,
      explorer: {
        ...explorer,
        async readAccount(...asked) {
          await answering.promise;
          return await explorer.readAccount(...asked);
        },
      },
    },
  };
  return { slow, answer: answering.resolve };
}
