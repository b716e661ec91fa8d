// deno-lint-ignore-file no-console -- the command prints on the console.
import { SERVICE } from "../../../services/platform/rate_limit/requesters.ts";
import { assertEquals } from "@std/assert";
import { scoreAddress } from "../../../services/operator/score_commands.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { LATER } from "../../support/scores/later_model.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";

const ADDRESS = exampleOf("ordinary");

/** Runs the command, and returns its exit status and what it printed. */
async function run(deps: TestDeps, ...args: string[]) {
  const printed: string[] = [];
  const original = console.log;
  console.log = (text: string) => printed.push(text);
  try {
    const status = await scoreAddress.run(deps, args);
    return { status, text: printed.join("\n") };
  } finally {
    console.log = original;
  }
}

Deno.test("operator score prints the stored score by the current model, and by another one of the schedule", async () => {
  using base = await testDeps();
  const modelSchedule = [
    { model: S4_2026_3, announcedOn: null },
    { model: LATER, announcedOn: "2027-01-01" },
  ];
  const deps = { ...base, modelSchedule };
  const none = await run(deps, ADDRESS);
  assertEquals(none, { status: 1, text: "no signals are stored" });
  const read = await readScore(deps, ADDRESS, { requester: SERVICE });
  const current = await run(deps, ADDRESS);
  assertEquals([current.status, JSON.parse(current.text)], [0, read]);
  const later = await run(deps, ADDRESS, "--model", LATER.id);
  assertEquals(JSON.parse(later.text).model, LATER.id);
});

Deno.test("operator score prints the model in use while another one is announced", async () => {
  using base = await testDeps();
  const modelSchedule = [
    { model: S4_2026_3, announcedOn: null },
    { model: LATER, announcedOn: "2026-11-20" },
  ];
  const deps = { ...base, modelSchedule };
  const { next: _, ...read } = await readScore(deps, ADDRESS, {
    requester: SERVICE,
  });
  const { text } = await run(deps, ADDRESS);
  assertEquals(JSON.parse(text), read);
  assertEquals(read.model, S4_2026_3.id);
});

Deno.test("operator score refuses what is no address and no model", async () => {
  using deps = await testDeps();
  assertEquals((await run(deps, "0x1")).status, 2);
  assertEquals(await run(deps, ADDRESS, "--model", "s5"), {
    status: 2,
    text: 'Invalid model "s5": expected one of s4-2026.3',
  });
});
