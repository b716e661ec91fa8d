/** Import of a file of profiles, one JSON object per line. */
import { sha256 } from "../platform/bytes.ts";
import { Fault } from "../platform/fault.ts";
import { type ImportedFollow, importFollows } from "./follows/follows.ts";
import { newProfile, type Profile, type VerifiedSocial } from "./profile.ts";
import { checkDomain, checkName, checkSlug, normalizeHandle } from "./names.ts";
import { type ProfilesDeps, slugTaken } from "./profiles.ts";
import { socialTaken } from "./socials.ts";
import { z } from "@hono/zod-openapi";
import { Address } from "../platform/address_schema.ts";
import { SOCIAL_KINDS } from "../model/score_terms_schema.ts";
import { jsonObject, TxHash } from "../platform/wire_schema.ts";
import { parseJson } from "../platform/text.ts";

const AT = "an instant as ISO 8601, or in epoch milliseconds";
const USDC = "an amount of USDC with at most 6 decimals";
const ID = "the id of an account: at most 64 letters, digits and . _ -";
const MONTHS = "a whole number of months from 0 to 1200";
const KIND = `one of ${SOCIAL_KINDS.join(", ")}`;
const TEXT = "a text";

/** An instant. The checked value is epoch ms. */
const At = z.union([
  z.iso.datetime({ offset: true }).transform((text) => Date.parse(text)),
  z.int().nonnegative(),
], AT);

/** An amount of USDC. The checked value is in base units. */
const Usdc = z.union([z.string(), z.number()], USDC).transform(String)
  .refine((text) => /^\d{1,12}(\.\d{1,6})?$/.test(text), USDC)
  .transform((text) => {
    const [whole = "", decimals = ""] = text.split(".");
    return BigInt(whole + decimals.padEnd(6, "0"));
  });

const listOf = <Item extends z.ZodType>(item: Item) =>
  z.array(item, "an array of JSON objects");

/** One line. Only the address is required. */
const ImportLine = jsonObject({
  address: Address,
  displayName: z.string(TEXT).optional(),
  slug: z.string(TEXT).optional(),
  paidSlug: z.boolean("true or false").optional(),
  premiumMonths: z.int(MONTHS).min(0, MONTHS).max(1200, MONTHS).optional(),
  socials: listOf(jsonObject({
    kind: z.enum(SOCIAL_KINDS, KIND),
    handle: z.string(TEXT),
    /** Id of the account, which stays the same when the handle changes. */
    id: z.string(ID).regex(/^[\w.-]{1,64}$/, ID).optional(),
    verifiedAt: At,
  })).optional(),
  follows: listOf(jsonObject({ address: Address, at: At })).optional(),
  donations: listOf(jsonObject({
    to: Address,
    usdc: Usdc,
    at: At,
    txHash: TxHash,
  })).optional(),
  verifiedHuman: z.literal(true, "true, or nothing").optional(),
});
/** One line of a profile import file. */
type ImportLine = z.infer<typeof ImportLine>;

type ImportDeps = Pick<ProfilesDeps, "now" | "store" | "upstream">;

/** Progress of an import. */
export interface ImportProgress {
  readonly lines: number;
  readonly refusedCount: number;
}

/** Result of an import. */
interface ImportReport extends ImportProgress {
  /** Lines that an earlier, interrupted import of the same file processed. */
  readonly resumedAfter: number;
  readonly follows: { readonly added: number; readonly unchanged: number };
  /** The first rejected lines, with reasons. */
  readonly refused: readonly {
    readonly line: number;
    readonly reason: string;
  }[];
}

/**
 * Work between checkpoints, at which edges are written and the progress is stored.
 * An edge or a line counts as one. A profile takes as long as forty edges.
 */
const WORK_PER_CHECKPOINT = 40_000;
const WORK_PER_PROFILE = 40;

/** Limits of stored rejected lines and of a reason's characters, so that they fit in one value. */
const MAX_REFUSED = 100;
const MAX_REASON = 200;

/** Maximum length of a line in characters. */
const MAX_CHARACTERS = 2 ** 20;

/**
 * Imports a file of profiles. An interrupted import resumes with the same file,
 * and a repeated import changes nothing. An invalid line is rejected with its
 * number and reason; the other lines are imported.
 */
export async function importProfiles(
  deps: ImportDeps,
  open: () => AsyncIterable<string>,
  onProgress: (progress: ImportProgress) => void = () => {},
): Promise<ImportReport> {
  const { profileImports } = deps.store;
  const sha256 = await hashLines(open());
  const stored = await profileImports.find(sha256);
  const resumedAfter = stored?.lines ?? 0;
  const refused = [...stored?.refused ?? []];
  let refusedCount = stored?.refusedCount ?? 0;
  const follows = { added: 0, unchanged: 0 };
  let waiting: (ImportedFollow & { line: number })[] = [];
  /** Lines rejected since the last checkpoint. */
  const counted = new Set<number>();
  let lines = 0;
  let work = 0;

  function refuse(line: number, reason: string): void {
    if (counted.has(line)) return;
    counted.add(line);
    refusedCount++;
    if (refused.length < MAX_REFUSED) {
      refused.push({ line, reason: reason.slice(0, MAX_REASON) });
    }
  }

  async function writeFollows(): Promise<void> {
    const put = await importFollows(deps, waiting);
    follows.added += put.added;
    follows.unchanged += put.unchanged;
    for (const { index, reason } of put.refused) {
      refuse(waiting[index]!.line, reason);
    }
    waiting = [];
  }

  async function checkpoint(): Promise<void> {
    await writeFollows();
    counted.clear();
    work = 0;
    await profileImports.put(sha256, { lines, refusedCount, refused });
    onProgress({ lines, refusedCount });
  }

  for await (const text of open()) {
    lines++;
    if (lines <= resumedAfter || text.trim() === "") continue;
    const line = lines;
    work++;
    try {
      const parsed = parseLine(text);
      if (hasProfileFields(parsed)) {
        work += WORK_PER_PROFILE;
        await importProfile(deps, parsed);
      }
      const { address: follower, follows: edges = [] } = parsed;
      work += edges.length;
      for (const { address: followee, at } of edges) {
        waiting.push({ follower, followee, at, line });
      }
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      refuse(line, error.message);
    }
    if (work >= WORK_PER_CHECKPOINT) await checkpoint();
  }
  await writeFollows();
  await profileImports.end(sha256);
  refused.sort((a, b) => a.line - b.line);
  return { lines, resumedAfter, follows, refusedCount, refused };
}

/** Returns the SHA-256 of the lines. It identifies the file. */
async function hashLines(lines: AsyncIterable<string>): Promise<string> {
  const hash = sha256();
  for await (const line of lines) hash.update(`${line}\n`);
  return hash.hex();
}

function parseLine(text: string): ImportLine {
  if (text.length > MAX_CHARACTERS) {
    throw refusedLine(
      `the line is too long: expected at most ${MAX_CHARACTERS} characters`,
    );
  }
  const value = parseJson(text);
  if (value === undefined) throw refusedLine("the line is not JSON");
  const checked = ImportLine.safeParse(value);
  if (checked.success) return checked.data;
  const issue = checked.error.issues[0]!;
  const unknown = issue.code === "unrecognized_keys"
    ? issue.keys.slice(0, 1)
    : [];
  const place = ["line", ...issue.path, ...unknown].join(".");
  throw refusedLine(`${place}: ${issue.message}`);
}

/** The checked profile fields of a line. */
interface ImportedProfile {
  readonly displayName: string | null;
  readonly slug: string | null;
  readonly paidSlug: boolean;
  readonly premiumMonths: number;
  readonly socials: readonly VerifiedSocial[];
}

/** Returns whether a line has more than an address and its follows. */
function hasProfileFields({ address: _, follows, ...rest }: ImportLine) {
  return follows === undefined || Object.keys(rest).length > 0;
}

/**
 * Imports a profile and claims its address. An existing name, slug or account is
 * kept, and the larger number of months wins, so an import can be repeated.
 * Throws a fault with the reason if the line is rejected.
 */
async function importProfile(
  { now, store }: Pick<ProfilesDeps, "now" | "store">,
  line: ImportLine,
): Promise<void> {
  const { address } = line;
  const at = now().getTime();
  const imported = await checkLine(line, at);
  const changed = await store.profiles.change(address, (held) => {
    const profile = merge(held, imported, at);
    return profile === held ? null : {
      profile,
      audit: { at, event: "profile.import", requestId: null },
    };
  });
  if (changed.kind === "slugTaken") throw slugTaken(imported.slug);
  if (changed.kind === "socialTaken") throw socialTaken(changed.social.kind);
  for (const { to, usdc: amount, ...moved } of line.donations ?? []) {
    const recorded = await store.donations.record({
      ...moved,
      from: address,
      to,
      amount,
    }, { at, requestId: null });
    if (recorded.kind === "used" && recorded.donation.amount !== amount) {
      throw refusedLine(
        `the donation to ${to} is recorded with another amount`,
      );
    }
  }
  if (line.verifiedHuman) {
    await store.humans.grant(address, { at, requestId: null });
  }
}

async function checkLine(
  line: ImportLine,
  now: number,
): Promise<ImportedProfile> {
  const socials = (line.socials ?? []).map(
    ({ kind, handle: text, id = null, verifiedAt }): VerifiedSocial => {
      const handle = normalizeHandle(kind, text);
      if (handle === null) {
        throw refusedLine(`invalid ${kind} handle "${text}"`);
      }
      if (verifiedAt > now) {
        throw refusedLine(
          `the ${kind} account has a verification time in the future`,
        );
      }
      return { kind, handle, id, verifiedAt };
    },
  );
  for (const { kind, handle } of socials) {
    if (kind === "domain") await checkDomain(handle);
  }
  if (new Set(socials.map(({ kind }) => kind)).size < socials.length) {
    throw refusedLine("the line has two accounts of one kind");
  }
  if (line.donations?.some(({ at }) => at > now)) {
    throw refusedLine("a donation has a time in the future");
  }
  const { displayName, slug, paidSlug = false, premiumMonths = 0 } = line;
  return {
    displayName: displayName === undefined ? null : checkName(displayName),
    slug: slug === undefined ? null : checkSlug(slug),
    paidSlug,
    premiumMonths,
    socials,
  };
}

/** Merges imported fields into a profile. Returns the same object if nothing changes. */
function merge(
  held: Profile | null,
  imported: ImportedProfile,
  at: number,
): Profile {
  const profile = held ?? newProfile(at);
  const added = imported.socials.filter((social) => !has(profile, social));
  // A slug that was chosen after an import is not the one that it said was paid for.
  const boughtSlug = profile.boughtSlug ??
    (imported.paidSlug
      ? imported.slug ?? (profile.paidSlug ? null : profile.slug)
      : null);
  const merged: Profile = {
    ...profile,
    displayName: profile.displayName ?? imported.displayName,
    slug: profile.slug ?? imported.slug,
    paidSlug: profile.paidSlug || imported.paidSlug,
    ...boughtSlug === null ? {} : { boughtSlug },
    premiumMonths: Math.max(profile.premiumMonths, imported.premiumMonths),
    socials: [...profile.socials, ...added],
  };
  const isSame = held !== null && added.length === 0 &&
    merged.displayName === held.displayName && merged.slug === held.slug &&
    merged.paidSlug === held.paidSlug &&
    merged.boughtSlug === held.boughtSlug &&
    merged.premiumMonths === held.premiumMonths;
  return isSame ? held : merged;
}

/** Returns whether a profile has an account; throws if it has a different one of its kind. */
function has({ socials }: Profile, { kind, id, handle }: VerifiedSocial) {
  const held = socials.find((social) => social.kind === kind);
  if (held === undefined) return false;
  const isSame = held.id !== null && id !== null
    ? held.id === id
    : held.handle === handle;
  if (!isSame) {
    throw refusedLine(`the profile already has another ${kind} account`);
  }
  return true;
}

/** Returns the fault for a rejected line. */
function refusedLine(reason: string): Fault {
  return new Fault(reason, { kind: "badInput" });
}
