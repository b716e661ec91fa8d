/** Preloaded before `main.ts` in a soak: collects garbage and prints the heap size every ten seconds. */

const EVERY_MS = 10_000;

declare const gc: () => void;

const timer = setInterval(() => {
  gc();
  const { heapUsed, external } = Deno.memoryUsage();
  // deno-lint-ignore no-console
  console.log(`heap ${Date.now()} ${heapUsed + external}`);
}, EVERY_MS);
Deno.unrefTimer(timer);
