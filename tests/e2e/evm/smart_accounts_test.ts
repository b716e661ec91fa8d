/** Smart accounts on a real EVM node: sign-in through their contract, before and after deployment. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  type Address,
  encodeDeployData,
  getContractAddress,
  type Hex,
  parseSignature,
  serializeCompactSignature,
  serializeErc6492Signature,
  signatureToCompactSignature,
} from "viem";
import artefact from "../../../contracts/TestSmartWallet.json" with {
  type: "json",
};
import {
  confirm,
  createChallenge,
} from "../../../services/accounts/challenges.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { type Anvil, onNode, startAnvil } from "../../support/evm/anvil.ts";
import { type TestDeps, testDeps } from "../../support/deps.ts";
import { keyPair } from "../../support/owners.ts";
import { deploy, settle } from "../../support/evm/usdc.ts";

/** The CREATE2 factory of Foundry's nodes. Its calldata is a salt and a contract's creation code. */
const FACTORY = "0x4e59b44847b379578588920ca78fbf26c0b4956c";
const SALT: Hex = `0x${"00".repeat(32)}`;

const OWNER = keyPair();
const MEANT = { action: "session", params: {}, hostname: null } as const;

/** Opens dependencies whose C-Chain is a real node. */
function depsOn(anvil: Anvil): Promise<TestDeps> {
  return testDeps({
    fetch: (input, init) => {
      const { method, headers, body } = new Request(input, init);
      const sent = { method, headers, body };
      return fetch(anvil.url, { ...sent, signal: init?.signal ?? null });
    },
  });
}

/** Signs in for a wallet by its owner's signature, which `wrap` turns into the wallet's. */
async function signIn(
  deps: TestDeps,
  address: string,
  { signer = OWNER, wrap = (signature: Hex) => signature } = {},
): Promise<string> {
  const body = { address: address.toLowerCase(), action: "session" } as const;
  const { nonce, message } = await createChallenge(deps, body);
  const signature = wrap(await signer.signMessage({ message }));
  const { wallet } = await confirm(deps, { nonce, signature }, MEANT);
  return wallet;
}

async function refused(promise: Promise<string>): Promise<void> {
  const { failure } = await assertRejects(() => promise, Fault) as Fault;
  assertEquals(failure.kind, "signatureRefused");
}

onNode.test("a deployed smart account signs in through its contract (ERC-1271)", async (t) => {
  await using anvil = await startAnvil();
  using deps = await depsOn(anvil);
  const wallet = await deploy(anvil, artefact, [OWNER.address]);
  await t.step("its owner's signature is accepted", async () => {
    assertEquals(await signIn(deps, wallet), wallet.toLowerCase());
  });
  await t.step("another key's signature is refused", async () => {
    await refused(signIn(deps, wallet, { signer: keyPair(2) }));
  });
  await t.step("a contract that reverts is refused", async () => {
    await refused(signIn(deps, wallet, { wrap: () => "0x1234" }));
  });
  await t.step("a contract without ERC-1271 is refused", async () => {
    await refused(signIn(deps, FACTORY));
  });
  await t.step("an account without a contract is refused", async () => {
    await refused(signIn(deps, keyPair(3).address));
  });
  await t.step(
    "the answer is not cached: a new owner's signature is accepted",
    async () => {
      const code = await anvil.client.getCode({ address: wallet });
      await anvil.client.setCode({ address: wallet, bytecode: "0x" });
      await refused(signIn(deps, wallet));
      await anvil.client.setCode({ address: wallet, bytecode: code! });
      assertEquals(await signIn(deps, wallet), wallet.toLowerCase());
    },
  );
});

/**
 * A contract whose isValidSignature accepts a signature of no bytes alone, as wallets do
 * that approve messages on chain: it returns its selector if the bytes at 0x44, the
 * length of the signature, are 0.
 */
const APPROVES_EMPTY: Hex =
  "0x604435601657631626ba7e60e01b60005260206000f35b60006000fd";

onNode.test("an empty signature is for the contract to judge, and one of 64 bytes (ERC-2098) signs in", async (t) => {
  await using anvil = await startAnvil();
  using deps = await depsOn(anvil);
  const contract = keyPair(4).address;
  await anvil.client.setCode({ address: contract, bytecode: APPROVES_EMPTY });
  const empty = { wrap: (): Hex => "0x" };
  await t.step("the contract accepts it, and nothing else", async () => {
    assertEquals(
      await signIn(deps, contract, empty),
      contract.toLowerCase(),
    );
    await refused(signIn(deps, contract));
  });
  await t.step("a contract that wants a signature refuses it", async () => {
    const wallet = await deploy(anvil, artefact, [OWNER.address]);
    await refused(signIn(deps, wallet, empty));
  });
  await t.step("an account without a contract refuses it", async () => {
    await refused(signIn(deps, OWNER.address, empty));
  });
  const compact = {
    wrap: (signature: Hex) =>
      serializeCompactSignature(
        signatureToCompactSignature(parseSignature(signature)),
      ),
  };
  await t.step("a compact signature of a key signs in", async () => {
    assertEquals(
      await signIn(deps, OWNER.address, compact),
      OWNER.address.toLowerCase(),
    );
    await refused(signIn(deps, keyPair(3).address, compact));
  });
});

onNode.test("a smart account signs in before it is deployed (ERC-6492)", async (t) => {
  await using anvil = await startAnvil();
  using deps = await depsOn(anvil);
  const creation = encodeDeployData({
    abi: artefact.abi,
    bytecode: artefact.bytecode as Hex,
    args: [OWNER.address],
  });
  const wallet = getContractAddress({
    opcode: "CREATE2",
    from: FACTORY,
    salt: SALT,
    bytecode: creation,
  });
  const data: Hex = `${SALT}${creation.slice(2)}`;
  const wrap = (signature: Hex) =>
    serializeErc6492Signature({ address: FACTORY, data, signature });
  assertEquals(await anvil.client.getCode({ address: wallet }), undefined);
  await t.step("its owner's signature is accepted", async () => {
    assertEquals(await signIn(deps, wallet, { wrap }), wallet.toLowerCase());
  });
  await t.step("verification deploys nothing", async () => {
    assertEquals(await anvil.client.getCode({ address: wallet }), undefined);
  });
  await t.step("another key's signature is refused", async () => {
    await refused(signIn(deps, wallet, { wrap, signer: keyPair(2) }));
  });
  await t.step("a signature for another address is refused", async () => {
    await refused(signIn(deps, keyPair(3).address, { wrap }));
  });
  await t.step("the signature without its factory is refused", async () => {
    await refused(signIn(deps, wallet));
  });
  await t.step(
    "after deployment it signs in with and without the wrapper",
    async () => {
      const hash = await anvil.client.sendTransaction({
        to: FACTORY as Address,
        data,
        account: anvil.accounts[0]!,
      });
      await settle(anvil, hash);
      assert(await anvil.client.getCode({ address: wallet }));
      assertEquals(
        await signIn(deps, wallet, { wrap }),
        wallet.toLowerCase(),
      );
      assertEquals(await signIn(deps, wallet), wallet.toLowerCase());
    },
  );
});
