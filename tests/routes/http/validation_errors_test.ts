/** Messages of invalid input: the parameter, the value and what is expected. */
import { assertEquals } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";

const ADDRESS = exampleOf("ordinary");
const ACTIONS = "session, key.create, key.limit, key.revoke, key.rotate";
const MANY = Array.from({ length: 51 }, () => ADDRESS);

type Case = readonly [body: unknown, message: string];

const BATCHES: readonly Case[] = [
  [{ addresses: MANY }, "Invalid addresses: given 51, expected 1 to 50"],
  [{ addresses: [] }, "Invalid addresses: given 0, expected 1 to 50"],
  [
    {},
    "Missing addresses: expected an array of 1 to 50 addresses",
  ],
  [
    { addresses: ADDRESS },
    `Invalid addresses "${ADDRESS}": expected an array of 1 to 50 addresses`,
  ],
  [
    { addresses: [ADDRESS, "0x12"] },
    'Invalid addresses[1] "0x12": expected a C-Chain address: 0x and 40 hexadecimal digits',
  ],
  [
    { addresses: [ADDRESS], chain: 1 },
    'Unknown field "chain": expected addresses',
  ],
  [[], 'Invalid body "[]": expected a JSON object with addresses'],
  [null, 'Invalid body "null": expected a JSON object with addresses'],
];

const CHALLENGES: readonly Case[] = [
  [{}, `Missing action: expected one of ${ACTIONS}`],
  [
    { address: ADDRESS, action: "pay" },
    `Invalid action "pay": expected one of ${ACTIONS}`,
  ],
  [
    null,
    'Invalid body "null": expected a JSON object with address, action and the parameters of the action',
  ],
  [
    { address: ADDRESS, action: "session", foo: 1, bar: 2 },
    'Unknown fields "foo", "bar": expected one of address, action',
  ],
  [
    { address: ADDRESS, action: "key.rotate", keyId: "1", graceSeconds: 1.5 },
    'Invalid keyId "1": expected the id of a key; invalid graceSeconds "1.5": expected a whole number from 0 to 604800',
  ],
  [
    { action: "session" },
    "Missing address: expected a C-Chain address: 0x and 40 hexadecimal digits",
  ],
];

const KEYS: readonly Case[] = [
  [
    { nonce: "abcdefgh", signature: "0x12", keyName: "a", kind: "live", x: 1 },
    'Unknown field "x": expected one of nonce, signature, message, keyName, kind, limits',
  ],
  [
    {
      nonce: "abcdefgh",
      signature: "0x12",
      keyName: "a",
      message: "a".repeat(5_000),
    },
    `Invalid message "${
      "a".repeat(60)
    }…": expected the message of the challenge`,
  ],
];

Deno.test("an invalid body gets a message with the field, the value and what is expected", async (t) => {
  using deps = await testDeps();
  const { batch } = await enrol(deps, { plan: "builder" });
  const owner = newOwner(deps);
  await owner.signIn();
  const cases = {
    "/score/batch": { bodies: BATCHES, send: batch },
    "/challenges": { bodies: CHALLENGES, send: sendTo("/challenges") },
    "/keys": { bodies: KEYS, send: sendTo("/keys") },
  };
  function sendTo(path: string) {
    return (body: unknown) => owner.call("POST", path, { body });
  }
  for (const [path, { bodies, send }] of Object.entries(cases)) {
    for (const [body, message] of bodies) {
      await t.step(`${path} ${message}`, async () => {
        const answer = await send(body);
        assertEquals(answer.status, 400);
        const { error, code } = answer.body;
        assertEquals([error, code], [
          message,
          "BAD_REQUEST",
        ]);
      });
    }
  }
});

Deno.test("an error body names the parameter and its accepted values", async () => {
  using deps = await testDeps();
  const { call } = newOwner(deps);
  const { body } = await call("POST", "/challenges", { body: {} });
  assertEquals(
    [body.parameter, body.accepted],
    ["action", ACTIONS.split(", ")],
  );
});
