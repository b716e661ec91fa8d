/** Signed messages that were used, changed or meant for something else: refused, and used up. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import {
  keyPair,
  newOwner,
  type Owner,
  type Signed,
  twinOf,
} from "../../support/owners.ts";

const MINUTE_MS = 60_000;

/** What is sent in place of a good proof, and what for. */
interface Replay {
  readonly name: string;
  /** Makes the bad use out of a good proof for `key.create {keyName: "bot"}`. */
  readonly use: (good: Signed, test: Test) => Promise<Use> | Use;
  /**
   * Whether the case cannot show that a refusal uses up the good proof: an
   * earlier success did, or the proof was never sent.
   */
  readonly isUsed?: true;
}

interface Test {
  readonly deps: TestDeps;
  readonly owner: Owner;
}

interface Use {
  readonly method?: string;
  readonly path: string;
  readonly body: unknown;
}

const PARAMS = { keyName: "bot", kind: "live" };
const create = (proof: object, params: object = PARAMS): Use => ({
  path: "/keys",
  body: { ...proof, ...params },
});

/** Signs a changed message, so that the signature is good and the message is not. */
async function resign(
  { owner }: Test,
  { message, nonce }: Signed,
  from: string | RegExp,
  to: string,
): Promise<Signed> {
  const changed = message.replace(from, to);
  assert(changed !== message, `${from} is not in the message`);
  const signature = await owner.signer.signMessage({ message: changed });
  return { nonce, message: changed, signature };
}

const REPLAYS: readonly Replay[] = [
  {
    name: "a nonce twice",
    isUsed: true,
    async use(good, { owner }) {
      const { path, body } = create(good);
      const first = await owner.call("POST", path, { body });
      assertEquals(first.status, 201);
      return create(good);
    },
  },
  {
    name: "a nonce that never was",
    isUsed: true,
    use: (good) => create({ ...good, nonce: "x".repeat(24) }),
  },
  {
    name: "a message for another action",
    use: (good) => ({ path: "/session", body: good }),
  },
  {
    name: "a message for the same action, sent to revoke",
    use: (good) => ({
      method: "DELETE",
      path: `/keys/${crypto.randomUUID()}`,
      body: good,
    }),
  },
  {
    name: "another domain",
    async use(good, test) {
      const { message: _, ...proof } = await resign(
        test,
        good,
        /^\S+ wants/,
        "evil.example wants",
      );
      return create(proof);
    },
  },
  {
    name: "another domain, with its message",
    use: async (good, test) =>
      create(await resign(test, good, /^\S+ wants/, "evil.example wants")),
  },
  {
    name: "another chain",
    async use(good, test) {
      const { message: _, ...proof } = await resign(
        test,
        good,
        "Chain ID: 43114",
        "Chain ID: 1",
      );
      return create(proof);
    },
  },
  {
    name: "a message with one byte more",
    use: (good) => create({ ...good, message: `${good.message} ` }),
  },
  {
    name: "a message with another line end",
    use: (good) =>
      create({ ...good, message: good.message.replaceAll("\n", "\r\n") }),
  },
  {
    name: "an expired message",
    use(good, { deps }) {
      deps.advance(10 * MINUTE_MS);
      return create(good);
    },
  },
  {
    name: "a changed key name",
    use: (good) => create(good, { ...PARAMS, keyName: "bot2" }),
  },
  {
    name: "a changed kind of key",
    use: (good) => create(good, { ...PARAMS, kind: "test" }),
  },
  {
    name: "another wallet's signature",
    async use({ nonce, message }) {
      const signature = await keyPair(2).signMessage({ message });
      return create({ nonce, message, signature });
    },
  },
  {
    name: "another wallet's message and signature, in this wallet's session",
    async use(_, { deps }) {
      const other = newOwner(deps, keyPair(2));
      return create(await other.prove("key.create", PARAMS));
    },
    isUsed: true,
  },
  {
    name: "a high-s signature",
    use: (good) => create({ ...good, signature: twinOf(good.signature) }),
  },
  {
    name: "a signature of another length",
    use: (good) => create({ ...good, signature: `${good.signature}00` }),
  },
  {
    name: "a signature without a recovery bit",
    use: (good) =>
      create({ ...good, signature: `${good.signature.slice(0, -2)}05` }),
  },
  {
    name: "a signature of zeroes",
    use: (good) => create({ ...good, signature: `0x${"00".repeat(65)}` }),
  },
  {
    name: "a signature of one byte",
    use: (good) => create({ ...good, signature: "0x01" }),
  },
];

for (const { name, use, isUsed } of REPLAYS) {
  Deno.test(`${name} is a 401, and its message is used up`, async () => {
    using deps = await testDeps();
    const owner = newOwner(deps);
    await owner.signIn();
    const good = await owner.prove("key.create", PARAMS);
    const { method = "POST", path, body } = await use(good, { deps, owner });
    const countKeys = async () =>
      (await owner.call("GET", "")).body.keys.length;
    const keysBefore = await countKeys();

    const refused = await owner.call(method, path, { body });
    assertEquals(refused.status, 401, refused.text);
    assertEquals(refused.text, REFUSAL);
    assertMatch(refused.headers.get("WWW-Authenticate")!, /^EIP-4361 /);
    assertEquals(await countKeys(), keysBefore);
    if (isUsed) return;

    const again = await owner.call("POST", "/keys", {
      body: create(good).body,
    });
    assertEquals([again.status, again.text], [401, REFUSAL]);
    assertEquals(await countKeys(), keysBefore);
  });
}

/** All refusals are alike, so that none tells what was wrong. */
const REFUSAL = JSON.stringify({
  error:
    "Invalid signature: expected the wallet's signature of an unused message for this action, at most ten minutes old; request a new message",
  message:
    "Invalid signature: expected the wallet's signature of an unused message for this action, at most ten minutes old; request a new message",
  code: "SIGNATURE_REFUSED",
  docs: "/docs/errors#SIGNATURE_REFUSED",
});

Deno.test("a message is valid until its last millisecond, even if the request omits it", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { message: _, ...proof } = await owner.prove("key.create", PARAMS);
  deps.advance(10 * MINUTE_MS - 1);
  const { body } = create(proof);
  assertEquals((await owner.call("POST", "/keys", { body })).status, 201);
});

Deno.test("a changed key id or grace period is refused", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const one = (await owner.createKey("one")).body.id;
  const two = (await owner.createKey("two")).body.id;
  const rotation = { keyId: one, graceSeconds: 60 };
  const cases: [string, "key.revoke" | "key.rotate", object, Use][] = [
    ["another key to revoke", "key.revoke", { keyId: one }, {
      method: "DELETE",
      path: `/keys/${two}`,
      body: {},
    }],
    ["another key to rotate", "key.rotate", rotation, {
      path: `/keys/${two}/rotate`,
      body: { graceSeconds: 60 },
    }],
    ["a longer grace period", "key.rotate", rotation, {
      path: `/keys/${one}/rotate`,
      body: { graceSeconds: 61 },
    }],
    ["revoking in place of rotating", "key.rotate", rotation, {
      method: "DELETE",
      path: `/keys/${one}`,
      body: {},
    }],
  ];
  for (const [name, action, params, { method = "POST", path, body }] of cases) {
    await t.step(name, async () => {
      const proof = await owner.prove(action, params);
      const answer = await owner.call(method, path, {
        body: { ...proof, ...body as object },
      });
      assertEquals([answer.status, answer.text], [401, REFUSAL]);
    });
  }
  const { keys } = (await owner.call("GET", "")).body;
  assertEquals(keys.length, 2);
});

Deno.test("exactly one of many concurrent uses of a message succeeds", async () => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const { body } = create(await owner.prove("key.create", PARAMS));
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => owner.call("POST", "/keys", { body })),
  );
  const statuses = answers.map(({ status }) => status).sort();
  assertEquals(statuses, [201, ...Array.from({ length: 19 }, () => 401)]);
  assertEquals((await owner.call("GET", "")).body.keys.length, 1);
});

Deno.test("a message of the service before it moved or changed its chain is refused", async (t) => {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const moves = {
    "another domain": { ...deps, publicUrl: "https://firn.test" },
    "another chain": { ...deps, chainId: 43_113 },
  };
  for (const [name, moved] of Object.entries(moves)) {
    await t.step(name, async () => {
      const { message: _, ...body } = await owner.prove("session");
      const answer = await newOwner(moved).call("POST", "/session", { body });
      assertEquals([answer.status, answer.text], [401, REFUSAL]);
    });
  }
});
