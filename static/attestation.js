/** Signed scores: reads one, finds out who has signed it, and judges it. Neither network nor page. */
import { keccak_256 } from "./vendor/noble-hashes/sha3.js";
import {
  bytesToHex,
  concatBytes,
  hexToBytes,
  utf8ToBytes,
} from "./vendor/noble-hashes/utils.js";
import { Point, recoverPublicKey } from "./vendor/noble-secp256k1/index.js";

/** The types that are accepted, whatever a text claims (EIP-712, encodeType). */
const DOMAIN_TYPE =
  "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
const SCORE_TYPE =
  "ScoreAttestation(address subject,uint256 score,uint256 humanity,uint8 tier,bool verifiedHuman,uint256 issuedAt,uint256 expiresAt,uint256 nonce)";

/** How far the clock here may be behind the signer's, in seconds. */
const CLOCK_SKEW_S = 60;

/** What the fields of a signed score have to be. */
const SHAPE = {
  "domain.name": isText,
  "domain.version": isText,
  "domain.chainId": Number.isSafeInteger,
  "domain.verifyingContract": isAddress,
  "message.subject": isAddress,
  "message.score": isUint,
  "message.humanity": isUint,
  "message.tier": isTier,
  "message.verifiedHuman": (value) => typeof value === "boolean",
  "message.issuedAt": isUint,
  "message.expiresAt": isUint,
  "message.nonce": isUint,
  "signature": (value) => isText(value) && /^0x[0-9a-f]{130}$/i.test(value),
  "signer": isAddress,
};

/** What comes of where a signer stands. */
const CHECKS_BY_STATUS = {
  active: pass("The signer is the one that this service signs with"),
  retiring: pass("The signer is retiring: what it has signed still holds"),
  revoked: fail(
    "Revoked",
    "The signer was revoked: nothing that it has signed counts any more",
  ),
  unknown: fail("Not of this service", "The signer is none of this service's"),
};

/** Reads a signed score from JSON; throws an error that says what is not as it has to be. */
export function parseSigned(text) {
  const signed = parseJson(text);
  for (const [path, isSound] of Object.entries(SHAPE)) {
    const value = path.split(".").reduce((held, name) => held?.[name], signed);
    if (value === undefined) {
      throw new Error(`This is no signed score: it has no ${path}`);
    }
    if (!isSound(value)) {
      throw new Error(`This is no signed score: its ${path} is malformed`);
    }
  }
  return signed;
}

/** Returns the EIP-712 hash of a statement: 32 bytes. */
export function digestOf({ domain, message }) {
  return keccak_256(concatBytes(
    Uint8Array.of(0x19, 0x01),
    hashStruct(DOMAIN_TYPE, domain),
    hashStruct(SCORE_TYPE, message),
  ));
}

/** Returns who has signed a digest, lower-case; null where no signer can have. */
export function recoverSigner(digest, signature) {
  const bytes = hexToBytes(signature.slice(2));
  const [rs, s, v] = [bytes.slice(0, 64), bytes.slice(32, 64), bytes[64]];
  // Each signature has a second form, which no signer makes (EIP-2).
  if (BigInt(`0x${bytesToHex(s)}`) > Point.CURVE().n / 2n) return null;
  try {
    const recoverable = concatBytes(Uint8Array.of(v - 27), rs);
    const key = recoverPublicKey(recoverable, digest, { prehash: false });
    const point = Point.fromBytes(key).toBytes(false).slice(1);
    return `0x${bytesToHex(keccak_256(point).slice(-20))}`;
  } catch {
    return null;
  }
}

/**
 * Judges a signed score by what a service publishes of its signers, at an
 * instant in seconds since 1970: every check with its outcome, of which the
 * first that fails makes the verdict.
 */
export function judge(signed, { published, tiers, nowS }) {
  const digest = digestOf(signed);
  const recovered = recoverSigner(digest, signed.signature);
  const signer = published.signers.find(({ address }) => address === recovered);
  const checks = [
    recovered === signed.signer.toLowerCase() &&
      isSameText(signed.digest, `0x${bytesToHex(digest)}`)
      ? pass("The signature fits every field of the statement")
      : fail(
        "Not genuine",
        "The statement was changed after it was signed, or somebody else has signed it",
      ),
    isSameReadable(signed, tiers)
      ? pass("The readable part says what was signed")
      : fail(
        "Not genuine",
        "The readable part says something else than what was signed",
      ),
    published.domain === null || isSameDomain(signed.domain, published.domain)
      ? pass("It was signed for the contract and the chain of this service")
      : fail(
        "Not of this service",
        "It was signed for another contract or chain",
      ),
    CHECKS_BY_STATUS[signer?.status ?? "unknown"],
    Number(signed.message.issuedAt) <= nowS + CLOCK_SKEW_S
      ? pass("It is not of a time to come")
      : fail("Not valid yet", "It is of a time to come, by the clock here"),
    Number(signed.message.expiresAt) > nowS
      ? pass("It has not expired")
      : fail("Expired", "It has expired"),
  ];
  const failed = checks.find(({ passes }) => !passes);
  return {
    isValid: failed === undefined,
    verdict: failed?.verdict ?? "Genuine and valid",
    reason: failed?.text ??
      "This service has signed exactly what stands here, and it still holds",
    checks,
    recovered,
    digest: `0x${bytesToHex(digest)}`,
  };
}

/** What the readable part of a statement has to say; it is not signed itself. */
export function readableOf({ message }, tiers) {
  const { tier, label } = tiers[message.tier] ?? {};
  return {
    subject: message.subject,
    score: Number(message.score),
    humanity: Number(message.humanity),
    tier,
    tierLabel: label,
    issuedAt: isoTime(message.issuedAt),
    expiresAt: isoTime(message.expiresAt),
    nonce: message.nonce,
  };
}

function pass(text) {
  return { passes: true, text };
}

function fail(verdict, text) {
  return { passes: false, verdict, text };
}

function parseJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error("This is not JSON");
  }
}

/** EIP-712, hashStruct, of types whose fields are all plain. */
function hashStruct(type, values) {
  const fields = type.slice(type.indexOf("(") + 1, -1).split(",");
  return keccak_256(concatBytes(
    keccak_256(utf8ToBytes(type)),
    ...fields.map((field) => {
      const [kind, name] = field.split(" ");
      return kind === "string"
        ? keccak_256(utf8ToBytes(values[name]))
        : hexToBytes(BigInt(values[name]).toString(16).padStart(64, "0"));
    }),
  ));
}

function isSameReadable({ message, readable }, tiers) {
  if (readable === undefined) return true;
  const { verifiedHuman } = readable ?? {};
  return message.verifiedHuman === (verifiedHuman !== null) &&
    Object.entries(readableOf({ message }, tiers))
      .every(([name, value]) => readable?.[name] === value);
}

function isSameDomain(one, other) {
  return one.name === other.name && one.version === other.version &&
    one.chainId === other.chainId &&
    isSameText(one.verifyingContract, other.verifyingContract);
}

/** What is absent says nothing wrong. */
function isSameText(text, expected) {
  return text === undefined ||
    (isText(text) && text.toLowerCase() === expected);
}

function isoTime(seconds) {
  const time = new Date(Number(seconds) * 1000);
  return Number.isNaN(time.getTime()) ? null : time.toISOString();
}

function isText(value) {
  return typeof value === "string";
}

function isAddress(value) {
  return isText(value) && /^0x[0-9a-f]{40}$/i.test(value);
}

/** Decimal, and within 256 bits. */
function isUint(value) {
  return isText(value) && /^(0|[1-9]\d{0,76})$/.test(value);
}

function isTier(value) {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}
