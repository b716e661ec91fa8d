/** The files that others run the service with: container, compose, systemd unit, bill of materials. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { Ajv } from "@redocly/ajv/dist/ajv.js";
import addFormats from "ajv-formats";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { parse } from "yaml";
import { makeBill } from "../../packaging/sbom.ts";
import { createApp } from "../../routes/app.ts";
import { readConfig } from "../../services/config.ts";
import { VERSION } from "../../services/platform/version.ts";
import { testDeps } from "../support/deps.ts";
import { ROOT } from "../support/processes/service.ts";

const read = (path: string) => Deno.readTextFile(new URL(path, ROOT));
const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);

Deno.test("the Dockerfile has no lint, two stages of one pinned image, and a user without rights", async () => {
  const file = await read("Dockerfile");
  assertEquals(validate(file), []);
  const steps = DockerfileParser.parse(file).getInstructions();
  const argumentsOf = (keyword: string) =>
    steps.filter((step) => step.getKeyword() === keyword)
      .map((step) => step.getRawArgumentsContent()!);
  assertEquals(argumentsOf("FROM"), [
    "denoland/deno:2.9.6 AS packages",
    "denoland/deno:2.9.6",
  ]);
  assertEquals(argumentsOf("USER"), ["deno"]);
  assert(argumentsOf("RUN")[0]!.startsWith("deno install --frozen "));
  assert(argumentsOf("COPY").every((copy) => !/\.env|\.git\b/.test(copy)));
});

Deno.test("validate() finds an invalid instruction of a Dockerfile", () => {
  assert(validate("FROM deno\nRUM true\n").length > 0);
});

Deno.test("compose.yaml keeps the database on a volume and gives the container no rights", async () => {
  const { services: { firn }, volumes } = parse(await read("compose.yaml"));
  const [volume, path] = firn.volumes[0].split(":");
  assert(volume in volumes);
  assert(firn.environment.KV_PATH.startsWith(`${path}/`));
  assertEquals(firn.env_file, [{ path: ".env", required: false }]);
  assertEquals(firn.ports, [`\${PORT:-8000}:${firn.environment.PORT}`]);
  assertEquals(
    [firn.read_only, firn.cap_drop, firn.security_opt],
    [true, ["ALL"], ["no-new-privileges:true"]],
  );
  assert(parseInt(firn.stop_grace_period) > 10);
});

/** Replaces `${NAME:-default}` as compose does, the inner ones first: an empty value counts as unset. */
function interpolate(text: string, env: Record<string, string>): string {
  const replaced = text.replaceAll(
    /\$\{(\w+):-([^${}]*)\}/g,
    (_, name, unset) => env[name] || unset,
  );
  return replaced === text ? text : interpolate(replaced, env);
}

Deno.test("compose.yaml gives the service the URL of its port on the host, or PUBLIC_URL", async () => {
  const file = await read("compose.yaml");
  const urlWith = (env: Record<string, string>) => {
    const { firn } = parse(interpolate(file, env)).services;
    // Values of `environment` replace those of `.env`.
    const { publicUrl } = readConfig({ ...env, ...firn.environment });
    return [publicUrl, firn.ports[0]];
  };
  assertEquals(urlWith({}), ["http://localhost:8000", "8000:8000"]);
  const PORT = "9000";
  const here = ["http://localhost:9000", "9000:8000"];
  assertEquals(urlWith({ PORT }), here);
  assertEquals(urlWith({ PORT, PUBLIC_URL: "" }), here);
  assertEquals(urlWith({ PORT, PUBLIC_URL: "https://firn.test" }), [
    "https://firn.test",
    "9000:8000",
  ]);
});

Deno.test("the systemd unit starts a task, waits for a stop, and is hardened", async () => {
  const unit = await read("packaging/firn.service");
  const lines = unit.split("\n").filter((line) => /^\w+=/.test(line));
  const values = Map.groupBy(
    lines.map((line) => line.split(/=(.*)/, 2)),
    ([name]) => name,
  );
  const valueOf = (name: string) => values.get(name)?.map(([, value]) => value);
  const { tasks } = JSON.parse(await read("deno.json"));
  const [, task] = /task --quiet (\w+)$/.exec(valueOf("ExecStart")![0]!)!;
  assert(task! in tasks);
  assert(Number(valueOf("TimeoutStopSec")) > 10);
  const state = `/var/lib/${valueOf("StateDirectory")}`;
  assert(valueOf("Environment")!.includes(`KV_PATH=${state}/firn.sqlite3`));
  for (
    const [name, value] of Object.entries({
      DynamicUser: "yes",
      NoNewPrivileges: "yes",
      CapabilityBoundingSet: "",
      ProtectSystem: "strict",
      ProtectHome: "yes",
      PrivateTmp: "yes",
      PrivateDevices: "yes",
      RestrictNamespaces: "yes",
    })
  ) assertEquals(valueOf(name), [value], name);
  // The engine compiles at run time and could not start.
  assertEquals(valueOf("MemoryDenyWriteExecute"), undefined);
});

/** What the image installs: the programs of the Dockerfile's step. */
const PROGRAMS = /deno install --frozen --entrypoint (.+)/;

/** Modules and packages of a program, as `deno info --json` lists them. */
interface Graph {
  readonly modules: readonly {
    readonly kind?: string;
    readonly npmPackage?: string;
  }[];
  readonly npmPackages: Record<string, { readonly dependencies: string[] }>;
}

/** Returns the packages that the programs load, with what these need. */
async function packagesOf(
  programs: readonly string[],
  lock: string,
): Promise<string[]> {
  const needed = new Set<string>();
  for (const program of programs) {
    const { stdout } = await new Deno.Command(Deno.execPath(), {
      args: ["info", "--json", `--lock=${lock}`, program],
      cwd: ROOT,
    }).output();
    const { modules, npmPackages }: Graph = JSON.parse(text(stdout));
    const add = (name: string): void => {
      if (needed.has(name)) return;
      needed.add(name);
      npmPackages[name]!.dependencies.forEach(add);
    };
    for (const { npmPackage } of modules) if (npmPackage) add(npmPackage);
  }
  return [...needed].sort();
}

Deno.test("the locks of the programs and of the demo hold their packages, and none of the tests: an install brings all that a lock holds", async () => {
  const [, list] = PROGRAMS.exec(await read("Dockerfile"))!;
  const programs = list!.split(" ");
  const { tasks } = JSON.parse(await read("deno.json"));
  assertMatch(tasks.demo.command, / --lock=simnet\/deno\.lock /);
  for (
    const [lock, loaded] of [
      ["deno.lock", programs],
      ["simnet/deno.lock", [...programs, "simnet/demo.ts"]],
    ] as const
  ) {
    const { npm } = JSON.parse(await read(lock));
    assertEquals(Object.keys(npm).sort(), await packagesOf(loaded, lock));
  }
});

Deno.test("makeBill() lists every package of the lock with its hash, and follows the CycloneDX schema", async () => {
  const lock = JSON.parse(await read("deno.lock"));
  const bill = JSON.parse(makeBill(lock));
  assertEquals(bill.components.length, Object.keys(lock.npm).length);
  assertEquals(bill.metadata.component.version, VERSION);
  for (const { purl, hashes } of bill.components) {
    assertMatch(purl, /^pkg:npm\/(%40[\w-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
    assertMatch(hashes[0].content, /^[0-9a-f]{128}$/);
  }
  const known = new Set(
    bill.dependencies.map(({ ref }: { ref: string }) => ref),
  );
  const firn = bill.dependencies.find(({ ref }: { ref: string }) =>
    ref === "firn"
  );
  assertEquals(firn.dependsOn.length, Object.keys(lock.specifiers).length);
  assert(firn.dependsOn.every((ref: string) => known.has(ref)));

  const ajv = new Ajv({ strict: false, validateFormats: true });
  addFormats.default(ajv as never);
  const folder = new URL(
    "./res/schema/",
    import.meta.resolve("@cyclonedx/cyclonedx-library/package.json"),
  );
  const schema = async (name: string) =>
    JSON.parse(
      await Deno.readTextFile(new URL(`${name}.SNAPSHOT.schema.json`, folder)),
    );
  for (const name of ["spdx", "jsf-0.82"]) {
    const { $id: _, ...rest } = await schema(name);
    ajv.addSchema(
      rest,
      `http://cyclonedx.org/schema/${name}.SNAPSHOT.schema.json`,
    );
  }
  const isValid = ajv.compile(await schema("bom-1.6"));
  assert(isValid(bill), ajv.errorsText(isValid.errors));
  const other = JSON.parse(makeBill(lock));
  other.components[0].hashes[0].content = "none";
  assert(!isValid(other));
});

Deno.test("health, OpenAPI and CHANGELOG.md name one version", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const ask = async (path: string) => await (await app.request(path)).json();
  const [, newest] = /^## (\d+\.\d+\.\d+)$/m.exec(await read("CHANGELOG.md"))!;
  assertEquals(
    [
      (await ask("/api/v1/health")).version,
      (await ask("/openapi.json")).info.version,
      newest,
    ],
    [VERSION, VERSION, VERSION],
  );
});
