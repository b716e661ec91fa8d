/** `deno task evaluate` as a program: a CSV file of one's own, and the figures as JSON. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exampleOf } from "../../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../../simnet/start.ts";

const ROOT = new URL("../../../", import.meta.url);

/** Runs the program; returns its status and both streams. */
async function evaluate(
  args: readonly string[],
  env: Record<string, string> = {},
) {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--lock=tests/deno.lock", "--no-prompt", "-P=bench"],
      ...["--no-check", "bench/evaluate/main.ts", ...args],
    ],
    cwd: ROOT,
    env: { ...env, NO_COLOR: "1" },
  }).output();
  const decoder = new TextDecoder();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

Deno.test("a CSV file is read through the sources, kept beside it, and evaluated, also as JSON", async () => {
  await using simnet = startSimnet();
  const folder = await Deno.makeTempDir();
  const path = `${folder}/labels.csv`;
  try {
    const lines = [
      ...[0, 1, 2].map((nth) => `${exampleOf("ordinary", nth)},honest,people`),
      ...[0, 1].map((nth) => `${exampleOf("new", nth)},fraud,people`),
      `${exampleOf("unused")},fraud,people`,
    ];
    await Deno.writeTextFile(
      path,
      `address,label,list\n${lines.join("\n")}\n`,
    );
    const settings = { ...settingsOf(simnet), KV_PATH: ":memory:" };
    const { code, out, err } = await evaluate([path, "--json"], settings);
    assertEquals(code, 0, err);
    const figures = JSON.parse(out);
    assertEquals([figures.model, figures.honest, figures.fraudulent], [
      "s4-2026.3",
      { "people (honest)": 3 },
      { "people (fraud)": 2 },
    ]);
    assertEquals(figures.unused.starter, 1);
    assertEquals(figures.auc.all.value, 1);
    assertMatch(figures.sha256, /^[0-9a-f]{64}$/);

    // A second run reads nothing again.
    const asked = simnet.calls.explorer.length;
    const report = await evaluate([path], settings);
    assertMatch(report.out, /^# s4-2026\.3 on labels\.csv/);
    assertEquals(simnet.calls.explorer.length, asked);

    // An address that cannot be read is named, and the others are evaluated.
    simnet.switches.explorer.set({ mode: "refuse" });
    const more = exampleOf("ordinary", 3);
    await Deno.writeTextFile(path, `${more},honest,people\n`, { append: true });
    const partial = await evaluate([path, "--json"], settings);
    assertEquals(partial.code, 0);
    assertMatch(partial.err, new RegExp(`${more} is left out: `));
    assertMatch(partial.err, /1 of 7 are left out; run again/);
    assertEquals(JSON.parse(partial.out).honest, { "people (honest)": 3 });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("without a file, and with a bad date, the usage is printed", async () => {
  for (const args of [[], ["labels.csv", "--as-of", "tomorrow"]]) {
    const { code, out } = await evaluate(args);
    assertEquals(code, 2);
    assert(out.startsWith("Usage: deno task evaluate"), out);
  }
});
