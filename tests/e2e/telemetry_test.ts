/** The export to an OpenTelemetry collector: traces, logs and metrics, without secrets. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { exampleOf } from "../../simnet/accounts.ts";
import { settingsOf, startSimnet } from "../../simnet/start.ts";
import { createApiKey } from "../../services/accounts/api_keys.ts";
import { WALLET } from "../support/callers.ts";
import { logged } from "../support/logged.ts";
import { type Span, startCollector } from "../support/telemetry/collector.ts";
import { testDeps } from "../support/deps.ts";
import { startService } from "../support/processes/service.ts";

const PRIVATE_KEY = `0x${"5ec7e7a1".repeat(8)}`;

/** Secrets from clients and settings that must not be exported. */
const SECRETS = {
  privateKey: PRIVATE_KEY.slice(2),
  clientSecret: "ghs_theclientsecretofthisapp",
  session: "TheTokenOfASession0123456789abcdefghijklmno",
  bearer: "TheTokenOfABearer",
  code: "TheCodeOfASignIn",
  state: "TheStateOfASignIn",
  email: "somebody@mail.example",
};

/** Span kinds of OTLP. */
const [INTERNAL, SERVER, CLIENT] = [1, 2, 3];
const FAILED = 2;

async function createKey(kvPath: string): Promise<string> {
  using deps = await testDeps({ kvPath });
  await deps.store.entries.putExport(Date.now());
  const { key } = (await createApiKey(deps, { wallet: WALLET, name: "e2e" }))!;
  return key;
}

const requestId = ({ attributes }: Span) => attributes["firn.request_id"];

Deno.test("a service exports requests, upstream calls, jobs and its log, without secrets", async (t) => {
  await using simnet = startSimnet();
  await using collector = startCollector();
  const kvPath = await Deno.makeTempFile({ suffix: ".sqlite3" });
  const key = await createKey(kvPath);
  await using service = await startService({
    KV_PATH: kvPath,
    ATTESTATION_PRIVATE_KEY: PRIVATE_KEY,
    ATTESTATION_CONTRACT: `0x${"a7".repeat(20)}`,
    GITHUB_CLIENT_ID: "firn",
    GITHUB_CLIENT_SECRET: SECRETS.clientSecret,
    ...settingsOf(simnet),
    ...collector.settings,
  });
  const headers = {
    "X-Api-Key": key,
    "Cookie": `firn_session=${SECRETS.session}`,
    "User-Agent": SECRETS.email,
  };
  const ask = async (path: string, init: Record<string, string> = {}) => {
    const response = await fetch(service.url + path, {
      headers: { ...headers, ...init },
    });
    return { response, body: await response.text() };
  };
  const spanOf = (id: string) =>
    collector.find(({ spans }) => spans.find((span) => requestId(span) === id));

  await t.step(
    "a request span has its route and its database counts",
    async () => {
      const id = "asked-at-3-am";
      const path = `/api/v1/score/${exampleOf("ordinary")}`;
      const { response } = await ask(path, {
        "X-Request-Id": id,
        // Callers must not choose the trace of the service.
        "traceparent": `00-${"ab".repeat(16)}-${"cd".repeat(8)}-01`,
      });
      assertEquals(response.status, 200);
      const span = await spanOf(id);
      assertEquals(span.name, "GET /api/v1/score/:address");
      assertEquals([span.kind, span.parentSpanId], [SERVER, ""]);
      assertEquals(span.attributes["http.route"], "/api/v1/score/:address");
      assertEquals(Number(span.attributes["http.response.status_code"]), 200);
      for (const count of ["reads", "keys_read", "commits", "mutations"]) {
        assert(Number(span.attributes[`firn.kv.${count}`]) > 0, count);
      }

      const call = await collector.find(({ spans }) =>
        spans.find(({ name, parentSpanId }) =>
          name === "explorer txlist" && parentSpanId === span.spanId
        )
      );
      assertEquals([call.kind, call.traceId], [CLIENT, span.traceId]);
      const { hostname, port } = new URL(simnet.urls.explorer);
      assertEquals(call.attributes["server.address"], hostname);
      assertEquals(Number(call.attributes["server.port"]), Number(port));
    },
  );

  await t.step("a cached answer has a span", async () => {
    const path = `/api/v1/score/${exampleOf("ordinary")}`;
    const { response } = await ask(path);
    const span = await spanOf(response.headers.get("X-Request-Id")!);
    assertEquals(span.attributes["http.route"], "/api/v1/score/:address");
  });

  await t.step(
    "a failed request has the same id in answer, log, trace and upstream call",
    async () => {
      simnet.switches.explorer.set({ mode: "status", status: 502 });
      simnet.switches.cChainRpc.set({ mode: "status", status: 502 });
      const { response } = await ask(`/api/v1/score/0x${"12".repeat(20)}`);
      assertEquals(response.status, 500);
      const id = response.headers.get("X-Request-Id")!;
      const line = await collector.find(({ logs }) =>
        logs.find(({ body }) => body.includes(id))
      );
      const logged = JSON.parse(line.body);
      assertEquals(logged.event, "request.unavailable");
      assertEquals(logged.route, "/api/v1/score/:address");
      assert(
        service.output().includes(line.body.trim()),
        "stderr has the same line",
      );
      const span = await spanOf(id);
      assertEquals(
        [line.severityText, line.traceId, logged.traceId],
        ["WARN", span.traceId, span.traceId],
      );
      assertEquals(span.status.code, FAILED);
      const call = await collector.find(({ spans }) =>
        spans.find(({ traceId, kind, status }) =>
          traceId === span.traceId && kind === CLIENT && status.code === FAILED
        )
      );
      assertEquals(call.attributes["error.type"], "Refused");
      const [event] = call.events;
      assertEquals(event!.name, "exception");
      assertMatch(JSON.stringify(event!.attributes), /status is 502/);
    },
  );

  await t.step("a job has its own trace", async () => {
    const job = await collector.find(({ spans }) =>
      spans.find(({ name }) => name === "job snapshot-validators")
    );
    assertEquals([job.kind, job.parentSpanId], [INTERNAL, ""]);
    assertMatch(String(job.attributes["firn.job.outcome"]), /snapshot taken/);
    assert(Number(job.attributes["firn.kv.commits"]) > 0);
    const call = await collector.find(({ spans }) =>
      spans.find(({ parentSpanId }) => parentSpanId === job.spanId)
    );
    assertEquals(call.name, "pChain platform.getCurrentValidators");
    await collector.find(({ logs }) =>
      logs.find(({ traceId, body }) =>
        traceId === job.traceId && body.includes('"event":"job.ended"')
      )
    );
  });

  await t.step("no exported byte contains a secret", async () => {
    const { bearer, code, state, email } = SECRETS;
    const paths = [
      `/api/v1/score/${key}?key=${key}`,
      `/api/v1/score/${key.replaceAll("_", "%5F")}`,
      `/account/link/github?code=${code}&state=${state}`,
      `/api/chain-data/metrics?email=${encodeURIComponent(email)}&key=${key}`,
      `/${key}/${email}`,
    ];
    const last = "the-last-request";
    for (const path of paths) {
      await ask(path, {
        "Authorization": `Bearer ${bearer}`,
        "X-Request-Id": path === paths.at(-1) ? last : key,
      });
    }
    await spanOf(last);
    await collector.find(({ text }) =>
      text.includes("http.server.request.duration") ? true : undefined
    );
    const exported = collector.received.text + service.output();
    for (const [name, secret] of Object.entries({ ...SECRETS, key })) {
      assert(!exported.includes(secret), `${name} got out`);
      assert(!exported.includes(encodeURIComponent(secret)), name);
    }
    assert(exported.includes("firn_live_…"), "the id of a request was a key");
  });

  await t.step(
    "no span repeats an attribute, and Deno's own spans are not exported",
    () => {
      const { spans } = collector.received;
      for (const { name, names } of spans) {
        assertEquals(new Set(names).size, names.length, name);
        assert(!names.some((attribute) => attribute.startsWith("url.")), name);
      }
    },
  );

  await t.step("gauges are exported, each with its value", async () => {
    for (
      const name of [
        "firn.source.lag",
        "firn.job.age",
        "firn.explorer.calls_left",
        "firn.store.size",
        "firn.store.conflicts",
        "firn.backup.age",
      ]
    ) {
      await collector.find(({ gauges }) => gauges.has(name) || undefined);
    }
  });

  await t.step("the start says where the store is, and who may read it", () => {
    const [listening] = logged(
      service.output().split("\n"),
      "service.listening",
    );
    assertEquals(listening?.store, kvPath);
    assertMatch(String(listening?.mode), /^6[04][04]$/);
  });

  await t.step("every line of the service is one JSON object", () => {
    for (const line of service.output().trim().split("\n")) {
      assertEquals(typeof JSON.parse(line).event, "string", line);
    }
  });

  await t.step("/status.json reports the export", async () => {
    const { body } = await ask("/status.json");
    assertEquals(JSON.parse(body).process.telemetry, { exported: true });
  });
  await Deno.remove(kvPath);
});
