/** A source that asks for a pause: it is no failure of it, and no limit of the caller. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import { Fault } from "../../services/platform/fault.ts";
import { readSignals } from "../../services/scores/signals/address_signals.ts";
import {
  planRequester,
  visitorRequester,
} from "../../services/platform/rate_limit/call_budget.ts";
import { PLANS } from "../../services/payments/plans_schema.ts";
import { readScore } from "../../services/scores/scores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import {
  asFetch,
  simulateUpstreams,
  UPSTREAM_PATHS,
} from "../../simnet/upstreams.ts";
import { testDeps } from "../support/deps.ts";

const REQUESTERS = {
  free: visitorRequester("192.0.2.1"),
  paid: planRequester(`0x${"bb".repeat(20)}`, PLANS.growth.turns),
};

for (const [name, requester] of Object.entries(REQUESTERS)) {
  Deno.test(`one 429 of a healthy node fails no cold score of a ${name} wallet`, async () => {
    using deps = await testDeps();
    const { cChainRpc } = deps.upstreams;
    cChainRpc.switch.set({ mode: "status", status: 429 });
    const first = await readScore(deps, exampleOf("ordinary"), { requester });
    assert(first.headline.score > 0);
    cChainRpc.switch.set({ mode: "ok" });
    deps.advance(1_000);
    const made = cChainRpc.calls.length;
    const second = await readScore(deps, exampleOf("heavy"), { requester });
    assert(second.headline.score > 0);
    assertEquals(cChainRpc.calls.length, made, "a paused node is left alone");
  });

  Deno.test(`a paused explorer index is named as paused, not as the limit of a ${name} wallet`, async () => {
    using deps = await testDeps();
    const { explorer } = deps.upstreams;
    explorer.switch.set({ mode: "status", status: 429, headers: {} });
    const read = () =>
      assertRejects(
        () => readScore(deps, exampleOf("ordinary"), { requester }),
        Fault,
      );
    await read();
    explorer.switch.set({ mode: "ok" });
    const made = explorer.calls.length;
    const { message, failure } = await read();
    assertMatch(
      message,
      /explorer\.test asks all callers for a pause and nothing is stored; try again in \d+ seconds$/,
    );
    assert(failure.kind === "scoringDown" && failure.retryAfterMs > 25_000);
    assertEquals(explorer.calls.length, made, "no call is made or counted");
    deps.advance(failure.retryAfterMs);
    await readScore(deps, exampleOf("ordinary"), { requester });
  });
}

Deno.test("a pause of one node moves to the next one, and signals are whole", async () => {
  const upstreams = simulateUpstreams({
    now: () => new Date("2026-11-21T08:00:00Z"),
  });
  const send = asFetch(upstreams);
  const hosts: string[] = [];
  const fetch: typeof globalThis.fetch = (input, init) => {
    const request = new Request(input, init);
    const { host, pathname } = new URL(request.url);
    if (pathname.startsWith(UPSTREAM_PATHS.cChainRpc)) hosts.push(host);
    return host === "first.test"
      ? Promise.resolve(
        Response.json({
          jsonrpc: "2.0",
          id: 1,
          error: { code: -32097, message: "upgrade your plan" },
        }),
      )
      : send(request);
  };
  using deps = await testDeps({
    fetch,
    settings: {
      C_CHAIN_RPC_URL: ["first", "second"]
        .map((name) => `http://${name}.test${UPSTREAM_PATHS.cChainRpc}`)
        .join(","),
    },
  });
  const { signals } = await readSignals(deps, exampleOf("ordinary"), {
    requester: REQUESTERS.free,
  });
  assertEquals(signals.isPartial, false);
  assertEquals(hosts.filter((host) => host === "first.test").length, 1);
  await readSignals(deps, exampleOf("heavy"), { requester: REQUESTERS.free });
  assertEquals(
    hosts.filter((host) => host === "first.test").length,
    1,
    "the paused node is not asked again",
  );
});
