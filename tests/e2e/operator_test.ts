/** Operator commands on keys and plans, next to a service on the same database. */
import {
  assert,
  assertEquals,
  assertMatch,
  assertStringIncludes,
} from "@std/assert";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import {
  freePort,
  startOperator,
  startProgram,
  startService,
  untilAnswers,
} from "../support/processes/service.ts";

const WALLET = `0x${"AB".repeat(20)}`;

/** Returns a function that runs one command and waits for its end. */
function operatorOf(settings: Readonly<Record<string, string>>) {
  return async (...args: string[]) => {
    await using program = startOperator(settings, ...args);
    const { code, output } = await program.finish();
    return { code, output, last: output.trimEnd().split("\n").at(-1)! };
  };
}

Deno.test("operator changes of keys and plans apply at once in a running service", async () => {
  await using simnet = startSimnet();
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const settings = { KV_PATH: file, ...settingsOf(simnet) };
  const run = operatorOf(settings);
  await using service = await startService(settings);
  const ask = async (path: string, key: string) => {
    const headers = { "X-Api-Key": key };
    const response = await fetch(`${service.url}/api/v1${path}`, { headers });
    return { status: response.status, body: await response.json() };
  };
  const score = `/score/${exampleOf("ordinary")}`;

  const created = await run("key", "create", WALLET, "--name", "e2e");
  assertEquals(created.code, 0, created.output);
  assertMatch(created.last, /^firn_live_[0-9A-Za-z]{38}$/);
  const key = created.last;
  assertEquals(created.output.split(key).length, 2, "it is printed once");
  const [, id] = /^id ([0-9a-f-]{36})$/m.exec(created.output)!;
  assertEquals((await ask(score, key)).status, 200);
  assertEquals((await ask(`${score}/history`, key)).status, 402);

  const granted = await run("plan", "grant", WALLET, "builder", "--days", "7");
  assertEquals(granted.code, 0, granted.output);
  const [, until] = /^builder until (\S+)$/.exec(granted.last)!;
  const ahead = (Date.parse(until!) - Date.now()) / 86_400_000;
  assert(ahead > 6.9 && ahead <= 7, until);
  assertEquals((await ask(`${score}/history`, key)).status, 200);
  const { body } = await ask("/usage", key);
  assertEquals([body.plan, body.paidUntil], ["builder", until]);

  const listed = await run("key", "list", WALLET);
  assertMatch(
    listed.output,
    new RegExp(`^${id}  firn_live_\\w+…  \\d{4}-\\d\\d-\\d\\d  e2e$`, "m"),
  );
  assertEquals([listed.code, listed.last], [0, "1 key"]);
  assert(!listed.output.includes(key), "the whole key is shown once");

  const test = await run("key", "create", WALLET, "--test");
  assertEquals(test.code, 0, test.output);
  assertMatch(test.last, /^firn_test_[0-9A-Za-z]{38}$/);
  assertEquals((await ask("/usage", test.last)).status, 200);

  const revoked = await run("key", "revoke", id!);
  assertEquals([revoked.code, revoked.last], [0, "revoked"]);
  assertEquals((await ask(score, key)).status, 401);
  const again = await run("key", "revoke", id!);
  assertEquals(again.code, 1);
  assertMatch(again.last, /no key has the id/);
  assert(!service.output().includes(key));
  await Deno.remove(file);
});

Deno.test("check-store names the records that break a rule, and exits with 1", async () => {
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const run = operatorOf({ KV_PATH: file });
  const created = await run("key", "create", WALLET);
  const whole = await run("check-store");
  assertEquals(whole.code, 0, whole.output);
  assertEquals(whole.last, "5 records, 0 rules broken");
  {
    using kv = await Deno.openKv(file);
    await kv.delete(["wallet_keys", WALLET.toLowerCase()]);
  }
  const broken = await run("check-store");
  assertEquals(broken.code, 1, broken.output);
  assertMatch(
    broken.output,
    /^key-listed \["api_keys","[^"]+"\] breaks the rule "a wallet lists its working keys, and no revoked ones/m,
  );
  assertEquals(broken.last, "4 records, 1 rules broken");
  assert(!broken.output.includes(created.last));
  await Deno.remove(file);
});

Deno.test("invalid operator arguments exit with 2 and print what is accepted", async (t) => {
  const run = operatorOf({ KV_PATH: ":memory:" });
  const wallet = /expected 0x and 40 hexadecimal digits/;
  const plan =
    /Invalid plan .*: expected one of free, builder, growth, scale$/m;
  const days = /Invalid days .*: expected a whole number from 1 to 9999$/m;
  const cases: [args: string[], said: RegExp][] = [
    [["key", "create"], wallet],
    [
      ["key", "create", WALLET, "--nmae", "x"],
      /--nmae[^]*Usage: key create/,
    ],
    [["plan", "grant", WALLET, "gold"], plan],
    [["plan", "grant", WALLET, "scale", "--days", "0"], days],
    [["plan", "grant", WALLET, "scale", "--days", "1e3"], days],
    [["check-store", "--fix"], /Unknown option "--fix"\nUsage: check-store$/m],
    [["key", "revoke", "none", "--dry-run"], /needs a database file/],
    [["frobnicate", "x"], /^Unknown command "frobnicate x": expected one of/m],
  ];
  const answers = await Promise.all(cases.map(([args]) => run(...args)));
  for (const [nth, [args, said]] of cases.entries()) {
    await t.step(args.join(" "), () => {
      const { code, output } = answers[nth]!;
      assertMatch(output, said);
      assertEquals(code, 2, output);
      assert(!/^\s+at /m.test(output), output);
      assert(!output.includes("firn_live_"));
    });
  }
});

Deno.test("--dry-run shows what a command would do and changes nothing; --help explains one command", async () => {
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const run = operatorOf({ KV_PATH: file });
  const created = await run("key", "create", WALLET);
  const [, id] = /^id ([0-9a-f-]{36})$/m.exec(created.output)!;
  for (const isDry of [true, true, false]) {
    const given = ["key", "revoke", id!, ...isDry ? ["--dry-run"] : []];
    const { code, output, last } = await run(...given);
    assertEquals([code, last], [0, "revoked"], output);
    assertEquals(output.includes("nothing is changed"), isDry);
  }
  assertEquals((await run("key", "revoke", id!)).code, 1, "it is revoked");
  const help = await run("plan", "grant", "--help");
  assertMatch(help.output, /plan grant <wallet> <plan>.*\[--dry-run\]/);
  assert(!help.output.includes("key create"));
  await Deno.remove(file);
});

Deno.test("on Deno Deploy the service says what to do until the store has an id", async () => {
  await using simnet = startSimnet();
  const file = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const port = freePort();
  const url = `http://localhost:${port}`;
  const settings = {
    ...settingsOf(simnet),
    KV_PATH: file,
    PORT: String(port),
    PUBLIC_URL: url,
    DENO_DEPLOY: "1",
  };
  {
    await using service = startProgram(["task", "start"], settings);
    await untilAnswers(`${url}/live`, service);
    for (const path of ["/live", "/api/v1/health", "/"]) {
      const response = await fetch(`${url}${path}`);
      assertEquals(response.status, 503);
      assertStringIncludes(await response.text(), "operator store init");
    }
  }
  const run = operatorOf({ KV_PATH: file });
  const first = await run("store", "init");
  assertMatch(first.last, /^store [0-9a-f-]{36}$/);
  assertEquals((await run("store", "init")).last, first.last);
  await using service = startProgram(["task", "start"], settings);
  await untilAnswers(`${url}/live`, service);
  const response = await fetch(`${url}/live`);
  assertEquals([response.status, await response.json()], [200, {
    status: "ok",
  }]);
  await Deno.remove(file);
});

Deno.test("every command of --help does its work through its task, with the permissions that it has", async (t) => {
  const folder = await Deno.makeTempDir();
  const settings = { KV_PATH: `${folder}/firn.sqlite3` };
  const profiles = `${folder}/profiles.ndjson`;
  await Deno.writeTextFile(profiles, `{"address": "${WALLET}"}\n`);
  const { output } = await operatorOf(settings)("--help");
  const names = [...output.matchAll(/^ {2}([a-z]\S*(?: [a-z]\S*)?)/gm)]
    .map(([, name]) => name!);
  const backup = `${folder}/backup.ndjson`;
  /** The arguments, and the status: 1 where there is nothing to work on. */
  const given: Readonly<Record<string, readonly [number, ...string[]]>> = {
    "job": [0, "record-scores"],
    "key create": [0, WALLET],
    "key list": [0, WALLET],
    "key revoke": [1, "none"],
    "plan grant": [0, WALLET, "builder"],
    "profiles import": [0, profiles],
    "profiles verify-human": [0, WALLET],
    "profiles hide": [0, WALLET],
    "profiles show": [0, WALLET],
    "forget-series": [1, "1", "txCount"],
    "doubts list": [0],
    "doubts accept": [1, "43114", "gasUsed", "--by", "Ada"],
    "doubts refuse": [1, "43114", "gasUsed", "--by", "Ada"],
    "score": [1, WALLET],
    "export": [0, backup],
    "import": [1, backup],
    "check-store": [0],
    "store init": [0],
  };
  assertEquals(names.toSorted(), Object.keys(given).toSorted());
  for (const [name, [expected, ...args]] of Object.entries(given)) {
    await t.step(name, async () => {
      const command = ["task", "operator", ...name.split(" "), ...args];
      await using running = startProgram(command, settings);
      const { code, output } = await running.finish();
      assertEquals(code, expected, output);
      assert(!/NotCapable|Requires \w+ access|at file:/.test(output), output);
    });
  }
  await Deno.remove(folder, { recursive: true });
});
