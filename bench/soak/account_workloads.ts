/** Visitors with a wallet: they sign in, change keys, follow each other, and pay. */
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

/** Wallets that follow each other, and the first of their key pairs. */
const FOLLOWERS = 6;
const FOLLOWS_FROM = 7_000;

/** What a claim comes to in the end: credited now, or already by the job that looks for payments. */
const CLAIMED = [200, 409];

/** Not final yet; or as many transactions are looked at, for everybody, as a node may be asked for. */
const LATER = [202, 429, 503];

/** Between two questions whether a payment is final, where the answer says nothing else. */
const FINALITY_MS = 3_000;

/** Everybody who has a wallet. */
export function accountWorkloads(
  { settings }: Environment,
  over: AbortSignal,
): Workload[] {
  return [
    {
      name: "accounts and keys",
      clients: 2,
      // The last 5,000 keys are remembered: to fill that up would look like a leak.
      pauseMs: 20_000,
      run: useKeys,
    },
    {
      name: "follows and profiles",
      clients: FOLLOWERS,
      // A profile may be changed twenty times a minute.
      pauseMs: 4_000,
      run: followSomebody(),
    },
    {
      name: "payments",
      clients: DEMO_ACCOUNTS.length,
      pauseMs: 15_000,
      run: pay(settings.C_CHAIN_RPC_URL!, over),
    },
  ];
}

/** Lives the life of an account: signed in, with a key that is created, replaced and revoked. */
async function useKeys(known: Client): Promise<void> {
  // From one network only so many keys are created in a day.
  using client = known.another();
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

/** Has each wallet claim a profile, follow the next one, and leave it the turn after. */
function followSomebody(): Workload["run"] {
  const signedIn = rememberSignedIn();
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

/** Makes a function that signs each wallet in when it comes first, and then knows it. */
function rememberSignedIn() {
  const owners = new Map<string, Owner>();
  return async (client: Client, signer: PrivateKeyAccount) => {
    const held = owners.get(signer.address);
    if (held) return held;
    const owner = client.owner(signer);
    await owner.signIn();
    owners.set(signer.address, owner);
    return owner;
  };
}

/** Has a demo account buy a month of a plan, with a transfer that the node mines in its time. */
function pay(nodeUrl: string, over: AbortSignal): Workload["run"] {
  const signedIn = rememberSignedIn();
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
      if (CLAIMED.includes(status) || over.aborted) return;
      assert(LATER.includes(status), text);
      const seconds = Number(headers.get("Retry-After") ?? NaN);
      assert(status === 202 || seconds > 0, text);
      await pause(seconds * 1_000 || FINALITY_MS, over);
    }
  };
}
