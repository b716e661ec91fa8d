/** Operator commands for one wallet. */
import { assertEquals, assertMatch } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import {
  createKey,
  listKeys,
  revokeKey,
  scoreAddress,
} from "../../../services/operator/wallet_commands.ts";
import { WALLET } from "../../support/callers.ts";
import { runCommand } from "../../support/commands.ts";
import { testDeps } from "../../support/deps.ts";
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { LATER } from "../../support/scores/later_model.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { exampleOf } from "../../../simnet/accounts.ts";

const NAME =
  "1 to 40 letters, digits, spaces and . _ - ( ) # : / + @, no space at either end";

Deno.test("key commands refuse names that no key may have, and missing or further arguments, and change nothing", async () => {
  using deps = await testDeps();
  const { id } = (await createApiKey(deps, { wallet: WALLET, name: "mine" }))!;
  const named = (name: string) =>
    [
      createKey,
      [WALLET, "--name", name],
      `Invalid name "${name}": expected ${NAME}`,
    ] as const;
  const refused: (readonly [
    command: typeof createKey,
    args: readonly string[],
    text: string,
  ])[] = [
    named(""),
    named("\u202e<b>"),
    named("x".repeat(41)),
    [
      createKey,
      [WALLET, "bot"],
      'Unknown argument "bot": expected key create <wallet> [--name N] [--test]',
    ],
    [
      listKeys,
      [WALLET, "all"],
      'Unknown argument "all": expected key list <wallet>',
    ],
    [revokeKey, [id, "x"], 'Unknown argument "x": expected key revoke <id>'],
    [revokeKey, [], "Missing argument: expected the id of a key"],
  ];
  for (const [command, args, text] of refused) {
    const answer = await runCommand(command, deps, ...args);
    assertEquals(answer, { status: 2, text });
  }
  const { text } = await runCommand(listKeys, deps, WALLET);
  assertMatch(text, new RegExp(`^${id} .*\n1 key$`));
});

const ADDRESS = exampleOf("ordinary");

Deno.test("operator score prints the stored score by the current model, and by another one of the schedule", async () => {
  using base = await testDeps();
  const modelSchedule = [
    { model: S4_2026_3, announcedOn: null },
    { model: LATER, announcedOn: "2027-01-01" },
  ];
  const deps = { ...base, modelSchedule };
  const none = await runCommand(scoreAddress, deps, ADDRESS);
  assertEquals(none, {
    status: 1,
    text:
      `no signals of ${ADDRESS} are stored, and this command reads no source: the service reads them when it scores the address, for example with ${deps.publicUrl}/tools/score/${ADDRESS}`,
  });
  const read = await readScore(deps, ADDRESS, { requester: SERVICE });
  const current = await runCommand(scoreAddress, deps, ADDRESS);
  assertEquals([current.status, JSON.parse(current.text)], [0, read]);
  const later = await runCommand(
    scoreAddress,
    deps,
    ADDRESS,
    "--model",
    LATER.id,
  );
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
  const { text } = await runCommand(scoreAddress, deps, ADDRESS);
  assertEquals(JSON.parse(text), read);
  assertEquals(read.model, S4_2026_3.id);
});

Deno.test("operator score refuses what is no address and no model", async () => {
  using deps = await testDeps();
  assertEquals((await runCommand(scoreAddress, deps, "0x1")).status, 2);
  assertEquals(await runCommand(scoreAddress, deps, ADDRESS, "--model", "s5"), {
    status: 2,
    text: 'Invalid model "s5": expected one of s4-2026.3',
  });
});
