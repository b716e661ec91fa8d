/** The payment scan while nodes disagree on the transfers of some blocks. */
import { assertEquals, assertMatch } from "@std/assert";
import { succeed } from "../support/jobs.ts";
import { paidDeps, standingOf, walletOf } from "../support/evm/payers.ts";

const JOB = "find-payments";

Deno.test("find-payments credits a disputed payment later, and others at once", async () => {
  const hidden: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), chain.node({ without: hidden })],
  });
  await succeed(deps, JOB);
  const first = deps.chain.send({ from: walletOf(1), amount: 5n });
  hidden.push(first);
  deps.chain.mine(3_000);
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine(3_000);
  const since = deps.now().toISOString();
  for (let run = 0; run < 3; run++) {
    assertMatch(
      await succeed(deps, JOB),
      new RegExp(
        `^${
          run === 0 ? 1 : 0
        } payments credited.*block 16000, 1 blocks disputed since ${since}$`,
      ),
    );
    deps.advance(60_000);
  }
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 6n]);
  hidden.length = 0;
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited, 0 revoked, scanned to block 16000$/,
  );
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
  assertMatch(await succeed(deps, JOB), /^0 payments credited.*block 16000$/);
});

Deno.test("find-payments credits payments any number of blocks after a disputed one", async () => {
  const hidden: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), chain.node({ without: hidden })],
  });
  await succeed(deps, JOB);
  hidden.push(deps.chain.send({ from: walletOf(1), amount: 5n }));
  deps.chain.mine(110_000);
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine();
  for (let run = 0; run < 2; run++) await succeed(deps, JOB);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 0n]);
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 6n]);
  hidden.length = 0;
  assertMatch(await succeed(deps, JOB), /^1 payments credited.*block 120002$/);
  assertEquals(await standingOf(deps, walletOf(1)), ["free", 5n]);
});

Deno.test("find-payments waits before the block that the list of disputed ones cannot hold, and loses none", async () => {
  const hidden: string[] = [];
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), chain.node({ without: hidden })],
  });
  await succeed(deps, JOB);
  for (let nth = 1; nth <= 52; nth++) {
    hidden.push(deps.chain.send({ from: walletOf(nth), amount: 5n }));
  }
  deps.chain.mine(3_000);
  const full =
    /^0 payments.*block 10050, 50 blocks disputed since \S+Z, as many as are kept, later payments wait$/;
  for (let run = 0; run < 2; run++) {
    assertMatch(await succeed(deps, JOB), full);
  }
  hidden.length = 0;
  assertMatch(await succeed(deps, JOB), /^52 payments credited.*block 13050$/);
  for (let nth = 1; nth <= 52; nth++) {
    assertEquals(await standingOf(deps, walletOf(nth)), ["free", 5n]);
  }
});

Deno.test("find-payments credits new payments while a node refuses an old disputed block", async () => {
  const hidden: string[] = [];
  let isRefusing = false;
  using deps = await paidDeps({
    nodes: (chain) => [chain.node(), async (request) => {
      const { method, params } = await request.clone().json();
      const isOld = method === "eth_getLogs" && params[0].fromBlock < "0x2a00";
      return isRefusing && isOld
        ? new Response("no", { status: 500 })
        : await chain.node({ without: hidden })(request);
    }],
  });
  await succeed(deps, JOB);
  hidden.push(deps.chain.send({ from: walletOf(1), amount: 5n }));
  deps.chain.mine(3_000);
  await succeed(deps, JOB);
  isRefusing = true;
  deps.chain.send({ from: walletOf(2), amount: 6n });
  deps.chain.mine();
  assertMatch(
    await succeed(deps, JOB),
    /^1 payments credited.*, blocks 10001 to \d+ not listed since/,
  );
  assertEquals(await standingOf(deps, walletOf(2)), ["free", 6n]);
});
