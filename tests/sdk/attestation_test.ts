/** Verification of signed scores by the SDK. */
import { assert, assertEquals, assertRejects } from "@std/assert";
import { recoverTypedDataAddress as recover } from "viem";
import {
  type AttestationProblem,
  verifyAttestation,
} from "../../sdk/attestation.ts";
import type { AttestationInfo, SignedAttestation } from "../../sdk/mod.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { openFirn } from "../support/sdk/service.ts";

const SUBJECT = exampleOf("heavy");
const HOUR_MS = 3_600_000;

/** The order of secp256k1. */
const ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** A signed score, its signers, and the instant of signing. */
async function sign() {
  using service = await openFirn();
  const signed = await service.firn.signed(SUBJECT, { ttl: 3600 });
  const signers = await service.firn.signers();
  return { signed, signers, now: service.deps.now() };
}

/** The second form of a signature, which curve arithmetic accepts too. */
function mirrored(signature: string): string {
  const s = ORDER - BigInt(`0x${signature.slice(66, 130)}`);
  const v = signature.endsWith("1b") ? "1c" : "1b";
  return signature.slice(0, 66) + s.toString(16).padStart(64, "0") + v;
}

const withStatus = (
  signers: AttestationInfo,
  status: AttestationInfo["signers"][number]["status"],
): AttestationInfo => ({
  ...signers,
  signers: signers.signers.map((signer) => ({ ...signer, status })),
});

Deno.test("verifyAttestation accepts a signed score without a request", async () => {
  const { signed, signers, now } = await sign();
  const verdict = await verifyAttestation(signed, {
    signers,
    subject: SUBJECT.toUpperCase().replace("0X", "0x"),
    now,
    recover,
  });
  assertEquals(verdict, {
    isValid: true,
    problems: [],
    signer: signers.signer,
    message: signed.message,
  });
  const retiring = withStatus(signers, "retiring");
  assert(
    (await verifyAttestation(signed, { signers: retiring, now, recover }))
      .isValid,
  );
});

Deno.test("verifyAttestation names every problem", async (t) => {
  const { signed, signers, now } = await sign();
  const changed = (changes: object): SignedAttestation => ({
    ...signed,
    message: { ...signed.message, ...changes },
  });
  const after = (ms: number) => ({ now: new Date(now.getTime() + ms) });
  const cases: [
    name: string,
    signed: SignedAttestation,
    options: object,
    problems: AttestationProblem[],
  ][] = [
    ["a changed score", changed({ score: "99" }), {}, ["SIGNATURE_INVALID"]],
    [
      "a changed nonce",
      changed({ nonce: signed.message.nonce + "0" }),
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "a field that is no number",
      changed({ score: "many" }),
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "the second form of the signature",
      { ...signed, signature: mirrored(signed.signature) },
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "a signature with 0 or 1 in place of 27 or 28",
      {
        ...signed,
        signature: signed.signature.slice(0, 130) +
          (signed.signature.endsWith("1b") ? "00" : "01"),
      },
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "a short signature",
      { ...signed, signature: signed.signature.slice(0, -2) },
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "the domain of another contract",
      signed,
      {
        signers: {
          ...signers,
          domain: {
            ...signers.domain,
            verifyingContract: `0x${"11".repeat(20)}`,
          },
        },
      },
      ["SIGNATURE_INVALID"],
    ],
    [
      "another signer claimed",
      { ...signed, signer: `0x${"11".repeat(20)}` },
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "no signer claimed",
      { ...signed, signer: undefined as never },
      {},
      ["SIGNATURE_INVALID"],
    ],
    [
      "no message",
      { ...signed, message: undefined as never },
      { subject: SUBJECT },
      ["SIGNATURE_INVALID", "NOT_VALID_YET", "EXPIRED", "OTHER_SUBJECT"],
    ],
    [
      "a subject that is no text",
      changed({ subject: 5 }),
      { subject: SUBJECT },
      ["SIGNATURE_INVALID", "OTHER_SUBJECT"],
    ],
    [
      "a signer of another service",
      signed,
      { signers: { ...signers, signers: [] } },
      ["SIGNER_UNKNOWN"],
    ],
    [
      "a revoked signer",
      signed,
      { signers: withStatus(signers, "revoked") },
      ["SIGNER_REVOKED"],
    ],
    ["an hour later", signed, after(HOUR_MS), ["EXPIRED"]],
    ["a minute before", signed, after(-61_000), ["NOT_VALID_YET"]],
    [
      "another subject",
      signed,
      { subject: `0x${"11".repeat(20)}` },
      ["OTHER_SUBJECT"],
    ],
  ];
  for (const [name, given, options, problems] of cases) {
    await t.step(name, async () => {
      const all = { signers, now, recover, ...options };
      const verdict = await verifyAttestation(given, all);
      assertEquals(verdict.problems, problems);
      assertEquals(verdict.isValid, false);
    });
  }
});

Deno.test("verifyAttestation uses the domain of the service, not the one beside the score", async () => {
  const { signed, signers, now } = await sign();
  const domain = {
    ...signed.domain,
    verifyingContract: `0x${"11".repeat(20)}`,
  };
  const forged = { ...signed, domain };
  assert((await verifyAttestation(forged, { signers, now, recover })).isValid);
});

Deno.test("verifyAttestation throws if the service signs nothing", async () => {
  const { signed, signers } = await sign();
  const silent = { ...signers, domain: null };
  await assertRejects(
    () => verifyAttestation(signed, { signers: silent, recover }),
    Error,
    "the service signs nothing",
  );
});

Deno.test("verifyAttestation says what it needs to find the signer", async () => {
  const { signed, signers } = await sign();
  await assertRejects(
    () => verifyAttestation(signed, { signers, recover: undefined! }),
    TypeError,
    "Missing recover: expected a function such as recoverTypedDataAddress of viem",
  );
});
