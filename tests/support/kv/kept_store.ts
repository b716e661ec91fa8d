/**
 * Stores of earlier versions, as files: every entry of a store that the service
 * filled, one a line. Run as a program, writes the file of this version's format:
 * `deno run --lock=tests/deno.lock -A tests/support/kv/kept_store.ts`.
 */
import { parse, stringify } from "devalue";
import { FORMAT } from "../../../services/platform/kv/store_format.ts";
import { testDeps } from "../deps.ts";
import { fill, fillRest } from "./filled_store.ts";

const FOLDER = new URL("../../fixtures/stores/", import.meta.url);

/** The file of the current format. */
export const CURRENT = `format_${FORMAT}.ndjson.gz`;

/** The table of downloads whose files are kept. */
const TABLE = "activeAddresses-2021";

/** Returns whether a file keeps an entry. Of series and of downloads, these are enough for each kind of record. */
function isKept([name, source, metric]: Deno.KvKey): boolean {
  if (name === "download_tables") return source === TABLE;
  if (name === "download_chunks") return String(source).includes(`.${TABLE}.`);
  return name !== "series" || typeof source === "string" ||
    source === 43114 && (metric === "txCount" || metric === "feesPaid");
}

type Entry = readonly [key: Deno.KvKey, value: unknown];

/** Lists the files, by format and commit. */
export function listKept(): string[] {
  return [...Deno.readDirSync(FOLDER)].map(({ name }) => name).toSorted();
}

/** Reads the entries of a file. */
export async function readKept(name: string): Promise<Entry[]> {
  const file = await Deno.open(new URL(name, FOLDER));
  const text = await new Response(
    file.readable.pipeThrough(new DecompressionStream("gzip")),
  ).text();
  return text.trim().split("\n").map((line) => parse(line) as Entry);
}

/** Lists the entries that a file of this version holds. */
export async function listFilled(): Promise<Entry[]> {
  using deps = await testDeps({ chains: 2 });
  await fill(deps);
  await fillRest(deps);
  const entries: Entry[] = [];
  for await (const { key, value } of deps.kv.list({ prefix: [] })) {
    if (isKept(key)) entries.push([key, value]);
  }
  return entries;
}

if (import.meta.main) {
  const lines = (await listFilled()).map((entry) => `${stringify(entry)}\n`);
  const packed = ReadableStream.from(lines)
    .pipeThrough(new TextEncoderStream())
    .pipeThrough(new CompressionStream("gzip"));
  await Deno.writeFile(new URL(CURRENT, FOLDER), packed);
}
