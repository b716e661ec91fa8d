/**
 * Tests the tests: changes the source in one place at a time, and prints the
 * changes that no test notices.
 *
 *     deno task mutants [--sample N] [--seed S] [--layer L] [--near] [--map FOLDER] [--verbose] <file or folder>...
 *
 * A mutant is tried against the tests that execute its line. Which lines a file
 * of tests executes is measured once, and kept in the folder of `--map`.
 */
// deno-lint-ignore-file no-console -- prints its results.
import { tmpdir } from "node:os";
import { parseArgs } from "node:util";
import { randomFrom } from "../support/random.ts";
import { digestOf, readCoverage } from "./coverage_map.ts";
import { type Layer, layerOf } from "./layers.ts";
import {
  applyMutation,
  listMutations,
  type Mutation,
  showMutation,
} from "./mutations.ts";
import { makeScratch, type Outcome, ROOT } from "./scratch.ts";
import { stagesOf } from "./stages.ts";

const USAGE =
  "Usage: deno task mutants [--sample N] [--seed S] [--layer L] [--near] [--map FOLDER] [--verbose] <file or folder>...";

interface Mutant {
  readonly path: string;
  readonly source: string;
  readonly digest: string;
  readonly layer: Layer;
  readonly mutation: Mutation;
}

async function* listSources(path: string): AsyncGenerator<string> {
  if ((await Deno.stat(new URL(path, ROOT))).isFile) return yield path;
  const names: string[] = [];
  for await (const { name } of Deno.readDir(new URL(path, ROOT))) {
    names.push(name);
  }
  for (const name of names.sort()) {
    const each = `${path}/${name}`;
    if (!name.includes(".")) yield* listSources(each);
    else if (name.endsWith(".ts")) yield each;
  }
}

async function listMutants(paths: readonly string[]): Promise<Mutant[]> {
  const mutants: Mutant[] = [];
  for (const path of paths) {
    for await (const file of listSources(path.replace(/\/$/, ""))) {
      const source = await Deno.readTextFile(new URL(file, ROOT));
      const layer = layerOf(file, source);
      const digest = await digestOf(source);
      for (const mutation of listMutations(source)) {
        mutants.push({ path: file, source, digest, layer, mutation });
      }
    }
  }
  return mutants;
}

/** Returns `count` items chosen by the seed, in their first order. */
function choose<Item>(items: readonly Item[], count: number, seed: number) {
  const random = randomFrom(seed);
  return items
    .map((item, nth) => ({ item, nth, at: random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, count)
    .sort((one, other) => one.nth - other.nth)
    .map(({ item }) => item);
}

const { values, positionals } = parseArgs({
  args: Deno.args,
  allowPositionals: true,
  options: {
    sample: { type: "string" },
    seed: { type: "string", default: "1" },
    layer: { type: "string" },
    near: { type: "boolean", default: false },
    map: { type: "string", default: `${tmpdir()}/firn_mutant_map` },
    verbose: { type: "boolean", default: false },
  },
});
const sample = values.sample === undefined ? Infinity : Number(values.sample);
const seed = Number(values.seed);
if (
  positionals.length === 0 || Number.isNaN(sample) || !Number.isInteger(seed)
) {
  console.error(USAGE);
  Deno.exit(2);
}

const mutants = await listMutants(positionals);
const layers = [...new Set(mutants.map(({ layer }) => layer))]
  .filter((layer) => values.layer === undefined || values.layer === layer);
const samples = layers.map((layer) => {
  const all = mutants.filter((mutant) => mutant.layer === layer);
  return { layer, all, chosen: choose(all, sample, seed) };
});
await using scratch = await makeScratch();
const coverage = await readCoverage(
  values.map,
  scratch.tests,
  ({ test, passed, milliseconds }, left) => {
    const result = passed ? "" : ", failed: not used";
    console.log(`measured ${test} (${milliseconds} ms${result}), ${left} left`);
  },
);
function stagesOfMutant({ path, digest, mutation }: Mutant) {
  const place = { path, source: digest, line: mutation.line };
  return stagesOf(place, coverage, values.near);
}
// A test that fails anyway would seem to kill every mutant. Later stages passed
// when they were measured; only those that kill the most are run here.
const nearest = samples.flatMap(({ chosen }) =>
  chosen.flatMap((mutant) => stagesOfMutant(mutant)[0] ?? [])
);
await scratch.requirePassing([...new Set(nearest)]);
const counts = new Map<Layer, { tested: number; killed: number }>();
for (const { layer, all, chosen } of samples) {
  const count = { tested: 0, killed: 0 };
  counts.set(layer, count);
  console.log(`${layer}: ${chosen.length} of ${all.length} mutants`);
  for (const mutant of chosen) {
    const { path, source, mutation } = mutant;
    const stages = stagesOfMutant(mutant);
    const text = applyMutation(source, mutation);
    const outcome: Outcome = await scratch.test(path, text, stages);
    count.tested++;
    if (outcome !== "survived") count.killed++;
    if (outcome === "survived" || values.verbose) {
      const shown = showMutation(source, mutation);
      const place = `${path}:${mutation.line}`;
      const tried = `${stages.flat().length} files of tests`;
      console.log(
        `  ${outcome} ${place} ${mutation.kind}: ${shown} (${tried})`,
      );
    }
  }
}
console.log(
  "\n| layer | mutants | killed | rate |\n| --- | ---: | ---: | ---: |",
);
for (const [layer, { tested, killed }] of counts) {
  const rate = tested === 0 ? 0 : killed / tested * 100;
  console.log(`| ${layer} | ${tested} | ${killed} | ${rate.toFixed(1)} % |`);
}
