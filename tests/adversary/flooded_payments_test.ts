/** However many transfers strangers make to the treasury, payments of others are found. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { logged } from "../support/logged.ts";
import {
  dyingAfter,
  LEASE_OVER_MS,
  runNamed,
  succeed,
} from "../support/jobs.ts";
import { paidDeps, standingOf, walletOf } from "../support/evm/payers.ts";
import type { Answering } from "../support/upstreams.ts";

const JOB = "find-payments";

/** Events of nothing per flooded block: two transactions of 3,500. */
const EVENTS = 7_000;

/** More than a public node lists in one answer, but not than a block of the flood has. */
const MOST_LISTED = 10_000;

/** Where the index of an event goes in its text. */
const INDEX = "<index>";

/** A node whose blocks of one transfer of nothing have it 7,000 times, and that lists no more than 10,000. */
function flooded(known: Answering): Answering {
  return async (request) => {
    const { method } = await request.clone().json();
    const response = await known(request);
    if (method !== "eth_getLogs") return response;
    const { result } = await response.json();
    const logs: string[] = [];
    for (const log of result) {
      const isNothing = BigInt(log.data) === 0n;
      const [before, after] = JSON.stringify({ ...log, logIndex: INDEX }).split(
        INDEX,
      );
      const count = isNothing ? EVENTS : 1;
      for (let nth = 0; nth < count && logs.length <= MOST_LISTED; nth++) {
        logs.push(`${before}0x${nth.toString(16)}${after}`);
      }
    }
    if (logs.length > MOST_LISTED) {
      const message = `query returned more than ${MOST_LISTED} results`;
      return Response.json({
        jsonrpc: "2.0",
        id: 1,
        error: { code: -32005, message },
      });
    }
    return new Response(`{"jsonrpc":"2.0","id":1,"result":[${logs.join()}]}`);
  };
}

/** A node that never lists some blocks. */
function neverListing(
  blocks: ReadonlySet<number>,
  known: Answering,
): Answering {
  return async (request) => {
    const { method, params } = await request.clone().json();
    const isRefused = method === "eth_getLogs" &&
      [...blocks].some((block) =>
        Number(params[0].fromBlock) <= block &&
        block <= Number(params[0].toBlock)
      );
    return isRefused
      ? new Response("no", { status: 500 })
      : await known(request);
  };
}

Deno.test("find-payments credits a payment after 280,000 transfers of nothing in 40 blocks", async () => {
  using deps = await paidDeps({ nodes: (chain) => [flooded(chain.node())] });
  await succeed(deps, JOB);
  for (let nth = 0; nth < 40; nth++) {
    deps.chain.send({ from: walletOf(9), amount: 0n });
  }
  deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited, 0 revoked, scanned to block 10041$/,
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
});

Deno.test("find-payments lists 20,000 transfers of nothing twice, and not again each minute", async () => {
  let listed = 0;
  using deps = await paidDeps({
    nodes: (chain) => {
      const node = flooded(chain.node());
      return [async (request) => {
        const { method } = await request.clone().json();
        const response = await node(request);
        if (method !== "eth_getLogs") return response;
        const { result = [] } = await response.clone().json();
        listed += result.length;
        return response;
      }];
    },
  });
  await succeed(deps, JOB);
  for (let nth = 0; nth < 3; nth++) {
    deps.chain.send({ from: walletOf(9), amount: 0n });
  }
  deps.chain.mine();
  for (let minute = 0; minute < 10; minute++) {
    await succeed(deps, JOB);
    deps.chain.mine(30);
  }
  assertEquals(listed, 2 * 3 * EVENTS);
});

Deno.test("find-payments names blocks that are never listed, credits later payments, and finds theirs when they are", async () => {
  const refused = new Set<number>();
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), neverListing(refused, chain.node())],
  });
  await succeed(deps, JOB);
  for (let nth = 1; nth <= 3; nth++) {
    refused.add(deps.chain.head() + 1);
    deps.chain.send({ from: walletOf(nth), amount: 5n });
  }
  deps.chain.mine(3_000);
  deps.chain.send({ from: walletOf(4), amount: 6n });
  deps.chain.mine();
  const since = deps.now().toISOString();
  assertMatch(
    await succeed(deps, JOB),
    new RegExp(
      `^1 payments credited.*block 13004, blocks 10001 to 10003 not listed since ${since}$`,
    ),
  );
  const [line] = logged(deps.lines, "payment.unlisted");
  assertEquals([line!.first, line!.last], [10_001, 10_003]);
  assertMatch(String(line!.error), /node1\.test: status is 500/);
  deps.advance(60_000);
  refused.delete(10_002);
  assertMatch(
    await succeed(deps, JOB),
    new RegExp(
      `^1 payments credited.*, blocks 10001 to 10001 and 1 other ranges not listed since ${since}$`,
    ),
  );
  refused.clear();
  deps.advance(60_000);
  assertMatch(await succeed(deps, JOB), /^2 payments credited.*block 13004$/);
  for (const nth of [1, 2, 3]) {
    assertEquals(await standingOf(deps, walletOf(nth)), ["free", 5n]);
  }
});

Deno.test("find-payments revokes a payment whose block left the chain, though its block is never listed", async () => {
  const refused = new Set<number>();
  using deps = await paidDeps({
    nodes: (chain) => [neverListing(refused, chain.node())],
  });
  await succeed(deps, JOB);
  deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine();
  assertMatch(await succeed(deps, JOB), /^1 payments credited/);
  refused.add(10_001);
  deps.chain.reorganise(3);
  assertMatch(await succeed(deps, JOB), /, 1 revoked.*10001 not listed/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
});

Deno.test("find-payments sets nothing aside while a node lists nothing, and asks it less than a hundred times", async () => {
  let asked = 0;
  let isDown = false;
  using deps = await paidDeps({
    nodes: (chain) => [async (request) => {
      const { method } = await request.clone().json();
      if (method !== "eth_getLogs" || !isDown) {
        return await chain.node()(request);
      }
      asked++;
      return new Response("no", { status: 500 });
    }],
  });
  await succeed(deps, JOB);
  deps.chain.send({ from: walletOf(1), amount: 5n });
  deps.chain.mine(50_000);
  isDown = true;
  const { error } = await runNamed(deps, JOB);
  assertEquals(error, "Cannot read node0.test: status is 500");
  assert(asked < 100, `${asked} calls`);
  isDown = false;
  assertMatch(await succeed(deps, JOB), /^1 payments credited.*block 59999$/);
});

Deno.test("find-payments keeps the progress of the parts that a killed run has scanned", async () => {
  const refused = new Set<number>();
  using deps = await paidDeps({
    nodes: (chain) => [neverListing(refused, chain.node())],
  });
  await succeed(deps, JOB);
  refused.add(10_900);
  deps.chain.mine(1_000);
  const { payments } = deps.store;
  const before = (await payments.findScanned())!.block;
  const putScanned = dyingAfter(8, payments.putScanned);
  const store = {
    ...deps.store,
    payments: { ...payments, putScanned: putScanned.call },
  };
  const run = runNamed({ ...deps, store }, JOB);
  await Promise.race([run, putScanned.died]);
  const kept = (await payments.findScanned())!.block;
  assert(kept > before, `${kept}`);
  deps.advance(LEASE_OVER_MS);
  assertMatch(await succeed(deps, JOB), /block 10998, blocks 10900 to 10900/);
});
