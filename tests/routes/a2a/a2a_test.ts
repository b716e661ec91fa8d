/** `/a2a` and the agent card: the tools for other agents, by A2A 1.0. */
import { assert, assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { enrol } from "../../support/callers.ts";
import { connectionFrom } from "../../support/clients.ts";
import { testDeps } from "../../support/deps.ts";
import { connectInside } from "../../support/mcp.ts";

const PUBLIC_URL = "https://firn.test";
const ADDRESS = "0x52908400098527886e0f7030069857d2e4169ee7";

type App = ReturnType<typeof createApp>;

async function post(
  app: App,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await app.fetch(
    new Request(`${PUBLIC_URL}/a2a`, {
      method: "POST",
      body: new TextEncoder().encode(JSON.stringify(body)),
      headers: {
        "Host": "firn.test",
        "Content-Type": "application/json",
        "A2A-Version": "1.0",
        ...headers,
      },
    }),
    connectionFrom("192.0.2.1"),
  );
  return { response, body: await response.json() };
}

/** Sends one data part. */
function send(app: App, data: unknown, headers: Record<string, string> = {}) {
  const parts = [{ data }];
  const message = { messageId: "m1", role: "ROLE_USER", parts };
  const params = { message };
  const rpc = { jsonrpc: "2.0", id: 5, method: "SendMessage", params };
  return post(app, rpc, headers);
}

Deno.test("the agent card names an interface that answers, and every tool as a skill", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const response = await app.request("/.well-known/agent-card.json");
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Access-Control-Allow-Origin"), "*");
  const card = await response.json();
  for (
    const field of [
      "name",
      "description",
      "version",
      "capabilities",
      "defaultInputModes",
      "defaultOutputModes",
    ]
  ) assert(field in card, `${field} is required by A2A 1.0`);
  assertEquals(card.supportedInterfaces, [{
    url: `${PUBLIC_URL}/a2a`,
    protocolBinding: "JSONRPC",
    protocolVersion: "1.0",
  }]);
  await using mcp = await connectInside(deps);
  const { tools } = await mcp.client.listTools();
  type Skill = {
    id: string;
    tags: string[];
    securityRequirements?: { schemes: Record<string, unknown> }[];
  };
  const skills = card.skills as Skill[];
  assertEquals(skills.map(({ id }) => id), tools.map(({ name }) => name));
  assert(skills.every(({ tags }) => tags.length > 0));
  const keyed = skills.filter((skill) => skill.securityRequirements);
  assertEquals(keyed.map(({ id }) => id), ["get_score", "get_scores"]);
  for (const { id, tags } of skills) {
    const isScore = id.startsWith("get_score");
    assertEquals(
      tags,
      isScore
        ? ["avalanche", "wallet", "reputation"]
        : ["avalanche", "blockchain", "data"],
      id,
    );
  }
  assertEquals(card.capabilities, {
    streaming: false,
    pushNotifications: false,
    extendedAgentCard: false,
  });
  assertEquals(response.headers.get("Cache-Control"), "public, max-age=300");
  for (const { securityRequirements } of keyed) {
    const [{ schemes }] = securityRequirements as [{ schemes: object }];
    for (const name of Object.keys(schemes)) assert(card.securitySchemes[name]);
  }
});

Deno.test("a message to /a2a has the answer of the tool, and spends units as over HTTP", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const data = { skill: "list_chains", arguments: { search: "avax" } };
  const { body } = await send(app, data);
  assertEquals([body.jsonrpc, body.id], ["2.0", 5]);
  const { role, parts, metadata, ...rest } = body.result.message;
  assertEquals(Object.keys(rest), ["messageId"]);
  assertEquals([role, metadata], ["ROLE_AGENT", { isError: false }]);
  await using mcp = await connectInside(deps);
  const { answer } = await mcp.call("list_chains", data.arguments);
  assertEquals(parts[0].data, answer);

  const caller = await enrol(deps);
  const score = await send(app, {
    skill: "get_score",
    arguments: { address: ADDRESS },
  }, { "X-Api-Key": caller.key });
  assertEquals(score.body.result.message.parts[0].data.units.spent, 1);
  assert(score.response.headers.has("X-RateLimit-Remaining"));
  assertEquals(await caller.used(), 1);
  const refused = await send(app, {
    skill: "get_score",
    arguments: { address: ADDRESS },
  });
  const { message } = refused.body.result;
  assertEquals(message.metadata, { isError: true });
  assertEquals(message.parts[0].data.code, "UNAUTHORIZED");
});

Deno.test("a message that /a2a cannot answer is an error of A2A with its code", async (t) => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const call = (method: string, params?: unknown) =>
    post(app, { jsonrpc: "2.0", id: 1, method, params });
  const data = { skill: "list_chains", arguments: {} };
  const task = { jsonrpc: "2.0", id: 1, method: "GetTask", params: {} };
  const message = (fields: object) =>
    call("SendMessage", {
      message: { messageId: "m", role: "ROLE_USER", ...fields },
    });
  const cases: [name: string, answer: ReturnType<typeof post>, code: number][] =
    [
      ["an unknown skill", send(app, { skill: "transfer" }), -32005],
      ["text as data", send(app, "hello"), -32005],
      ["a text part", message({ parts: [{ text: "hello" }] }), -32005],
      ["a task", message({ parts: [{ data }], taskId: "t1" }), -32001],
      ["GetTask", call("GetTask"), -32001],
      ["SendStreamingMessage", call("SendStreamingMessage"), -32004],
      ["GetExtendedAgentCard", call("GetExtendedAgentCard"), -32004],
      ...["Create", "Get", "Delete"].map((verb) =>
        [
          `${verb} a push notification`,
          call(`${verb}TaskPushNotificationConfig`),
          -32003,
        ] as [string, ReturnType<typeof post>, number]
      ),
      [
        "ListTaskPushNotificationConfigs",
        call("ListTaskPushNotificationConfigs"),
        -32003,
      ],
      ["a method of version 0.3", call("message/send"), -32601],
      ["a method of every object", call("constructor"), -32601],
      ["no message", call("SendMessage"), -32602],
      ["no JSON-RPC", post(app, { id: 1 }), -32600],
      ["JSON-RPC 1.0", post(app, { ...task, jsonrpc: "1.0" }), -32600],
      ["an array", post(app, []), -32600],
      [
        "another version",
        send(app, { skill: "list_chains" }, { "A2A-Version": "0.3" }),
        -32009,
      ],
    ];
  for (const [name, answer, code] of cases) {
    await t.step(name, async () => {
      assertEquals((await answer).body.error.code, code);
    });
  }
  const { body } = await post(app, { jsonrpc: "2.0", id: "i" });
  assertEquals([body.id, body.error.code], ["i", -32600]);
});

Deno.test("/a2a speaks the version of the header or of the query, whatever its patch, and none is 0.3", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  for (
    const [query, version, code] of [
      ["", "1.0", -32001],
      ["", "1.0.1", -32001],
      ["?A2A-Version=1.0", undefined, -32001],
      ["", undefined, -32009],
      ["", "", -32009],
      ["", "0.3", -32009],
      ["", "1.1", -32009],
      ["", "1", -32009],
    ] as const
  ) {
    const body = { jsonrpc: "2.0", id: 1, method: "GetTask" };
    const response = await app.fetch(
      new Request(`${PUBLIC_URL}/a2a${query}`, {
        method: "POST",
        body: new TextEncoder().encode(JSON.stringify(body)),
        headers: {
          "Host": "firn.test",
          ...(version === undefined ? {} : { "A2A-Version": version }),
        },
      }),
      connectionFrom("192.0.2.1"),
    );
    const { id, error } = await response.json();
    assertEquals([id, error.code], [1, code], `${query} ${version}`);
  }
});

Deno.test("/a2a answers only under its own host, and to pages of no other origin", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const data = { skill: "list_chains" };
  for (
    const headers of [{ Host: "evil.test" }, { Origin: "https://evil.test" }]
  ) {
    const { response } = await send(app, data, headers as never);
    assertEquals(response.status, 403);
  }
});

Deno.test("/a2a returns the context and the id of a message, and refuses a body that is too large", async () => {
  using deps = await testDeps({ settings: { PUBLIC_URL } });
  const app = createApp(deps);
  const data = { skill: "list_chains", arguments: { search: "avax" } };
  const message = { messageId: "m", contextId: "c7", parts: [{ data }] };
  const rpc = { jsonrpc: "2.0", id: "x", method: "SendMessage" };
  const headers = { "A2A-Version": "1.0" };
  const { body } = await post(app, { ...rpc, params: { message } }, headers);
  assertEquals([body.id, body.result.message.contextId], ["x", "c7"]);
  const twice = { ...message, parts: [{ data }, { data }] };
  const two = await post(app, { ...rpc, params: { message: twice } }, headers);
  assertEquals([two.body.id, two.body.error.code], ["x", -32005]);
  const none = { ...message, parts: [] };
  const empty = await post(app, { ...rpc, params: { message: none } }, headers);
  assertEquals(empty.body.error.code, -32602);
  const wrong = await post(app, [], headers);
  assertEquals(wrong.body.id, null);
  const large = await post(app, { ...rpc, params: "a".repeat(1e5) }, headers);
  assertEquals(large.response.status, 413);
});
