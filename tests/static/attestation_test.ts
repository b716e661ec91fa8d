/** Verification in the browser: equality with viem, and every verdict. */
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { assertEquals, assertThrows } from "@std/assert";
import { bytesToHex, hashTypedData, numberToHex } from "viem";
import { privateKeyToAccount } from "viem/accounts";
import {
  SCORE_TYPES,
  type SignedAnswer,
} from "../../services/attestations/attestations_schema.ts";
import { TIER_IDS, TIERS } from "../../services/model/score_terms_schema.ts";
import {
  describeAttesting,
  signScore,
} from "../../services/attestations/attestations.ts";
import {
  digestOf,
  judge,
  parseSigned,
  recoverSigner,
} from "../../static/attestation.js";
import { exampleOf } from "../../simnet/accounts.ts";
import { SIGNER, SIGNING } from "../support/attestations.ts";
import { testDeps } from "../support/deps.ts";
import { twinOf } from "../support/owners.ts";
import { fc } from "../support/properties.ts";

const SUBJECT = exampleOf("heavy");
const RETIRING = { address: SIGNER, status: "retiring" };

const tiers = TIER_IDS.map((tier) => ({ tier, label: TIERS[tier].label }));
const hex = (bytes: number) =>
  fc.uint8Array({ minLength: bytes, maxLength: bytes }).map(bytesToHex);
const uint = fc.bigInt({ min: 0n, max: 10n ** 77n - 1n }).map(String);
const privateKey = fc.bigInt({ min: 1n, max: 2n ** 255n })
  .map((key) => numberToHex(key, { size: 32 }));
const statement = fc.record({
  domain: fc.record({
    // viem omits empty fields.
    name: fc.string({ minLength: 1 }),
    version: fc.string({ minLength: 1 }),
    chainId: fc.integer({ min: 1 }),
    verifyingContract: hex(20),
  }),
  message: fc.record({
    subject: hex(20),
    score: uint,
    humanity: uint,
    tier: fc.nat({ max: 255 }),
    verifiedHuman: fc.boolean(),
    issuedAt: uint,
    expiresAt: uint,
    nonce: uint,
  }),
});

Deno.test("digestOf() and recoverSigner() return the same as viem", async () => {
  await fc.assert(
    fc.asyncProperty(statement, privateKey, async (typed, key) => {
      const data = {
        ...typed,
        types: SCORE_TYPES,
        primaryType: "ScoreAttestation",
      } as const;
      const digest: Uint8Array = digestOf(typed);
      assertEquals(bytesToHex(digest), hashTypedData(data as never));
      const account = privateKeyToAccount(key);
      const signature = await account.signTypedData(data as never);
      const signer = account.address.toLowerCase();
      assertEquals(recoverSigner(digest, signature), signer);
    }),
    { numRuns: 50 },
  );
});

/** A signed score, the published signers, and the time. */
async function signed() {
  using deps = await testDeps({ settings: SIGNING });
  const answer = await signScore(deps, SUBJECT, 3600, SERVICE);
  const published = await describeAttesting(deps);
  const nowS = Math.floor(deps.now().getTime() / 1000);
  return { answer, published, nowS };
}

/** Cases whose fields no signer of the service stands for. */
const FORGED = new Set([
  "a revoked signer",
  "an unknown signer",
  "another chain claimed",
  "another message",
  "another signer claimed",
  "another digest claimed",
  "the second form of the signature",
  "a signature of zeroes",
  "a signature of no known form",
]);

Deno.test("judge() has a verdict for every kind of error, and says whether the fields are signed", async (t) => {
  const { answer, published, nowS } = await signed();
  const { domain, message, readable, signature } = answer;
  type Published = Omit<typeof published, "signers"> & {
    signers: { address: string; status: string }[];
  };
  const cases: [
    name: string,
    verdict: string,
    change: {
      answer?: Partial<Record<keyof SignedAnswer, unknown>>;
      published?: Partial<Published>;
      afterS?: number;
    },
  ][] = [
    ["as it is", "Genuine and valid", {}],
    ["in its last second", "Genuine and valid", { afterS: 3599 }],
    ["in the second after", "Expired", { afterS: 3600 }],
    ["a minute early", "Genuine and valid", { afterS: -60 }],
    ["more than a minute early", "Not valid yet", { afterS: -61 }],
    ["a retiring signer", "Genuine and valid", {
      published: { signers: [RETIRING] },
    }],
    ["a revoked signer", "Revoked", {
      published: { signers: [{ ...RETIRING, status: "revoked" }] },
    }],
    ["an unknown signer", "Not from this service", {
      published: { signers: [] },
    }],
    ["a service that signs no more", "Genuine and valid", {
      published: { domain: null, signers: [RETIRING] },
    }],
    ["another contract published", "Not from this service", {
      published: { domain: { ...domain, verifyingContract: SUBJECT } },
    }],
    ["another chain published", "Not from this service", {
      published: { domain: { ...domain, chainId: 1 } },
    }],
    ["another chain claimed", "Not genuine", {
      answer: { domain: { ...domain, chainId: 1 } },
    }],
    ["another message", "Not genuine", {
      answer: { message: { ...message, humanity: "0" } },
    }],
    ["another signer claimed", "Not genuine", { answer: { signer: SUBJECT } }],
    ["another digest claimed", "Not genuine", {
      answer: { digest: `0x${"1".repeat(64)}` },
    }],
    ["no digest claimed", "Genuine and valid", {
      answer: { digest: undefined },
    }],
    ["nothing readable", "Genuine and valid", {
      answer: { readable: undefined },
    }],
    ["a readable tier that lies", "Not genuine", {
      answer: { readable: { ...readable, tierLabel: "Legendary" } },
    }],
    ["a readable human that lies", "Not genuine", {
      answer: { readable: { ...readable, verifiedHuman: 1 } },
    }],
    ["the second form of the signature", "Not genuine", {
      answer: { signature: twinOf(signature) },
    }],
    ["a signature of zeroes", "Not genuine", {
      answer: { signature: `0x${"0".repeat(130)}` },
    }],
    ["a signature of no known form", "Not genuine", {
      answer: { signature: `${signature.slice(0, 130)}1d` },
    }],
  ];
  for (
    const [name, verdict, { answer: changed, published: other, afterS = 0 }]
      of cases
  ) {
    await t.step(name, () => {
      const text = JSON.stringify({ ...answer, ...changed });
      const judged = judge(parseSigned(text), {
        published: { ...published, ...other },
        tiers,
        nowS: nowS + afterS,
      });
      assertEquals(judged.verdict, verdict);
      assertEquals(judged.isValid, verdict === "Genuine and valid");
      assertEquals(judged.isSigned, !FORGED.has(name));
      assertEquals(judged.checks.length, 6);
    });
  }
});

Deno.test("parseSigned() names the bad field, for any input", async () => {
  const { answer } = await signed();
  assertEquals(parseSigned(JSON.stringify(answer)), answer as never);
  for (const path of ["signature", "signer", "domain", "message"] as const) {
    const text = JSON.stringify({ ...answer, [path]: undefined });
    assertThrows(() => parseSigned(text), Error, `missing ${path}`);
  }
  for (const chainId of [-1, 0.5, 2 ** 53, "43114", null]) {
    const domain = { ...answer.domain, chainId };
    const text = JSON.stringify({ ...answer, domain });
    assertThrows(() => parseSigned(text), Error, "malformed domain.chainId");
  }
  fc.assert(fc.property(fc.json(), (text) => {
    assertThrows(() => parseSigned(text), Error, "This is not a signed score");
  }));
});
