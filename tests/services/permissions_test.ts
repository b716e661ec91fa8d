import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { readConfig } from "../../services/config.ts";
import {
  findRefusedNameServer,
  listDatabaseNeeds,
  listServiceNeeds,
  type Need,
  requirePermitted,
} from "../../services/permissions.ts";

const textOf = ({ setting, kind, value }: Need) =>
  `${setting} ${kind} ${value}`;

Deno.test("listServiceNeeds() lists each host with its port and its setting", () => {
  const config = readConfig({
    PORT: "9000",
    METRICS_API_URL: "http://metrics.test",
    EXPLORER_API_URL: "https://explorer.test:8443/api?key=1",
    C_CHAIN_RPC_URL: "https://one.test/rpc, http://[::1]:8545",
    P_CHAIN_RPC_URL: "https://ÜBER.test/P",
  });
  assertEquals(listServiceNeeds(config).map(textOf), [
    "PORT net 0.0.0.0:9000",
    "METRICS_API_URL net metrics.test:80",
    "EXPLORER_API_URL net explorer.test:8443",
    "C_CHAIN_RPC_URL net one.test:443",
    "C_CHAIN_RPC_URL net [::1]:8545",
    "P_CHAIN_RPC_URL net xn--ber-goa.test:443",
  ]);
});

Deno.test("listServiceNeeds() lists the hosts of GitHub if GitHub accounts can be linked", () => {
  const config = readConfig({
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
    GITHUB_URL: "https://git.test",
  });
  const needs = listServiceNeeds(config).map(textOf);
  assertEquals(needs.filter((need) => need.startsWith("GITHUB")), [
    "GITHUB_URL net git.test:443",
    "GITHUB_API_URL net api.github.com:443",
  ]);
});

Deno.test("listDatabaseNeeds() lists the permissions of each kind of database", () => {
  const cases: [kvPath: string | undefined, needs: string[]][] = [
    [undefined, []],
    [":memory:", []],
    ["/data/kv", ["KV_PATH read /data/kv", "KV_PATH write /data/kv"]],
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
    assertEquals(listDatabaseNeeds({ kvPath }).map(textOf), needs);
  }
});

Deno.test({
  name:
    "requirePermitted() lists all missing permissions by kind, with their settings",
  permissions: { net: ["127.0.0.1:80"], env: "inherit" },
  fn() {
    const needs: Need[] = [
      { setting: "A", kind: "net", value: "127.0.0.1:80" },
      { setting: "B", kind: "net", value: "127.0.0.1:81" },
      { setting: "C", kind: "write", value: "/data" },
      { setting: "D", kind: "net", value: "d.test:443" },
    ];
    requirePermitted(needs.slice(0, 1));
    const { message } = assertThrows(() => requirePermitted(needs), Error);
    assertEquals(message.split("\n").slice(0, 3), [
      "Cannot start: missing permissions",
      '  "net": "127.0.0.1:81" (B), "d.test:443" (D)',
      '  "write": "/data" (C)',
    ]);
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
