import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readConfig } from "../../../services/config.ts";
import {
  findRefusedNameServer,
  listCommandNeeds,
  listServiceNeeds,
  type Need,
  requirePermitted,
} from "../../../services/operator/permissions.ts";
import { StartError } from "../../../services/start_error.ts";

const textOf = (need: Need) => `${need.for} ${need.kind} ${need.value}`;

/** Returns the needs that depend on the settings. */
const listNeeds = (settings: Record<string, string>) =>
  listServiceNeeds(readConfig(settings)).map(textOf)
    .filter((need) => /^[A-Z]/.test(need));

Deno.test("listServiceNeeds() lists each host with its port and its setting", () => {
  const needs = listNeeds({
    PORT: "9000",
    METRICS_API_URL: "http://metrics.test",
    METRICS_API_URLS:
      '{"2044":"https://beam.test","4337":"https://two.test:444/x"}',
    EXPLORER_API_URL: "https://explorer.test:8443/api?key=1",
    EXPLORER_AGGREGATIONS_URL: "https://totals.test/evm",
    CHAIN_RPC_URLS: '{"4337":"https://beam.test:8545/rpc"}',
    C_CHAIN_RPC_URL: "https://one.test/rpc, http://[::1]:8545",
    P_CHAIN_RPC_URL: "https://ÜBER.test/P",
  });
  assertEquals(needs, [
    "PORT net 0.0.0.0:9000",
    "METRICS_API_URL net metrics.test:80",
    "METRICS_API_URLS net beam.test:443",
    "METRICS_API_URLS net two.test:444",
    "EXPLORER_API_URL net explorer.test:8443",
    "EXPLORER_AGGREGATIONS_URL net totals.test:443",
    "CHAIN_RPC_URLS net beam.test:8545",
    "C_CHAIN_RPC_URL net one.test:443",
    "C_CHAIN_RPC_URL net [::1]:8545",
    "P_CHAIN_RPC_URL net xn--ber-goa.test:443",
  ]);
});

Deno.test("listServiceNeeds() lists the hosts of GitHub if GitHub accounts can be linked", () => {
  const needs = listNeeds({
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
    GITHUB_URL: "https://git.test",
  });
  assertEquals(needs.filter((need) => need.startsWith("GITHUB")), [
    "GITHUB_URL net git.test:443",
    "GITHUB_API_URL net api.github.com:443",
  ]);
});

Deno.test("listServiceNeeds() lists the permissions of each kind of database", () => {
  const config = readConfig({});
  const listNeeds = (kvPath: string | undefined, kvEndpointUrls: string[]) =>
    listServiceNeeds({ ...config, kvPath, kvEndpointUrls }).map(textOf)
      .filter((need) => /^KV_\w+ (?!env KV_)/.test(need));
  const cases: [kvPath: string | undefined, needs: string[]][] = [
    [undefined, []],
    [":memory:", []],
    ["/data/kv", [
      "KV_PATH read /data/kv",
      "KV_PATH write /data/kv",
      "KV_PATH sys statfs",
    ]],
    ["https://db.test/x", [
      "KV_PATH env DENO_KV_ACCESS_TOKEN",
      "KV_PATH net db.test:443",
    ]],
    ["http://127.0.0.1:4512", [
      "KV_PATH env DENO_KV_ACCESS_TOKEN",
      "KV_PATH net 127.0.0.1:4512",
    ]],
  ];
  for (const [kvPath, needs] of cases) {
    assertEquals(listNeeds(kvPath, []), needs);
  }
  const hosted = listNeeds("https://db.test/x", [
    "https://east.test/kv",
    "https://west.test:8443",
  ]);
  assertEquals(hosted.slice(2), [
    "KV_ENDPOINT_URLS net east.test:443",
    "KV_ENDPOINT_URLS net west.test:8443",
  ]);
});

Deno.test("listCommandNeeds() lists the file that a command names, and no host except for a job", () => {
  const file = (kind: string, value: string) => `${kind} ${value}`;
  const cases: [args: string[], files: string[]][] = [
    [["key", "create", "0xaa"], []],
    [["profiles", "import", "people.ndjson"], [file("read", "people.ndjson")]],
    [["import", "a b.ndjson"], [file("read", "a b.ndjson")]],
    [["import", "--keep-keys", "x"], [file("read", "x")]],
    [["import"], []],
    [["export", "/x/y"], [
      file("read", "/x/y.part"),
      file("write", "/x/y.part"),
      file("write", "/x/y"),
      file("read", "/temp"),
      file("write", "/temp"),
    ]],
    [["check-store"], [file("read", "/temp"), file("write", "/temp")]],
    [["job", "refresh-chains"], []],
  ];
  const config = readConfig({ KV_PATH: "./kv" });
  const database = [file("read", "./kv"), file("write", "./kv")];
  for (const [args, files] of cases) {
    const needs = listCommandNeeds(config, args, "/temp");
    const paths = needs.filter(({ kind }) =>
      kind === "read" || kind === "write"
    )
      .map(({ kind, value }) => file(kind, value));
    assertEquals(paths, [...database, ...files], args.join(" "));
    const hosts = needs.filter(({ kind }) => kind === "net");
    assertEquals(hosts.length, args[0] === "job" ? 5 : 0);
  }
});

Deno.test({
  name:
    "requirePermitted() names every setting without its permission in one line, and no value",
  permissions: { net: ["127.0.0.1:80"], env: "inherit" },
  fn() {
    const needs: Need[] = [
      { for: "A", kind: "net", value: "127.0.0.1:80" },
      { for: "B", kind: "net", value: "127.0.0.1:81" },
      { for: "C", kind: "write", value: "/data" },
      { for: "D", kind: "net", value: "d.test:443" },
    ];
    requirePermitted(needs.slice(0, 1));
    const { message } = assertThrows(() => requirePermitted(needs), StartError);
    assertEquals(
      message,
      "Cannot start: missing permissions: net for B, D; write for C; start with " +
        "deno task start, job or operator, or pass the flags that deno task permissions lists",
    );
    const spaced = assertThrows(
      () => requirePermitted([{ for: "E", kind: "read", value: "/a b" }]),
      StartError,
    );
    assertMatch(
      spaced.message,
      /: read for E; .*space or a comma; use another for E$/,
    );
  },
});

Deno.test({
  name:
    "findRefusedNameServer() finds the name server of the machine, which is not a setting",
  permissions: { net: false },
  async fn() {
    assertMatch(await findRefusedNameServer() ?? "", /^[[\]0-9a-f.:%]+:\d+$/);
  },
});
