/** Signed scores: parses one, recovers its signer and verifies it. Uses neither network nor DOM. */
import { keccak_256 } from "./vendor/noble-hashes/sha3.js";
import {
  bytesToHex,
  concatBytes,
  hexToBytes,
  utf8ToBytes,
} from "./vendor/noble-hashes/utils.js";
import { Point, recoverPublicKey } from "./vendor/noble-secp256k1/index.js";

/** The accepted types, whatever the input claims (EIP-712, encodeType). */
const DOMAIN_TYPE =
  "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)";
const SCORE_TYPE =
  "ScoreAttestation(address subject,uint256 score,uint256 humanity,uint8 tier,bool verifiedHuman,uint256 issuedAt,uint256 expiresAt,uint256 nonce)";

/** Accepted difference between this clock and the signer's, in seconds. */
const CLOCK_SKEW_S = 60;

/** Checks of the fields of a signed score. */
const SHAPE = {
  "domain.name": isText,
  "domain.version": isText,
  "domain.chainId": (value) => Number.isSafeInteger(value) && value >= 0,
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

/** Result of the signer check, by the signer's state. */
const CHECKS_BY_STATUS = {
  active: pass("The signer is the active signer of this service"),
  retiring: pass("The signer is retiring; its signatures stay valid"),
  revoked: fail(
    "Revoked",
    "The signer was revoked; its signatures are not valid",
  ),
  unknown: fail(
    "Not from this service",
    "The signer does not belong to this service",
  ),
};

/** Parses a signed score from JSON. Throws an error that names the first bad field. */
export function parseSigned(text) {
  const signed = parseJson(text);
  for (const [path, isSound] of Object.entries(SHAPE)) {
    const value = path.split(".").reduce((held, name) => held?.[name], signed);
    if (value === undefined) {
      throw new Error(`This is not a signed score: missing ${path}`);
    }
    if (!isSound(value)) {
      throw new Error(`This is not a signed score: malformed ${path}`);
    }
  }
  return signed;
}

/** Returns the EIP-712 hash of a signed score: 32 bytes. */
export function digestOf({ domain, message }) {
  return keccak_256(concatBytes(
    Uint8Array.of(0x19, 0x01),
    hashStruct(DOMAIN_TYPE, domain),
    hashStruct(SCORE_TYPE, message),
  ));
}

/** Returns the address that signed a digest, lower-case; null if the signature is invalid. */
export function recoverSigner(digest, signature) {
  const bytes = hexToBytes(signature.slice(2));
  const [rs, s, v] = [bytes.slice(0, 64), bytes.slice(32, 64), bytes[64]];
  // Every signature has a second valid form, which EIP-2 forbids.
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
 * Verifies a signed score against the published signers, at an instant in
 * seconds since 1970. Returns every check with its result, and whether a signer
 * of the service signed exactly these fields. The first failed check decides the
 * verdict.
 */
export function judge(signed, { published, tiers, nowS }) {
  const digest = digestOf(signed);
  const recovered = recoverSigner(digest, signed.signature);
  const signer = published.signers.find(({ address }) => address === recovered);
  const matches = recovered === signed.signer.toLowerCase() &&
    isSameText(signed.digest, `0x${bytesToHex(digest)}`);
  const checks = [
    matches ? pass("The signature matches every field of the message") : fail(
      "Not genuine",
      "The message was changed after signing, or another signer signed it",
    ),
    isSameReadable(signed, tiers)
      ? pass("The readable part matches the message")
      : fail(
        "Not genuine",
        "The readable part differs from the message",
      ),
    published.domain === null || isSameDomain(signed.domain, published.domain)
      ? pass("It was signed for the contract and chain of this service")
      : fail(
        "Not from this service",
        "It was signed for another contract or chain",
      ),
    CHECKS_BY_STATUS[signer?.status ?? "unknown"],
    Number(signed.message.issuedAt) <= nowS + CLOCK_SKEW_S
      ? pass("Its issue time is not in the future")
      : fail(
        "Not valid yet",
        "Its issue time is in the future, by the clock of this device",
      ),
    Number(signed.message.expiresAt) > nowS
      ? pass("It has not expired")
      : fail("Expired", "It has expired"),
  ];
  const failed = checks.find(({ passes }) => !passes);
  return {
    isValid: failed === undefined,
    // Whoever holds a revoked key can sign anything.
    isSigned: matches && signer !== undefined && signer.status !== "revoked",
    verdict: failed?.verdict ?? "Genuine and valid",
    reason: failed?.text ??
      "This service signed exactly this score, and it has not expired",
    checks,
    recovered,
    digest: `0x${bytesToHex(digest)}`,
  };
}

/** Returns the expected readable part of a message. The readable part itself is not signed. */
export function readableOf({ message }, tiers) {
  const { tier, label } = tiers[message.tier] ?? {};
  return {
    subject: message.subject.toLowerCase(),
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

/** EIP-712 hashStruct, for types with atomic fields only. */
function hashStruct(type, values) {
  const fields = type.slice(type.indexOf("(") + 1, -1).split(",");
  return keccak_256(concatBytes(
    keccak_256(utf8ToBytes(type)),
    // deno-lint-ignore firn/spread-arguments -- the fields of a type of this file
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
  const { verifiedHuman, subject } = readable ?? {};
  // The case of an address has no meaning.
  const shown = { ...readable, subject: String(subject).toLowerCase() };
  return message.verifiedHuman === (verifiedHuman !== null) &&
    Object.entries(readableOf({ message }, tiers))
      .every(([name, value]) => shown[name] === value);
}

function isSameDomain(one, other) {
  return one.name === other.name && one.version === other.version &&
    one.chainId === other.chainId &&
    isSameText(one.verifyingContract, other.verifyingContract);
}

/** An absent text counts as equal. */
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

/** A decimal integer of at most 256 bits. */
function isUint(value) {
  return isText(value) && /^(0|[1-9]\d{0,76})$/.test(value);
}

function isTier(value) {
  return Number.isInteger(value) && value >= 0 && value <= 255;
}
