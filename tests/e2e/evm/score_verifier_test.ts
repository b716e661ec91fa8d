/** The verifier contract on a real node: what it accepts, and the error of each refusal. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assertEquals, assertRejects } from "@std/assert";
import { verifyTypedData as verifyByEthers } from "ethers";
import {
  type Address,
  getAddress,
  type Hex,
  parseSignature,
  verifyTypedData,
} from "viem";
import { privateKeyToAccount } from "viem/accounts";
import { signScore } from "../../../services/attestations/attestations.ts";
import { onNode, startAnvil } from "../../support/evm/anvil.ts";
import { SIGNER, SIGNER_KEY, SIGNING } from "../../support/attestations.ts";
import { START, testDeps } from "../../support/deps.ts";
import { twinOf } from "../../support/owners.ts";
import { openVerifier, type Signed } from "../../support/evm/score_verifier.ts";
import { settle } from "../../support/evm/usdc.ts";

const HOUR_S = 3600;
const DELAY_S = 2 * 24 * HOUR_S;
const START_S = Date.parse(START) / 1000;
const signer = privateKeyToAccount(SIGNER_KEY);
const next = privateKeyToAccount(`0x${"88".repeat(32)}`);

onNode.test("attestations of the service are accepted by the contract, viem and ethers", async () => {
  await using anvil = await startAnvil({ startsAt: Date.parse(START) });
  const verifier = await openVerifier(anvil);
  const { address, subject } = verifier;
  using deps = await testDeps({
    settings: { ...SIGNING, ATTESTATION_CONTRACT: address },
  });
  const signed = await signScore(
    deps,
    subject.address.toLowerCase(),
    7 * 24 * HOUR_S,
    SERVICE,
  );
  const sent = JSON.parse(JSON.stringify(signed));
  const { domain, types, message, signature } = sent;
  assertEquals(
    await verifyTypedData({ ...sent, address: SIGNER as Address }),
    true,
  );
  assertEquals(
    verifyByEthers(domain, types, message, signature),
    signer.address,
  );
  assertEquals(
    await verifier.read("digestOf", [message]),
    sent.digest,
  );
  assertEquals(
    await verifier.read("verify", [message, signature]),
    signer.address,
  );
  assertEquals(await verifier.accept(sent), {
    subject: subject.address,
    signer: signer.address,
    score: BigInt(message.score),
    humanity: BigInt(message.humanity),
    tier: message.tier,
    verifiedHuman: message.verifiedHuman,
    expiresAt: BigInt(message.expiresAt),
    nonce: BigInt(message.nonce),
  });

  deps.advance(1);
  const newer = await signScore(
    deps,
    subject.address.toLowerCase(),
    HOUR_S,
    SERVICE,
  );
  await verifier.accept(newer as never);
  for (const used of [sent, newer]) {
    assertEquals(
      await verifier.refusal("accept", [used.message, used.signature]),
      ["NonceUsed", BigInt(used.message.nonce), BigInt(newer.message.nonce)],
    );
  }
});

onNode.test("the contract refuses each invalid attestation with its own error", async (t) => {
  await using anvil = await startAnvil({ startsAt: Date.parse(START) });
  const verifier = await openVerifier(anvil);
  const { sign, subject } = verifier;
  const stranger = anvil.accounts[2]!;
  const nonce = START_S * 1_000_000;
  await verifier.accept(
    await sign({ score: "30", nonce: String(nonce + 5) }),
  );
  const later = { nonce: String(nonce + 6) };
  const good = await sign(later);
  const signature = twinOf(good.signature);
  const now = Number((await anvil.client.getBlock()).timestamp);

  const cases: [name: string, signed: Signed, error: unknown[]][] = [
    [
      "an older, better score",
      await sign({ score: "99", tier: 5, nonce: String(nonce + 4) }),
      ["NonceUsed", BigInt(nonce + 4), BigInt(nonce + 5)],
    ],
    [
      "an attestation that expires now",
      await sign({ ...later, expiresAt: String(now) }),
      ["AttestationExpired", BigInt(now)],
    ],
    [
      "an attestation from the future",
      await sign({ ...later, issuedAt: String(now + HOUR_S) }),
      ["AttestationFromFuture", BigInt(now + HOUR_S)],
    ],
    [
      "an attestation of another subject",
      await sign({ ...later, subject: stranger.address }),
      ["NotTheSubject", stranger.address, subject.address],
    ],
    [
      "an attestation of an unknown signer",
      await sign(later, { by: stranger }),
      ["SignerUnknown", stranger.address],
    ],
    [
      "the malleable twin of a signature",
      { ...good, signature },
      ["ECDSAInvalidSignatureS", parseSignature(signature).s],
    ],
    [
      "a truncated signature",
      { ...good, signature: good.signature.slice(0, -2) as Hex },
      ["ECDSAInvalidSignatureLength", 64n],
    ],
  ];
  for (const [name, signed, error] of cases) {
    await t.step(name, async () => {
      const args = [signed.message, signed.signature];
      assertEquals(await verifier.refusal("accept", args), error);
      const hash = await verifier.send(signed);
      await assertRejects(() => settle(anvil, hash), Error, "it failed");
    });
  }

  // A signature over other data recovers an unknown signer.
  const elsewhere: [name: string, signed: Signed][] = [
    ["another chain", await sign(later, { chainId: 43_113 })],
    [
      "another contract",
      await sign(later, { verifyingContract: stranger.address }),
    ],
    ["another score", { ...good, message: { ...good.message, score: "99" } }],
    ["another expiry", {
      ...good,
      message: { ...good.message, expiresAt: String(now + HOUR_S) },
    }],
  ];
  for (const [name, { message, signature }] of elsewhere) {
    await t.step(name, async () => {
      const [error] = await verifier.refusal("accept", [message, signature]);
      assertEquals(error, "SignerUnknown");
    });
  }
  await verifier.accept(good);
});

onNode.test("a signer is accepted two days after it was added, until it is revoked", async () => {
  await using anvil = await startAnvil({ startsAt: Date.parse(START) });
  const verifier = await openVerifier(anvil);
  const { sign, refusal, manage, owner, subject } = verifier;
  const nonces = Array.from({ length: 3 }, (_, nth) => String(nth + 1));
  const [old, fresh, last] = await Promise.all([
    sign({ nonce: nonces[0]! }),
    sign({ nonce: nonces[1]! }, { by: next }),
    sign({ nonce: nonces[2]! }),
  ]);
  const args = [fresh.message, fresh.signature];

  await manage("addSigner", [next.address]);
  const activeFrom = Number((await anvil.client.getBlock()).timestamp) +
    DELAY_S;
  const early = ["SignerNotYetActive", next.address, BigInt(activeFrom)];
  assertEquals(await refusal("accept", args), early);
  await verifier.passTo(activeFrom - 1);
  assertEquals(await refusal("accept", args), early);
  await verifier.accept(old);
  await verifier.passTo(activeFrom + 10);
  await verifier.accept(fresh);

  await manage("revokeSigner", [signer.address]);
  const revoked = ["SignerIsRevoked", signer.address];
  assertEquals(
    await refusal("accept", [last.message, last.signature]),
    revoked,
  );
  assertEquals(await refusal("addSigner", [signer.address], owner), revoked);
  assertEquals(await refusal("addSigner", [next.address], owner), [
    "SignerAlreadyAdded",
    next.address,
  ]);
  for (const functionName of ["addSigner", "revokeSigner"]) {
    assertEquals(await refusal(functionName, [getAddress(SIGNER)]), [
      "OwnableUnauthorizedAccount",
      subject.address,
    ]);
  }
});
