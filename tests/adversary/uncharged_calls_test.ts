/** Calls that a request causes and nobody pays for: one network takes none that others need. */
import { assert, assertEquals } from "@std/assert";
import type { PrivateKeyAccount } from "viem/accounts";
import { createApp } from "../../routes/app.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { simulatedGitHub } from "../../simnet/linked_accounts/github.ts";
import { asFetch } from "../../simnet/upstreams.ts";
import { enrol } from "../support/callers.ts";
import { connectionFrom } from "../support/clients.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";
import { nodeWith } from "../support/evm/rpc_node.ts";
import { claim } from "../support/graph.ts";
import { keyPair, newOwner, type Owner } from "../support/owners.ts";

/** The smart account of somebody honest. */
const HONEST = `0x${"ac".repeat(20)}`;

/** Signs as a smart account does: only its contract can tell. */
const smartAccount = (address: string) =>
  ({
    address,
    signMessage: () => Promise.resolve("0x1234"),
  }) as unknown as PrivateKeyAccount;

/** The calls of a node in a minute, and the part that one network may take of them by changes. */
const NODE_CALLS = 80;
const NETWORK_PART = NODE_CALLS / 4;

/** Opens a service whose node has a contract at every address; only the honest account's accepts. */
async function openService() {
  let calls = 0;
  const node = nodeWith({
    eth_getCode: () => "0x60",
    eth_call: (call) =>
      `${
        (call as unknown as { to: string }).to === HONEST
          ? "0x1626ba7e"
          : "0xffffffff"
      }${"0".repeat(56)}`,
  });
  const deps: TestDeps = await testDeps({
    settings: { C_CHAIN_CALLS_PER_MINUTE: String(NODE_CALLS) },
    async fetch(input, init) {
      const request = new Request(input, init);
      const isNode = new URL(request.url).host === "c-chain.test";
      const text = isNode ? await request.clone().text() : "";
      if (isNode) calls++;
      return await (/eth_call|eth_chainId|eth_getCode/.test(text)
        ? node(request)
        : asFetch(deps.upstreams)(request));
    },
  });
  return { deps, calls: () => calls };
}

/** Signs in somebody with a key pair and a profile. */
async function signInOwner(deps: TestDeps, nth: number) {
  const owner = newOwner(deps, keyPair(nth));
  await owner.signIn();
  await claim(deps, [owner.wallet]);
  return { owner, session: owner.cookie() };
}

/** Twelve wallets, and the network that they use. */
const signInTwelve = (deps: TestDeps) =>
  Promise.all(
    Array.from({ length: 12 }, (_, nth) => signInOwner(deps, nth + 1)),
  );
const CROWDED = "203.0.113.7";

/** Signs in from a network. Returns the status of the answer. */
async function signInFrom(
  owner: Owner,
  client: string,
): Promise<number> {
  const asked = { address: owner.signer.address, action: "session" };
  const { status, body } = await owner.call("POST", "/challenges", {
    body: asked,
    client,
  });
  if (status !== 200) return status;
  const { nonce, message } = body;
  const signature = await owner.signer.signMessage({ message });
  const proof = { nonce, message, signature };
  return (await owner.call("POST", "/session", { body: proof, client })).status;
}

Deno.test("bogus sign-ins of one IPv6 site take a quarter of a node's calls: others sign in, and free and paid scores are read", async () => {
  const { deps, calls } = await openService();
  using _ = deps;
  const statuses: number[] = [];
  for (let nth = 0; nth < 60; nth++) {
    const bogus = newOwner(
      deps,
      smartAccount(`0x${(nth + 1).toString(16).padStart(40, "b")}`),
    );
    statuses.push(
      await signInFrom(bogus, `2001:db8:1:${(nth << 8).toString(16)}::1`),
    );
  }
  assert(statuses.includes(401), "the contract was asked");
  assert(!statuses.includes(200));
  assertEquals(calls(), NETWORK_PART);

  const honest = newOwner(deps, smartAccount(HONEST));
  assertEquals(await signInFrom(honest, "198.51.100.1"), 200);
  for (const plan of ["free", "builder"] as const) {
    const { key } = await enrol(deps, {
      plan,
      wallet: `0x${plan.padStart(40, "a")}`,
    });
    for (let nth = 0; nth < 3; nth++) {
      const address = exampleOf("new", nth + (plan === "free" ? 0 : 3));
      const response = await createApp(deps).request(
        `/api/v1/score/${address}`,
        { headers: { "X-Api-Key": key } },
        connectionFrom("198.51.100.2"),
      );
      assertEquals(response.status, 200, await response.text());
    }
  }
});

Deno.test("what is refused without the contract asks no node: empty bodies, unknown keys, foreign messages", async () => {
  const { deps, calls } = await openService();
  using _ = deps;
  const owner = newOwner(deps, smartAccount(HONEST));
  await owner.signIn();
  const before = calls();
  const params = { keyName: "CI", kind: "live" };
  const ofAnother = await owner.prove("key.create", params);
  const bodies: [method: string, path: string, body: object][] = [
    ["POST", "/keys", {}],
    ["POST", "/keys", { ...params, nonce: "x", signature: "0x" }],
    ["POST", "/keys", { ...params, nonce: "a".repeat(22), signature: "0x12" }],
    ["POST", "/keys", { ...params, ...ofAnother, keyName: "another" }],
    ["DELETE", "/keys/none", {}],
  ];
  for (let round = 0; round < 40; round++) {
    for (const [method, path, body] of bodies) {
      const { status } = await owner.call(method, path, { body });
      assert([400, 401, 404, 429].includes(status), `${path}: ${status}`);
    }
  }
  assertEquals(calls(), before);
});

Deno.test("invented codes of twelve wallets of one network leave the calls to GitHub that others need", async () => {
  const callback = "http://localhost:8000/account/link/github";
  const app = { clientId: "firn", clientSecret: "s", redirectUri: callback };
  const gitHub = simulatedGitHub(app);
  let calls = 0;
  using deps = await testDeps({
    settings: {
      GITHUB_CLIENT_ID: app.clientId,
      GITHUB_CLIENT_SECRET: app.clientSecret,
      GITHUB_URL: "http://github.test",
      GITHUB_API_URL: "http://github.test",
    },
    async fetch(input, init) {
      calls++;
      return await gitHub(new Request(input, init));
    },
  });
  const service = createApp(deps);

  /** Links an account, with the code that GitHub gives or an invented one. Returns the status. */
  async function link(owner: Owner, session: string, client: string, {
    isInvented = false,
  } = {}): Promise<number> {
    const started = await owner.call("POST", "/socials/github", {
      headers: { Cookie: session },
      client,
    });
    if (started.status !== 200) return started.status;
    const { url } = started.body;
    const granted = await gitHub(
      new Request(url, {
        method: "POST",
        body: new URLSearchParams({ account: "1420001" }),
      }),
    );
    const back = new URL(granted.headers.get("Location")!);
    if (isInvented) back.searchParams.set("code", "invented");
    const response = await service.request(
      back.pathname + back.search,
      { headers: { Cookie: `${session}; ${owner.cookie()}` } },
      connectionFrom(client),
    );
    await response.body?.cancel();
    return response.status;
  }

  const wallets = await signInTwelve(deps);
  const statuses: number[] = [];
  for (let round = 0; round < 10; round++) {
    for (const { owner, session } of wallets) {
      const options = { isInvented: true };
      statuses.push(await link(owner, session, CROWDED, options));
    }
  }
  assert(!statuses.includes(200));
  assert(statuses.includes(429), "the part of the network is used up");
  assertEquals(calls, 30, "of 120 a minute");
  const { owner, session } = await signInOwner(deps, 20);
  assertEquals(await link(owner, session, "198.51.100.1"), 200);
});

Deno.test("domains that twelve wallets of one network verify again and again leave the look-ups that others need", async () => {
  const zones: Record<string, { txt: string[][] }> = {};
  using deps = await testDeps({ zones });
  const claimDomain = async (owner: Owner, domain: string, client: string) => {
    const body = { domain };
    const { status, body: claimed, text } = await owner.call(
      "POST",
      "/socials/domain",
      { body, client },
    );
    assertEquals(status, 200, text);
    return claimed.record;
  };
  const verify = async (owner: Owner, domain: string, client: string) => {
    const path = "/socials/domain/verify";
    return (await owner.call("POST", path, { body: { domain }, client }))
      .status;
  };
  const wallets = await signInTwelve(deps);
  const statuses: number[] = [];
  for (const [nth, { owner }] of wallets.entries()) {
    await claimDomain(owner, `crowd${nth}.com`, CROWDED);
  }
  for (let round = 0; round < 4; round++) {
    for (const [nth, { owner }] of wallets.entries()) {
      statuses.push(await verify(owner, `crowd${nth}.com`, CROWDED));
    }
  }
  const refused = statuses.filter((status) => status === 429).length;
  assertEquals(statuses.length - refused, 30, "of 120 a minute");
  const { owner } = await signInOwner(deps, 20);
  const client = "198.51.100.1";
  const record = await claimDomain(owner, "firn.network", client);
  zones[record.name] = { txt: [[record.value]] };
  assertEquals(await verify(owner, "firn.network", client), 200);
});
