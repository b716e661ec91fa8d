/** Workloads of wallets: sign in, manage keys, follow each other, and pay. */
import { assert, assertEquals } from "@std/assert";
import {
  type Address,
  createWalletClient,
  encodeFunctionData,
  http,
} from "viem";
import {
  generatePrivateKey,
  type PrivateKeyAccount,
  privateKeyToAccount,
} from "viem/accounts";
import { DEMO_ACCOUNTS } from "../../simnet/demo_wallet/demo_accounts.ts";
import { USDC_ABI, USDC_ADDRESS } from "../../simnet/c_chain/usdc.ts";
import { keyPair, type Owner } from "../../tests/support/owners.ts";
import { type Client, pause, type Workload } from "./client.ts";
import type { Environment } from "./environment.ts";

/** Number of wallets that follow each other, and the number of their first key pair. */
const FOLLOWERS = 6;
const FOLLOWS_FROM = 7_000;

/** Final statuses of a claim: credited now, or earlier by the payment scan. */
const FINAL_STATUSES = [200, 409];

/** Statuses after which the claim is retried: not final yet, or a rate limit is reached. */
const RETRY_STATUSES = [202, 429, 503];

/** Delay between two claims if the response has no Retry-After. */
const FINALITY_MS = 3_000;

/** Returns the workloads of wallets. */
export function accountWorkloads(
  { settings }: Environment,
  end: AbortSignal,
): Workload[] {
  return [
    {
      name: "accounts and keys",
      clients: 2,
      // The service caches the last 5,000 keys: filling that cache would look like a leak.
      pauseMs: 20_000,
      run: useKeys,
    },
    {
      name: "follows and profiles",
      clients: FOLLOWERS,
      // A profile may be changed 20 times per minute.
      pauseMs: 4_000,
      run: followNext(),
    },
    {
      name: "payments",
      clients: DEMO_ACCOUNTS.length,
      pauseMs: 15_000,
      run: pay(settings.C_CHAIN_RPC_URL!, end),
    },
  ];
}

/** Signs in, creates, rotates and revokes a key, and signs out. */
async function useKeys(parent: Client): Promise<void> {
  // The number of new keys per network and day is limited.
  using client = parent.openAnother();
  const owner = client.owner(privateKeyToAccount(generatePrivateKey()));
  await owner.signIn();
  const created = await owner.createKey("soak");
  assertEquals(created.status, 201, created.text);
  const { id, key } = created.body;
  await useKey(client, key, 200);
  const rotated = await owner.rotateKey(id, 0);
  assertEquals(rotated.status, 201, rotated.text);
  await useKey(client, key, 401);
  await useKey(client, rotated.body.key, 200);
  const revoked = await owner.revokeKey(rotated.body.id);
  assertEquals(revoked.status, 204, revoked.text);
  await useKey(client, rotated.body.key, 401);
  const left = await owner.call("DELETE", "/session");
  assertEquals(left.status, 204, left.text);
}

async function useKey(
  client: Client,
  key: string,
  status: number,
): Promise<void> {
  const headers = { "X-Api-Key": key };
  await client.ask("/api/v1/usage", { headers, good: [status] });
}

/** Each wallet changes its profile and follows the next wallet; the turn after it unfollows. */
function followNext(): Workload["run"] {
  const signedIn = cachedSignIn();
  const signerOf = (nth: number) => keyPair(FOLLOWS_FROM + nth % FOLLOWERS);
  return async (client, { nth, turn }) => {
    const owner = await signedIn(client, signerOf(nth));
    const name = `Follower ${nth}, ${turn}`;
    const body = { displayName: name, slug: null, linksPublic: false };
    const saved = await owner.call("PUT", "/profile", { body });
    assertEquals(saved.status, 200, saved.text);
    const { text } = await client.ask(`/api/profiles/${owner.wallet}`);
    assertEquals(JSON.parse(text).displayName, name);
    const method = turn % 2 === 0 ? "PUT" : "DELETE";
    const path = `/follows/${signerOf(nth + 1).address}`;
    const state = await owner.call(method, path);
    assertEquals(state.status, 200, state.text);
    assertEquals(state.body.since !== null, method === "PUT", state.text);
  };
}

/** Returns a function that signs a wallet in once and then reuses its session. */
function cachedSignIn() {
  const owners = new Map<string, Owner>();
  return async (client: Client, signer: PrivateKeyAccount) => {
    const existing = owners.get(signer.address);
    if (existing) return existing;
    const owner = client.owner(signer);
    await owner.signIn();
    owners.set(signer.address, owner);
    return owner;
  };
}

/** A demo account buys a plan for a month and pays on the simulated chain. */
function pay(nodeUrl: string, end: AbortSignal): Workload["run"] {
  const signedIn = cachedSignIn();
  return async (client, { nth }) => {
    const { signer } = DEMO_ACCOUNTS[nth]!;
    const owner = await signedIn(client, signer);
    const body = { product: "builder", periods: 1 };
    const quoted = await owner.call("POST", "/quotes", { body });
    assertEquals(quoted.status, 200, quoted.text);
    const { quoteId, payTo, amount } = quoted.body;
    const txHash = await createWalletClient({ transport: http(nodeUrl) })
      .sendTransaction({
        account: signer,
        chain: null,
        to: USDC_ADDRESS,
        data: encodeFunctionData({
          abi: USDC_ABI,
          functionName: "transfer",
          args: [payTo as Address, BigInt(amount)],
        }),
      });
    for (;;) {
      const claim = { body: { quoteId, txHash } };
      const { status, headers, text } = await owner.call(
        "POST",
        "/claims",
        claim,
      );
      if (FINAL_STATUSES.includes(status) || end.aborted) return;
      assert(RETRY_STATUSES.includes(status), text);
      const seconds = Number(headers.get("Retry-After") ?? NaN);
      assert(status === 202 || seconds > 0, text);
      await pause(seconds * 1_000 || FINALITY_MS, end);
    }
  };
}
