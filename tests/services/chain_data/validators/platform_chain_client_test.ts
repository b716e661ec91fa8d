import { assertEquals } from "@std/assert";
import type { Http } from "../../../../services/platform/http/http_client.ts";
import { platformChain } from "../../../../services/chain_data/validators/platform_chain_client.ts";
import {
  assertFaults,
  CALL_OPTIONS,
  type FailureRow,
  httpThat,
} from "../../../support/upstreams.ts";

const URL_OF_RPC = "http://up.test/ext/bc/P";

const read = (http: Http) =>
  platformChain(http, URL_OF_RPC).readValidators(CALL_OPTIONS);

const result = (...validators: unknown[]) =>
  Response.json({ jsonrpc: "2.0", id: 1, result: { validators } });

/** A validator with all fields of a node, also unused ones. */
const validator = (fields: Record<string, unknown> = {}) => ({
  txID: "2NNkpYTGfTFLSGXJcHtVv6drwVU2cczhmjK2uhvwDyxwsjzZMm",
  nodeID: "NodeID-5mb46qkSBj81k9g9e4VFjGGSbaaSLFRzD",
  uptime: "99.9",
  connected: true,
  weight: "2000000000000",
  delegatorCount: "1",
  delegatorWeight: "25000000000",
  ...fields,
});

/** The same validator without some fields. */
const without = (...names: string[]) =>
  Object.fromEntries(
    Object.entries(validator()).filter(([name]) => !names.includes(name)),
  );

Deno.test("readValidators makes one call", async () => {
  const { http, asked } = httpThat(() => result(validator()));
  await read(http);
  const [request] = asked;
  assertEquals(asked.length, 1);
  assertEquals([request!.method, request!.url], ["POST", URL_OF_RPC]);
  assertEquals(request!.headers.get("Content-Type"), "application/json");
  assertEquals(await request!.json(), {
    jsonrpc: "2.0",
    id: 1,
    method: "platform.getCurrentValidators",
    params: {},
  });
});

Deno.test("readValidators sums stakes exactly in nAVAX", async () => {
  const { http } = httpThat(() =>
    result(
      validator({ weight: "163406319077503701", delegatorCount: "3" }),
      validator({ nodeID: "2", weight: undefined, stakeAmount: "2" }),
      validator({
        ...{ nodeID: "3", weight: 5 },
        ...{ delegatorCount: 0, delegatorWeight: "0" },
      }),
      validator({ nodeID: "4", weight: "7", stakeAmount: "7" }),
    )
  );
  assertEquals(await read(http), {
    body: {
      validators: 4,
      delegators: 5,
      validatorStake: 163406319077503715n,
      delegatorStake: 75000000000n,
    },
    unread: [],
    source: "P-Chain RPC (up.test)",
  });
});

Deno.test("readValidators accepts a response of two megabytes", async () => {
  const signer = { publicKey: "0x".padEnd(1_700, "a") };
  const { http } = httpThat(() =>
    result(
      ...Array.from({ length: 1_200 }, (_, nth) =>
        validator({ nodeID: `${nth}`, signer })),
    )
  );
  assertEquals((await read(http)).body.delegators, 1_200);
});

Deno.test("readValidators turns every failure into a fault", async (t) => {
  const error = (code: number, message: string) => () =>
    Response.json({ jsonrpc: "2.0", error: { code, message }, id: 1 });
  const failures: FailureRow[] = [
    ["an error", error(-32000, "not ready\n"), /: it refused the call$/],
    ["too many calls", error(-32005, "limit exceeded"), /is reached$/, 30_000],
    [
      "no result",
      () => Response.json({ jsonrpc: "2.0", id: 1 }),
      /another shape/,
    ],
    ["no validators", () => result(), /another shape/],
    [
      "no delegatorCount",
      () => result(without("delegatorCount")),
      /another shape/,
    ],
    [
      "no delegatorWeight",
      () => result(without("delegatorWeight")),
      /another shape/,
    ],
    ["no stake at all", () => result(without("weight")), /another shape/],
    [
      "a broken stake",
      () => result(validator({ weight: "1.5" })),
      /another shape/,
    ],
    [
      "a rounded stake",
      () => result(validator({ weight: 2 ** 53 })),
      /another shape/,
    ],
    [
      "a negative stake",
      () => result(validator({ weight: "-1" })),
      /another shape/,
    ],
  ];
  await assertFaults(t, read, failures);
});
