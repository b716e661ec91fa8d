/** Operator commands for keys: the arguments that they refuse. */
import { assertEquals, assertMatch } from "@std/assert";
import { createApiKey } from "../../../services/accounts/api_keys.ts";
import {
  createKey,
  listKeys,
  revokeKey,
} from "../../../services/operator/key_commands.ts";
import { WALLET } from "../../support/callers.ts";
import { runCommand } from "../../support/commands.ts";
import { testDeps } from "../../support/deps.ts";

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
