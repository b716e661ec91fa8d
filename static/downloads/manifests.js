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
 * path, or null. Returns the newest manifest, counts, and one sentence per problem.
 */
export async function checkChain(read) {
  const problems = [];
  const { release } = parse(await read("/downloads/index.json")) ?? {};
  const { keys = [] } =
    parse(await read("/.well-known/firn-manifest-key.json")) ?? {};
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
    if (await sha256Of(bytes) !== expected.sha256) {
      problems.push(`${name} is altered: ${expected.by} names another SHA-256`);
    }
    const manifest = parse(bytes);
    if (manifest === null || manifest.date !== expected.date) {
      problems.push(`${name} is not a manifest of ${expected.date}`);
      break;
    }
    newest ??= manifest;
    if (manifest.signedBy !== null) {
      const key = keys.find(({ kid }) => kid === manifest.signedBy);
      const signature = await read(`/downloads/${name}.sig`);
      if (key && signature && await isSigned(key, bytes, signature)) signed++;
      else problems.push(`${name}.sig is not the signature of ${name}`);
    }
    const { previous } = manifest;
    expected = previous && { ...previous, by: name };
  }
  if (newest === null) problems.push("there is no manifest");
  return { newest, manifests, signed, problems };
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
