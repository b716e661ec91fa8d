/** Signed scores: their content, their nonces, and checks of the signature. */
import { TIERS } from "../../../services/model/score_terms_schema.ts";
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { tablesHashOf } from "../../../services/model/model.ts";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { TypedDataEncoder, verifyTypedData as verifyByEthers } from "ethers";
import { hashTypedData, verifyTypedData } from "viem";
import {
  localSigner,
  signScore,
} from "../../../services/attestations/attestations.ts";
import { SignedAnswer } from "../../../services/attestations/attestations_schema.ts";
import { readScore } from "../../../services/scores/scores.ts";
import { Fault } from "../../../services/platform/fault.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import {
  CONTRACT,
  SIGNER,
  SIGNER_KEY,
  SIGNING,
} from "../../support/attestations.ts";
import { testDeps } from "../../support/deps.ts";
import { fc } from "../../support/properties.ts";

const SUBJECT = exampleOf("heavy");
const WEEK_S = 604_800;

const isoOf = (seconds: number) => new Date(seconds * 1000).toISOString();

Deno.test("signScore() signs the headline of a live read", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const score = await readScore(deps, SUBJECT, { requester: SERVICE });
  const signed = await signScore(deps, SUBJECT, WEEK_S, SERVICE);
  const readAt = deps.now().getTime();
  const seconds = Math.floor(readAt / 1000);
  assertEquals(SignedAnswer.parse(signed), signed);
  const { digest, signature, ...rest } = signed;
  assertEquals(rest, {
    domain: {
      name: "Firn Score",
      version: "1",
      chainId: 43_114,
      verifyingContract: CONTRACT,
    },
    types: {
      ScoreAttestation: [
        { name: "subject", type: "address" },
        { name: "score", type: "uint256" },
        { name: "humanity", type: "uint256" },
        { name: "tier", type: "uint8" },
        { name: "verifiedHuman", type: "bool" },
        { name: "issuedAt", type: "uint256" },
        { name: "expiresAt", type: "uint256" },
        { name: "nonce", type: "uint256" },
      ],
    },
    primaryType: "ScoreAttestation",
    message: {
      subject: SUBJECT,
      score: String(score.headline.score),
      humanity: String(Math.round(score.s4.humanity)),
      tier: TIERS[score.headline.tier].index,
      verifiedHuman: false,
      issuedAt: String(seconds),
      expiresAt: String(seconds + WEEK_S),
      nonce: String(readAt * 1000),
    },
    signer: SIGNER,
    readable: {
      subject: SUBJECT,
      score: score.headline.score,
      humanity: Math.round(score.s4.humanity),
      tier: score.headline.tier,
      tierLabel: score.headline.tierLabel,
      verifiedHuman: null,
      issuedAt: isoOf(seconds),
      expiresAt: isoOf(seconds + WEEK_S),
      nonce: String(readAt * 1000),
      modelTables: tablesHashOf(S4_2026_3),
    },
    model: score.model,
  });
  assertEquals([digest.length, signature.length], [66, 132]);
});

Deno.test("signScore() rounds humanity to the nearest whole number", async () => {
  using deps = await testDeps({ settings: SIGNING });
  for (const [nth, humanity] of [[2, 59], [0, 60]] as const) {
    const subject = exampleOf("heavy", nth);
    const { s4 } = await readScore(deps, subject, { requester: SERVICE });
    assertEquals(Math.trunc(s4.humanity), 59);
    const { message, readable } = await signScore(
      deps,
      subject,
      WEEK_S,
      SERVICE,
    );
    assertEquals(message.humanity, String(humanity));
    assertEquals(readable.humanity, humanity);
  }
});

Deno.test("signScore() returns an attestation that viem and ethers verify, and only unchanged", async (t) => {
  using deps = await testDeps({ settings: SIGNING });
  const sent = JSON.stringify(await signScore(deps, SUBJECT, 300, SERVICE));
  const { signature, digest, ...data } = JSON.parse(sent);
  const byViem = (typed: typeof data) =>
    verifyTypedData({ ...typed, address: SIGNER, signature });
  const byEthers = ({ domain, types, message }: typeof data) =>
    verifyByEthers(domain, types, message, signature).toLowerCase();
  assertEquals(await byViem(data), true);
  assertEquals(byEthers(data), SIGNER);
  assertEquals(hashTypedData(data), digest);
  const { domain, types, message } = data;
  assertEquals(TypedDataEncoder.hash(domain, types, message), digest);

  const other = (value: unknown) =>
    typeof value === "boolean"
      ? !value
      : typeof value === "number"
      ? value + 1
      : String(value).startsWith("0x")
      ? `0x${"0d".repeat(20)}`
      : String(BigInt(String(value)) + 1n);
  for (const field of Object.keys(message)) {
    await t.step(`another ${field}`, async () => {
      const changed = { ...message, [field]: other(message[field]) };
      assertEquals(await byViem({ ...data, message: changed }), false);
      assert(byEthers({ ...data, message: changed }) !== SIGNER);
    });
  }
  const domains = {
    name: "Firn",
    version: "2",
    chainId: 1,
    verifyingContract: SUBJECT,
  };
  for (const [field, value] of Object.entries(domains)) {
    await t.step(`another domain by ${field}`, async () => {
      const changed = { ...domain, [field]: value };
      assertEquals(await byViem({ ...data, domain: changed }), false);
    });
  }
});

Deno.test("signScore() uses nonces that grow with time, and by one within a millisecond", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const nonceOf = async (subject: string) =>
    Number((await signScore(deps, subject, 300, SERVICE)).message.nonce);
  const other = exampleOf("new");
  await readScore(deps, SUBJECT, { requester: SERVICE });
  await readScore(deps, other, { requester: SERVICE });
  const start = deps.now().getTime() * 1000;
  assertEquals(await nonceOf(SUBJECT), start);
  assertEquals(await nonceOf(SUBJECT), start + 1);
  assertEquals(await nonceOf(other), start, "each has its own");
  deps.advance(1);
  assertEquals(await nonceOf(SUBJECT), start + 1000);
  deps.advance(-60_000);
  assertEquals(await nonceOf(SUBJECT), start + 1001, "a clock put back");
});

Deno.test("signScore() never uses a nonce twice in two processes with different clocks", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.tuple(fc.boolean(), fc.integer({ min: -3, max: 3 })), {
        minLength: 2,
        maxLength: 20,
      }),
      async (takes) => {
        const kvPath = await Deno.makeTempFile({ suffix: ".sqlite3" });
        {
          using one = await testDeps({ kvPath });
          using two = await testDeps({ kvPath });
          const now = one.now().getTime();
          const nonces = await Promise.all(
            takes.map(([isOne, aheadMs]) =>
              (isOne ? one : two).store.attestationNonces.takeWith(
                SUBJECT,
                () => Promise.resolve(null),
                () => now + aheadMs,
              )
            ),
          );
          const numbers = nonces.map(({ nonce }) => nonce);
          assertEquals(new Set(numbers).size, takes.length);
        }
        await Deno.remove(kvPath);
      },
    ),
    { numRuns: 10 },
  );
});

Deno.test("signScore() gives the later score the greater nonce, whatever the clocks say", async (t) => {
  for (const aheadMs of [2_000, 0, -2_000]) {
    await t.step(`the other process is ${aheadMs} ms ahead`, async () => {
      using deps = await testDeps({ settings: SIGNING });
      await readScore(deps, SUBJECT, { requester: SERVICE });
      deps.advance(60_000);
      const [reached, gate] = [0, 1].map(() => Promise.withResolvers<void>());
      const { scores } = deps.store;
      let scored = 0;
      const put: typeof scores.put = async (...args) => {
        scored++;
        reached!.resolve();
        await gate!.promise;
        await scores.put(...args);
      };
      const store = { ...deps.store, scores: { ...scores, put } };
      const slow = signScore({ ...deps, store }, SUBJECT, 300, SERVICE);
      await reached!.promise;
      deps.advance(1_000);
      const ahead = () => new Date(deps.now().getTime() + aheadMs);
      const other = await signScore(
        { ...deps, now: ahead },
        SUBJECT,
        300,
        SERVICE,
      );
      gate!.resolve();
      const later = await slow;
      assert(Number(later.message.nonce) > Number(other.message.nonce));
      const now = Math.floor(deps.now().getTime() / 1000);
      assertEquals(later.message.issuedAt, String(now), "scored again");
      assertEquals(scored, 2);
    });
  }
});

Deno.test("signScore() throws if the signature is not the signer's", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const { sign } = localSigner(`0x${"0f".repeat(32)}`);
  const signer = { ...localSigner(SIGNER_KEY), sign };
  const attesting = {
    ...deps.attesting,
    signing: { signer, contract: CONTRACT },
  };
  await assertRejects(
    () => signScore({ ...deps, attesting }, SUBJECT, 300, SERVICE),
    Error,
    "Cannot sign the score: the signature is not the signer's",
  );
});

Deno.test("signScore() throws if the signer is listed as a former one", async () => {
  using deps = await testDeps({
    settings: { ...SIGNING, ATTESTATION_SIGNERS: `${SIGNER}:revoked` },
  });
  await assertRejects(
    () => signScore(deps, SUBJECT, 300, SERVICE),
    Error,
    "Cannot sign: ATTESTATION_SIGNERS lists the signer itself",
  );
});

Deno.test("signScore() throws before any read if there is no signer", async () => {
  using deps = await testDeps();
  const { failure } = await assertRejects(
    () => signScore(deps, SUBJECT, 300, SERVICE),
    Fault,
  );
  assertEquals(failure, { kind: "signingDisabled" });
  assertEquals(deps.upstreams.explorer.calls.length, 0);
});

Deno.test("the private key appears in no output of the service", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const signed = await signScore(deps, SUBJECT, 300, SERVICE);
  const digits = SIGNER_KEY.slice(2);
  for (const shown of [signed, deps.attesting, deps.lines]) {
    assert(!Deno.inspect(shown, { depth: 9 }).includes(digits));
  }
});
