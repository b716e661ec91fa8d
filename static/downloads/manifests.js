/** Checks the manifests of the downloads: hashes, signatures, and the links between them. Uses no DOM. */

/** Maximum number of manifests that one check follows: ten years. */
const MAX_MANIFESTS = 3660;

/** Returns the SHA-256 of bytes in hexadecimal. */
async function sha256Of(bytes) {
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join(
    "",
  );
}

/**
 * Follows the manifests from the newest to the first. `read` returns the bytes of a
 * path, or null. If there is a pinned key, which the reader knows from elsewhere, no
 * other key counts and a signature is mandatory; a signed manifest also proves those
 * before it, by their hashes. Returns the newest manifest, counts, what the signatures
 * prove ("verified", "keyNotPinned" or "unsigned"), and one sentence per problem.
 */
export async function checkChain(read, { pinned = "", since = "" } = {}) {
  const problems = [];
  const { release } = parse(await read("/downloads/index.json")) ?? {};
  const keys = pinned
    ? [await publicKeyOf(pinned)]
    : parse(await read("/.well-known/firn-manifest-key.json"))?.keys ?? [];
  /** Whether a valid signature proves the manifest that named the expected one. */
  let isNamerProved = false;
  /** The newest unsigned manifest, which no newer signature proves. */
  let unsigned = null;
  let expected = release && {
    date: release.date,
    sha256: release.manifestSha256,
    by: "index.json",
  };
  let newest = null;
  let [manifests, signed] = [0, 0];
  while (expected && manifests < MAX_MANIFESTS) {
    const name = `manifests/${expected.date}.json`;
    const bytes = await read(`/downloads/${name}`);
    if (bytes === null) {
      problems.push(`${name} is missing: ${expected.by} names it`);
      break;
    }
    manifests++;
    const isNamed = await sha256Of(bytes) === expected.sha256;
    if (!isNamed) {
      problems.push(`${name} is altered: ${expected.by} names another SHA-256`);
    }
    const manifest = parse(bytes);
    if (manifest === null || manifest.date !== expected.date) {
      problems.push(`${name} is not a manifest of ${expected.date}`);
      break;
    }
    if (newest === null && manifest.date < since) {
      problems.push(
        `the newest release is of ${manifest.date}: expected one of ${since} or later`,
      );
    }
    newest ??= manifest;
    let isProved = isNamed && isNamerProved;
    const key = keys.find(({ kid }) => kid === manifest.signedBy);
    if (manifest.signedBy === null) {
      if (pinned && !isProved) {
        problems.push(
          `${name} is unsigned: expected a signature of a given key`,
        );
      }
      if (!isProved) unsigned ??= name;
    } else if (!pinned || key || !isProved) {
      const signature = await read(`/downloads/${name}.sig`);
      if (key && signature && await isSigned(key, bytes, signature)) {
        signed++;
        isProved = true;
      } else problems.push(`${name}.sig is not the signature of ${name}`);
      if (!pinned && unsigned) {
        problems.push(`${unsigned} is unsigned, although ${name} is signed`);
        unsigned = null;
      }
    }
    isNamerProved = isProved;
    const { previous } = manifest;
    expected = previous && { ...previous, by: name };
  }
  if (newest === null) problems.push("there is no manifest");
  const authenticity = signed === 0
    ? "unsigned"
    : pinned
    ? "verified"
    : "keyNotPinned";
  return { newest, manifests, signed, authenticity, problems };
}

/** Returns a public key, given in base64url, with its id: the JWK thumbprint (RFC 7638). */
async function publicKeyOf(x) {
  const members = { crv: "Ed25519", kty: "OKP", x };
  const bytes = new TextEncoder().encode(JSON.stringify(members));
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  const kid = btoa(String.fromCharCode.apply(null, hash)).replaceAll("+", "-")
    .replaceAll("/", "_").replace("=", "");
  return { ...members, kid };
}

/** Returns whether a manifest lists a file with these bytes, under any name, and a sentence that says so. */
export async function checkFile({ date, files }, name, bytes) {
  const sha256 = await sha256Of(bytes);
  const same = files.filter((file) => file.sha256 === sha256);
  const found = same.find((file) => file.name === name) ?? same[0];
  if (found) {
    return { isListed: true, says: `${name} has the bytes of ${found.name}` };
  }
  const says = files.some((file) => file.name === name)
    ? `${name} is altered: manifests/${date}.json names another SHA-256`
    : `${name} is not a file of the newest release`;
  return { isListed: false, says };
}

async function isSigned({ kty, crv, x }, bytes, signature) {
  const jwk = { kty, crv, x };
  const key = await crypto.subtle
    .importKey("jwk", jwk, "Ed25519", false, ["verify"]);
  return await crypto.subtle.verify("Ed25519", key, signature, bytes);
}

function parse(bytes) {
  try {
    return bytes && JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}
