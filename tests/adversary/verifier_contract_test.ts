/**
 * The verifier contract on a real node: no signature blocks a subject's later
 * ones, and a stolen owner key can be replaced.
 */
import { assertEquals } from "@std/assert";
import { zeroAddress } from "viem";
import { onNode, startAnvil } from "../support/evm/anvil.ts";
import { START } from "../support/deps.ts";
import { openVerifier } from "../support/evm/score_verifier.ts";

const SKEW_S = 60;
const LIFETIME_S = 7 * 24 * 3600;
const DELAY_S = 2 * 24 * 3600;
const NONCES_A_SECOND = 1_000_000;

/** Deploys the contract on a node of its own. */
async function start() {
  const anvil = await startAnvil({ startsAt: Date.parse(START) });
  const verifier = await openVerifier(anvil);
  const now = async () => Number((await anvil.client.getBlock()).timestamp);
  return {
    ...verifier,
    now,
    stranger: anvil.accounts[2]!,
    [Symbol.asyncDispose]: () => anvil[Symbol.asyncDispose](),
  };
}

onNode.test("a signed nonce of a later time is refused, so that it cannot make a subject's later attestations unusable", async () => {
  await using verifier = await start();
  const { sign, refusal, accept, now, passTo } = verifier;
  const greatest = 2n ** 256n - 1n;
  const bricking = await sign({ nonce: String(greatest) });
  const most = BigInt(((await now()) + SKEW_S) * NONCES_A_SECOND);
  assertEquals(
    await refusal("accept", [bricking.message, bricking.signature]),
    ["NonceFromFuture", greatest, most],
  );
  const ahead = await sign({ nonce: String(most + 1n) });
  assertEquals(
    await refusal("accept", [ahead.message, ahead.signature]),
    ["NonceFromFuture", most + 1n, most],
  );
  await passTo((await now()) + 1);
  await accept(ahead);
  await passTo((await now()) + 2 * SKEW_S);
  await accept(await sign({ nonce: String(most + 2n) }));
});

onNode.test("an attestation that lives longer than seven days is refused", async () => {
  await using verifier = await start();
  const { sign, refusal, accept, now } = verifier;
  const issuedAt = await now();
  const lives = (seconds: number | bigint) =>
    sign({
      issuedAt: String(issuedAt),
      expiresAt: String(BigInt(issuedAt) + BigInt(seconds)),
    });
  for (const seconds of [BigInt(LIFETIME_S + 1), 2n ** 255n]) {
    const { message, signature } = await lives(seconds);
    assertEquals(await refusal("accept", [message, signature]), [
      "LifetimeTooLong",
      BigInt(issuedAt),
      BigInt(issuedAt) + seconds,
    ]);
  }
  await accept(await lives(LIFETIME_S));
});

onNode.test("the ownership changes in two steps with two days between, and the owner can cancel", async () => {
  await using verifier = await start();
  const { manage, now, owner, passTo, read, refusal, stranger, subject } =
    verifier;
  const next = stranger.address;

  await manage("transferOwnership", [next]);
  const from = (await now()) + DELAY_S;
  assertEquals(await read("ownershipFrom", []), BigInt(from));
  const early = ["OwnershipNotYetTransferable", BigInt(from)];
  assertEquals(await refusal("acceptOwnership", [], stranger), early);
  await passTo(from - 1);
  assertEquals(await read("owner", []), owner.address);

  // The owner sees the transfer, which a thief of its key may have started.
  await manage("cancelOwnershipTransfer", []);
  await passTo(from + 10);
  const refused = (who: string) => ["OwnableUnauthorizedAccount", who];
  assertEquals(
    await refusal("acceptOwnership", [], stranger),
    refused(next),
  );

  // Starting again starts the delay again.
  await manage("transferOwnership", [next]);
  await passTo((await now()) + DELAY_S - 10);
  await manage("transferOwnership", [next]);
  const again = (await now()) + DELAY_S;
  await passTo(again - 1);
  assertEquals(await refusal("acceptOwnership", [], stranger), [
    "OwnershipNotYetTransferable",
    BigInt(again),
  ]);
  await passTo(again);
  assertEquals(
    await refusal("acceptOwnership", [], subject),
    refused(subject.address),
  );
  for (const functionName of ["transferOwnership", "addSigner"]) {
    assertEquals(
      await refusal(functionName, [next], subject),
      refused(subject.address),
    );
  }
  assertEquals(
    await refusal("cancelOwnershipTransfer", [], stranger),
    refused(next),
  );
  await manage("acceptOwnership", [], stranger);
  assertEquals(await read("owner", []), next);
  assertEquals(await read("pendingOwner", []), zeroAddress);
  assertEquals(await read("ownershipFrom", []), 0n);
  assertEquals(
    await refusal("addSigner", [next], owner),
    refused(owner.address),
  );
});

onNode.test("the contract always has an owner: renouncing is refused", async () => {
  await using verifier = await start();
  const { owner, read, refusal } = verifier;
  assertEquals(await refusal("renounceOwnership", [], owner), [
    "OwnershipNotRenounceable",
  ]);
  assertEquals(await read("owner", []), owner.address);
});
