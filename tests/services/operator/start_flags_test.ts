import { assert, assertEquals } from "@std/assert";
import {
  PICTURE_FILES,
  VENDOR,
} from "../../../services/platform/package_files.ts";
import { findMisspelt, SETTING_NAMES } from "../../../services/settings.ts";
import { startFlags } from "../../../services/operator/start_flags.ts";

/** Returns the value of a flag. */
function valueOf(flags: readonly string[], name: string): string | undefined {
  return flags.find((flag) => flag.startsWith(`--${name}=`))?.split("=")[1];
}

Deno.test("startFlags() permits the service its settings, port, hosts, pages and name servers, and nothing else", () => {
  const flags = startFlags("service", { KV_PATH: "/data/firn.sqlite3" }, {
    nameServers: ["10.0.0.53", "10.0.0.53", "fd00::53", "[fd00::54]:5353"],
  });
  assertEquals(flags.map((flag) => flag.split("=")[0]), [
    "--no-prompt",
    "--allow-env",
    "--allow-net",
    "--allow-read",
    "--allow-write",
    "--allow-sys",
    "--v8-flags",
  ]);
  assertEquals(valueOf(flags, "allow-env"), SETTING_NAMES.join(","));
  assertEquals(
    valueOf(flags, "allow-net"),
    "0.0.0.0:8000,metrics.avax.network:443,api.routescan.io:443,cdn.routescan.io:443,api.avax.network:443," +
      "10.0.0.53:53,[fd00::53]:53,[fd00::54]:5353",
  );
  assertEquals(
    valueOf(flags, "allow-read"),
    "/data/firn.sqlite3,./CHANGELOG.md,./deno.json,./static,./routes/docs/guides,./routes/pages/picture_worker.ts," +
      [...PICTURE_FILES, ...Object.values(VENDOR)]
        .map((url) => new URL(url).pathname).join(),
  );
  assertEquals(valueOf(flags, "allow-write"), "/data/firn.sqlite3");
  assertEquals(valueOf(flags, "allow-sys"), "statfs");
});

Deno.test("startFlags() leaves a path with a comma out, because Deno would read two paths", () => {
  const flags = startFlags("job", { KV_PATH: "/a,/" });
  assertEquals(flags.map((flag) => flag.split("=")[0]), [
    "--no-prompt",
    "--allow-env",
    "--allow-net",
  ]);
});

Deno.test("startFlags() permits a job no port, no pages and no name server", () => {
  const flags = startFlags("job", {}, { nameServers: ["10.0.0.53"] });
  assertEquals(
    valueOf(flags, "allow-net"),
    "metrics.avax.network:443,api.routescan.io:443,cdn.routescan.io:443,api.avax.network:443",
  );
  assertEquals(flags.length, 3);
});

Deno.test("startFlags() permits the operator no host", () => {
  const args = ["export", "/backups/firn.ndjson"];
  const flags = startFlags("operator", { KV_PATH: "./kv" }, { args });
  assertEquals(valueOf(flags, "allow-net"), undefined);
  assertEquals(
    valueOf(flags, "allow-write"),
    "./kv,/backups/firn.ndjson.part,/backups/firn.ndjson,/tmp",
  );
});

Deno.test("startFlags() permits only the variables if a setting is invalid, so that the program reports it", () => {
  const flags = startFlags("service", { PORT: "eighty" });
  assertEquals(flags.length, 3);
  assert(valueOf(flags, "allow-env")!.includes("PORT,"));
});

Deno.test("deno.json: tasks that serve or keep data take their permissions from start_flags.ts", async () => {
  const { tasks, permissions } = JSON.parse(
    await Deno.readTextFile(new URL("../../../deno.json", import.meta.url)),
  );
  for (
    const [task, name, entry] of [
      ["start", "service", "main.ts"],
      ["job", "job", "operator.ts job"],
      ["doctor", "doctor", "doctor.ts"],
    ]
  ) {
    assertEquals(
      tasks[task!].command,
      `deno run $(deno run --no-prompt --allow-env --allow-sys=networkInterfaces start_flags.ts ${name}) ${entry}`,
    );
  }
  const starters = Object.entries<Record<string, unknown>>(permissions)
    .filter(([, { run, ffi, all }]) => run ?? ffi ?? all)
    .map(([name]) => name);
  assertEquals(starters.toSorted(), ["bench", "demo", "test"]);
});

Deno.test("findMisspelt() names a variable that looks like a setting, and no other one", () => {
  const given = ["KV_PTAH", "TREASURY_ADRESS", "EXPLORER_APIKEY", "public_url"];
  assertEquals(findMisspelt([...given, ...SETTING_NAMES]), [
    { given: "KV_PTAH", meant: "KV_PATH" },
    { given: "TREASURY_ADRESS", meant: "TREASURY_ADDRESS" },
    { given: "EXPLORER_APIKEY", meant: "EXPLORER_API_KEY" },
    { given: "public_url", meant: "PUBLIC_URL" },
  ]);
  const others = [
    "PATH",
    "HOME",
    "MANPATH",
    "GITHUB_REF",
    "GITHUB_ENV",
    "LANG",
  ];
  assertEquals(findMisspelt([...others, "NODE_PATH", "TMPDIR", "XPORT"]), []);
});

Deno.test("start_flags.ts says so as a line of the log, beside the flags", async () => {
  const { stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-env",
      "--allow-sys=networkInterfaces",
      "start_flags.ts",
      "service",
    ],
    cwd: new URL("../../../", import.meta.url),
    env: { KV_PTAH: "secret" },
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes).trim();
  const { event, warning } = JSON.parse(text(stderr));
  assertEquals(event, "settings.unknown");
  assertEquals(warning, "KV_PTAH is no setting: did you mean KV_PATH?");
  assert(!text(stderr).includes("secret"));
  assert(text(stdout).startsWith("--no-prompt"));
});
