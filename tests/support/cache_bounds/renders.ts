/** Fills the queue of renders. */
import { renderQueue } from "../../../routes/http/render_queue.ts";
import { START } from "../deps.ts";

const networkOf = (nth: number) => `2001:db8:${nth.toString(16)}::1`;

function newRenders() {
  return renderQueue({
    now: () => new Date(START),
    sleep: () => Promise.resolve(),
    openRequestsPerMinute: 60,
  });
}

/** Starts a render of each of many networks; returns how many are accepted. */
export async function fillRenders(): Promise<number> {
  const { run } = newRenders();
  const ended = Promise.withResolvers<void>();
  let refused = 0;
  const all = Array.from(
    { length: 300 },
    (_, nth) =>
      run(networkOf(nth), () => ended.promise, { route: "/" }).catch(() =>
        refused++
      ),
  );
  await new Promise((resolve) => setTimeout(resolve, 0));
  const accepted = all.length - refused;
  ended.resolve();
  await Promise.all(all);
  await run(networkOf(0), () => Promise.resolve(), { route: "/" });
  return accepted;
}

/** Renders for many networks in turn. */
export async function fillRenderedNetworks(): Promise<void> {
  const { run } = newRenders();
  for (let nth = 0; nth < 10_500; nth++) {
    await run(networkOf(nth), () => Promise.resolve(), { route: "/" });
  }
}
