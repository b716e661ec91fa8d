/** The permission sets of `deno.json` list exactly what the settings require. */
import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { readConfig } from "../services/config.ts";
import {
  KV_TOKEN,
  listChainNeeds,
  listServiceNeeds,
  listVariableNeeds,
  type Need,
} from "../services/permissions.ts";
import { NAMED_SETTINGS } from "../simnet/permission_flags.ts";

type Lists = Record<string, unknown>;

const { permissions, tasks } = JSON.parse(
  await Deno.readTextFile(new URL("../deno.json", import.meta.url)),
);

const CONFIG = readConfig(NAMED_SETTINGS);

/** Local DNS resolvers on Linux: systemd-resolved and Docker. */
const LOCAL_RESOLVERS = ["127.0.0.53:53", "127.0.0.11:53"];

/** Files that pages are built from; `deno.json` holds the release version. */
const PAGES = ["./deno.json", "./static", "./routes/views/docs"];

const DATABASE = [NAMED_SETTINGS.KV_PATH];

/** A host that never exists: with an empty list, Deno allows its default registries. */
const NO_IMPORTS = ["nobody.invalid"];

const VARIABLES = [...valuesOf("env", listVariableNeeds()), KV_TOKEN];

/** The expected sets of programs that open the store. */
const EXPECTED: Record<string, Lists> = {
  service: {
    net: [...valuesOf("net", listServiceNeeds(CONFIG)), ...LOCAL_RESOLVERS],
    env: VARIABLES,
    read: [...PAGES, ...DATABASE],
    write: DATABASE,
    import: NO_IMPORTS,
  },
  job: {
    net: valuesOf("net", listChainNeeds(CONFIG)),
    env: VARIABLES,
    read: DATABASE,
    write: DATABASE,
    import: NO_IMPORTS,
  },
  operator: {
    env: VARIABLES,
    // Files to import can be anywhere, and no host is permitted.
    read: true,
    write: [...DATABASE, "./firn.ndjson", "./firn.ndjson.part", "/tmp"],
    import: NO_IMPORTS,
  },
};

function valuesOf(kind: Need["kind"], needs: readonly Need[]): string[] {
  const values = needs.filter((need) => need.kind === kind);
  return [...new Set(values.map(({ value }) => value))];
}

/** Sorts the lists, because their order has no meaning. */
function sorted(lists: Lists): Lists {
  const entries = Object.entries(lists).map(([kind, list]) => [
    kind,
    Array.isArray(list) ? list.toSorted() : list,
  ]);
  return Object.fromEntries(entries);
}

for (const [name, expected] of Object.entries(EXPECTED)) {
  Deno.test(`deno.json permissions: "${name}" lists exactly what the settings require`, () => {
    assertEquals(sorted(permissions[name]), sorted(expected));
  });
}

Deno.test("sorted() finds a missing or an additional entry", () => {
  const { service } = permissions;
  for (const [kind, list] of Object.entries<string[]>(service)) {
    for (const entry of list) {
      const less = { ...service, [kind]: list.filter((one) => one !== entry) };
      assertNotEquals(sorted(less), sorted(EXPECTED.service!), entry);
    }
    const more = { ...service, [kind]: [...list, "more"] };
    assertNotEquals(sorted(more), sorted(EXPECTED.service!), kind);
  }
  const wider = { ...service, run: true };
  assertNotEquals(sorted(wider), sorted(EXPECTED.service!));
});

Deno.test("deno.json tasks run programs with a permission set, and no other permission flag", () => {
  const commands = Object.entries<{ command: string }>(tasks)
    .map(([, { command }]) => command)
    .filter((command) => /^deno (run|test) /.test(command));
  assert(commands.length >= 7);
  for (const command of commands) {
    const [, set] = / -P=(\w+) /.exec(`${command} `)!;
    assert(set! in permissions, command);
    assert(!/--allow|--deny| -A\b/.test(command), command);
  }
});

Deno.test("deno.json permissions: only bench, demo and test may start programs", () => {
  const starters = Object.entries<Lists>(permissions)
    .filter(([, { run, ffi, all }]) => run ?? ffi ?? all)
    .map(([name]) => name);
  assertEquals(starters.toSorted(), ["bench", "demo", "test"]);
});
