/** Checks a chain of manifests, their signatures, and the files of the newest one. */
import { sha256Hex } from "../platform/sha256.ts";
import { INDEX } from "./downloads_schema.ts";
import { isSignedBy, publicKeyOf } from "./manifest_keys.ts";
import { DownloadsAnswer, Manifest, ManifestKeys } from "./manifests_schema.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A deployment or a folder with its downloads. */
export interface ManifestSource {
  /** Reads a file by its path below `/downloads/`. Returns null if there is none. */
  readonly read: (path: string) => Promise<Bytes | null>;
  /** Reads the published keys. Returns null if there are none. */
  readonly readKeys: () => Promise<Bytes | null>;
  /** Lists the dates of all manifests; null if that is not possible. */
  readonly listDates: () => Promise<string[] | null>;
  /** Whether files may be missing: a copy need not have all of them. */
  readonly isPartial: boolean;
}

/** What the verifier knows from elsewhere than the data. */
export interface Anchor {
  /** Public keys, base64url. If there are any, no other key counts, and a signature is mandatory. */
  readonly keys?: readonly string[];
  /** Date before which the newest release is too old. */
  readonly since?: string | undefined;
}

/** What signatures prove: made with a known key, with a key that came with the data, or nothing. */
export type Authenticity = "verified" | "keyNotPinned" | "unsigned";

/** What a check found. */
interface CheckedChain {
  readonly authenticity: Authenticity;
  /** Date of the newest manifest; null if there is none. */
  readonly newestOn: string | null;
  readonly manifests: number;
  readonly signed: number;
  readonly files: number;
  /** Files of the newest manifest that a copy does not have. */
  readonly absentFiles: number;
  /** One sentence each, with the name of the file. */
  readonly problems: readonly string[];
}

/**
 * Checks the manifests of a source, from the newest to the first, and the files of the
 * newest. A signed manifest also proves those before it, by their hashes.
 */
export async function checkManifests(
  source: ManifestSource,
  { keys: pinned = [], since = "" }: Anchor = {},
): Promise<CheckedChain> {
  const problems: string[] = [];
  const isPinned = pinned.length > 0;
  const keys = isPinned
    ? pinned.map((x) => publicKeyOf(x))
    : parse(ManifestKeys, await source.readKeys())?.keys ?? [];
  const release = parse(DownloadsAnswer, await source.read(INDEX))?.release ??
    null;
  const listed = (await source.listDates())?.toSorted() ?? [];
  const unseen = new Set(listed);
  let expected: Expected | null = release
    ? { date: release.date, sha256: release.manifestSha256, by: INDEX }
    : null;
  let newest: Manifest | null = null;
  /** Whether a valid signature proves the manifest that named the expected one. */
  let isNamerProved = false;
  /** The newest unsigned manifest, which no newer signature proves. */
  let unsigned: string | null = null;
  let [manifests, signed] = [0, 0];
  for (;;) {
    const date: string | undefined = expected?.date ?? [...unseen].at(-1);
    if (date === undefined) break;
    unseen.delete(date);
    const name = `manifests/${date}.json`;
    const bytes = await source.read(name);
    if (bytes === null) {
      problems.push(`${name} is missing: ${expected?.by} names it`);
      // In a folder the chain goes on with the next older manifest.
      expected = null;
      continue;
    }
    manifests++;
    const isNamed = expected?.sha256 === sha256Hex(bytes);
    if (expected && !isNamed) {
      problems.push(`${name} is altered: ${expected.by} names another SHA-256`);
    }
    let isProved: boolean = isNamed && isNamerProved;
    isNamerProved = false;
    const manifest = parse(Manifest, bytes);
    if (manifest === null || manifest.date !== date) {
      problems.push(`${name} is not a manifest of ${date}`);
      expected = null;
      continue;
    }
    if (newest === null && date < since) {
      problems.push(
        `the newest release is of ${date}: expected one of ${since} or later`,
      );
    }
    newest ??= manifest;
    const key = keys.find(({ kid }) => kid === manifest.signedBy);
    if (manifest.signedBy === null) {
      if (isPinned && !isProved) {
        problems.push(
          `${name} is unsigned: expected a signature of a given key`,
        );
      }
      if (!isProved) unsigned ??= name;
    } else if (!isPinned || key !== undefined || !isProved) {
      const problem = await checkSignature(source, { name, bytes, key });
      if (problem !== null) problems.push(problem);
      else {
        signed++;
        isProved = true;
      }
      if (!isPinned && unsigned !== null) {
        problems.push(`${unsigned} is unsigned, although ${name} is signed`);
        unsigned = null;
      }
    }
    const { previous } = manifest;
    if (previous !== null && previous.date >= date) {
      problems.push(
        `${name} names the manifest of ${previous.date}, which is not earlier, as the previous one`,
      );
      // Following it could go round in a circle.
      expected = null;
      continue;
    }
    expected = previous && { ...previous, by: name };
    isNamerProved = isProved;
    if (expected === null && unseen.size > 0) {
      for (const date of unseen) {
        problems.push(
          `manifests/${date}.json does not belong to the chain: no later manifest names it`,
        );
      }
      break;
    }
  }
  if (newest === null) problems.push("there is no manifest");
  const files = await checkFiles(source, newest?.files ?? []);
  return {
    authenticity: signed === 0
      ? "unsigned"
      : isPinned
      ? "verified"
      : "keyNotPinned",
    newestOn: newest?.date ?? null,
    manifests,
    signed,
    files: files.checked,
    absentFiles: files.absent,
    problems: [...problems, ...files.problems],
  };
}

/** A manifest as a later file names it. */
interface Expected {
  readonly date: string;
  readonly sha256: string;
  readonly by: string;
}

async function checkSignature(
  source: ManifestSource,
  { name, bytes, key }: {
    readonly name: string;
    readonly bytes: Bytes;
    readonly key: ReturnType<typeof publicKeyOf> | undefined;
  },
): Promise<string | null> {
  if (key === undefined) return `${name} is signed by an unknown key`;
  const signature = await source.read(`${name}.sig`);
  if (signature === null) return `${name}.sig is missing`;
  return await isSignedBy(key, bytes, signature)
    ? null
    : `${name}.sig is not the signature of ${name}`;
}

async function checkFiles(
  { read, isPartial }: ManifestSource,
  files: Manifest["files"],
) {
  const problems: string[] = [];
  let [checked, absent] = [0, 0];
  for (const { name, bytes, sha256 } of files) {
    const content = await read(name);
    if (content === null) {
      absent++;
      if (!isPartial) problems.push(`${name} is missing`);
      continue;
    }
    checked++;
    if (content.byteLength !== bytes) {
      problems.push(
        `${name} is altered: it has ${content.byteLength} bytes, not ${bytes}`,
      );
    } else if (sha256Hex(content) !== sha256) {
      problems.push(`${name} is altered: it has another SHA-256`);
    }
  }
  return { checked, absent, problems };
}

/** Parses a JSON document. Returns null if it is absent or has another shape. */
function parse<T>(
  schema: { safeParse(value: unknown): { data?: T | undefined } },
  bytes: Bytes | null,
): T | null {
  if (bytes === null) return null;
  try {
    const value = JSON.parse(new TextDecoder().decode(bytes));
    return schema.safeParse(value).data ?? null;
  } catch {
    return null;
  }
}
