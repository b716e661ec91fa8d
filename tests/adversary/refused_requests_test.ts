/** A flood of refused requests is not held open. */
import { assertEquals } from "@std/assert";
import { createApp } from "../../routes/app.ts";
import { connectionFrom } from "../support/clients.ts";
import { testDeps } from "../support/deps.ts";
import { waitUntil } from "../support/wait_until.ts";

/** Floods the service while time stands still. Returns how many refusals wait, and how many closed their connection. */
async function flood(
  addressOf: (nth: number) => string,
  requests: number,
  { answered }: { readonly answered: number },
) {
  using deps = await testDeps({ settings: { FAIR_USE_PER_MINUTE: "1" } });
  const { promise: second, resolve: endSecond } = Promise.withResolvers<void>();
  const app = createApp({ ...deps, sleep: () => second });
  const ask = (nth: number) =>
    app.fetch(
      new Request(`${deps.publicUrl}/api/v1/health`),
      connectionFrom(addressOf(nth)) as never,
    );
  const answers: Response[] = [];
  const pending: Promise<unknown>[] = [];
  for (let nth = 0; nth < requests; nth++) {
    pending.push(
      Promise.resolve(ask(nth)).then((answer) => answers.push(answer)),
    );
  }
  await waitUntil(() => answers.length >= answered);
  for (let turn = 0; turn < 20; turn++) await deps.kv.get(["turn"]);
  const held = requests - answers.length;
  const closed = answers.filter(({ status, headers }) =>
    status === 429 && headers.get("Connection") === "close"
  );
  endSecond();
  await Promise.all(pending);
  await Promise.all(answers.map((answer) => answer.body?.cancel()));
  return { held, closed: closed.length };
}

Deno.test("32 refusals of a network are delayed, and the others close their connection", async () => {
  const { held, closed } = await flood(() => "192.0.2.1", 2_000, {
    answered: 2_000 - 32,
  });
  assertEquals({ held, closed }, { held: 32, closed: 2_000 - 1 - 32 });
});

Deno.test("512 refusals of all networks together are delayed", async () => {
  const address = (nth: number) => `198.51.100.${nth % 100}`;
  const { held, closed } = await flood(address, 2_000, {
    answered: 2_000 - 512,
  });
  assertEquals({ held, closed }, { held: 512, closed: 2_000 - 100 - 512 });
});
