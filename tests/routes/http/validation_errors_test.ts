/** Refused input: said in the words of the house, with what is accepted. */
import { assertEquals } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";
import { newOwner } from "../../support/owners.ts";

const ADDRESS = exampleOf("ordinary");
const ACTIONS = "session, key.create, key.revoke, key.rotate";
const MANY = Array.from({ length: 51 }, () => ADDRESS);

type Refusal = readonly [body: unknown, problem: string];

const BATCHES: readonly Refusal[] = [
  [{ addresses: MANY }, "51 addresses: accepted are 1 to 50"],
  [{ addresses: [] }, "0 addresses: accepted are 1 to 50"],
  [
    {},
    "the body: addresses is missing: accepted is an array of 1 to 50 addresses",
  ],
  [
    { addresses: ADDRESS },
    `addresses "${ADDRESS}": accepted is an array of 1 to 50 addresses`,
  ],
  [
    { addresses: [ADDRESS, "0x12"] },
    'addresses[1] "0x12": accepted is a C-Chain address: 0x and 40 hexadecimal digits',
  ],
  [
    { addresses: [ADDRESS], chain: 1 },
    'field "chain": accepted fields are addresses',
  ],
  [[], 'the body "[]": accepted is a JSON object with addresses'],
  [null, 'the body "null": accepted is a JSON object with addresses'],
];

const CHALLENGES: readonly Refusal[] = [
  [{}, `the body: action is missing: accepted values are ${ACTIONS}`],
  [
    { address: ADDRESS, action: "pay" },
    `action "pay": accepted values are ${ACTIONS}`,
  ],
  [
    null,
    'the body "null": accepted is a JSON object with address, action, and what the action takes',
  ],
  [
    { address: ADDRESS, action: "session", foo: 1, bar: 2 },
    'fields "foo", "bar": accepted fields are address, action',
  ],
  [
    { address: ADDRESS, action: "key.rotate", keyId: "1", graceSeconds: 1.5 },
    'keyId "1": accepted is the id of a key; graceSeconds "1.5": accepted is a whole number from 0 to 604800',
  ],
  [
    { action: "session" },
    "the body: address is missing: accepted is a C-Chain address: 0x and 40 hexadecimal digits",
  ],
];

const KEYS: readonly Refusal[] = [
  [
    { nonce: "abcdefgh", signature: "0x12", keyName: "a", kind: "live", x: 1 },
    'field "x": accepted fields are nonce, signature, message, keyName, kind',
  ],
  [
    {
      nonce: "abcdefgh",
      signature: "0x12",
      keyName: "a",
      message: "a".repeat(5_000),
    },
    `message "${"a".repeat(60)}…": accepted is the message of the challenge`,
  ],
];

Deno.test("a refused body is told in our words what it is and what is accepted", async (t) => {
  using deps = await testDeps();
  const { batch } = await enrol(deps, { plan: "builder" });
  const owner = newOwner(deps);
  await owner.signIn();
  const cases = {
    "/score/batch": { refusals: BATCHES, send: batch },
    "/challenges": { refusals: CHALLENGES, send: sendTo("/challenges") },
    "/keys": { refusals: KEYS, send: sendTo("/keys") },
  };
  function sendTo(path: string) {
    return (body: unknown) => owner.call("POST", path, { body });
  }
  for (const [path, { refusals, send }] of Object.entries(cases)) {
    for (const [body, problem] of refusals) {
      await t.step(`${path} ${problem}`, async () => {
        const answer = await send(body);
        assertEquals(answer.status, 400);
        const { error, code } = answer.body;
        assertEquals([error, code], [
          `Cannot accept ${problem}`,
          "BAD_REQUEST",
        ]);
      });
    }
  }
});

Deno.test("facts of a refusal name the parameter, and the values that one is of", async () => {
  using deps = await testDeps();
  const { call } = newOwner(deps);
  const { body } = await call("POST", "/challenges", { body: {} });
  assertEquals(
    [body.parameter, body.accepted],
    ["action", ACTIONS.split(", ")],
  );
});
