/** Each assumption about the sources is found to hold, or to be broken. */
import { assert, assertEquals, assertMatch, assertRejects } from "@std/assert";
import {
  ASSUMPTIONS,
  examineSources,
  type Finding,
  formatFindings,
} from "../../../../services/operator/doctor/examination.ts";
import {
  askSimnet,
  blockWith,
  BROKEN,
  type Change,
  FIRST_PAGE,
  scaled,
  shifted,
  SUBJECT,
} from "../../../support/doctor/simulated_sources.ts";
import { UPSTREAM_PATHS } from "../../../../simnet/upstreams.ts";

const examine = (change?: Change) => examineSources(askSimnet(change), SUBJECT);

const textsOf = (findings: readonly Finding[]) =>
  findings.map(({ text }) => text);

Deno.test("every assumption holds for simnet, in at most 30 calls", async () => {
  const sources = askSimnet();
  const findings = await examineSources(sources, SUBJECT);
  assertEquals(findings.filter(({ holds }) => holds !== true), []);
  assert(sources.countCalls() <= 30, `${sources.countCalls()}`);
});

Deno.test("an assumption that a source breaks is the only one that does not hold", async (t) => {
  for (const { text } of ASSUMPTIONS) {
    const [[name, change] = [], ...others] = Object.entries(BROKEN)
      .filter(([part]) => text.startsWith(part));
    await t.step(text, async () => {
      assert(name !== undefined && change !== undefined && others.length === 0);
      const findings = await examine(change);
      const broken = findings.filter(({ holds }) => holds === false);
      assertEquals(textsOf(broken), [text], JSON.stringify(broken));
    });
  }
});

/** The newest block, so many seconds old. */
const aged = (seconds: number): Change => ({
  of: '"latest",false',
  to: blockWith({
    timestamp: `0x${(SUBJECT.now / 1000 - seconds).toString(16)}`,
  }),
});

Deno.test("an assumption holds up to its bound", async (t) => {
  const lacking = Date.parse("2026-11-12") / 1000;
  const rows: [name: string, part: string, holds: boolean, change: Change][] = [
    ["a block of 300 s", "the newest block", true, aged(300)],
    ["a block of 301 s", "the newest block", false, aged(301)],
    ["a future day", "the newest day", false, {
      of: FIRST_PAGE,
      to: shifted(3),
    }],
    ["a page of 2,159 days", "a page holds", false, {
      of: FIRST_PAGE,
      to: (body) => ({ ...body, results: body.results.slice(1) }),
    }],
    ["a highest price below the mean", "gas prices", false, {
      of: "maxGasPrice",
      to: scaled(0.1),
    }],
    ["39 of 40 answers", "a batch of", false, {
      of: /rpc \[/,
      to: (body) => body.slice(1),
    }],
    ["an error beside the answer", "the node serves", false, {
      of: "eth_chainId",
      to: (body) => ({ ...body, error: { code: -32000, message: "boom" } }),
    }],
    ["the oldest transaction first", "a transaction list", false, {
      of: `address=${SUBJECT.token}`,
      to: (body) => ({ ...body, result: body.result.toReversed() }),
    }],
    ["a day that one source lacks", "daily transactions differ", false, {
      of: FIRST_PAGE,
      to: (body) => ({
        ...body,
        results: body.results.filter(
          ({ timestamp }: { timestamp: number }) => timestamp !== lacking,
        ),
      }),
    }],
  ];
  for (const [name, part, holds, change] of rows) {
    await t.step(name, async () => {
      const found = (await examine(change))
        .find(({ text }) => text.startsWith(part))!;
      assertEquals(found.holds, holds, Deno.inspect(found));
    });
  }
});

Deno.test("block 1 is known for the C-Chain only", async () => {
  const subject = { ...SUBJECT, chainId: 1 };
  const findings = await examineSources(askSimnet(), subject);
  const old = findings.find(({ text }) => text.startsWith("the node has old"));
  assertEquals(old?.holds, null);
});

Deno.test("an assumption that depends on another answer is not examined without it", async () => {
  const findings = await examine({
    of: /metrics\.test/,
    to: () => new Response("<html>", { status: 503 }),
  });
  const ofApi = findings.filter(({ source }) => source === "Metrics API");
  assertEquals(ofApi.filter(({ holds }) => holds === true), []);
  const [chains] = ofApi;
  assertEquals(chains!.seen, "status 503, not JSON");
  const others = findings.filter(({ holds, source }) =>
    holds === null && source !== "Metrics API"
  );
  assertEquals(
    others.map(({ text }) => text.split(" ").slice(0, 3).join(" ")),
    [
      "daily transactions differ",
      "active addresses differ",
      "the stake differs",
    ],
  );
});

Deno.test("names are examined where they are read: the hash of their contract, and one that leads to an address", async () => {
  const subject = { ...SUBJECT, readsAvaxNames: true };
  const ofNames = async (change?: Change) =>
    (await examineSources(askSimnet(change), subject))
      .filter(({ look }) => look.startsWith("AVAX_NAMES"))
      .map(({ holds }) => holds);
  assertEquals(await ofNames(), [true, true]);
  const changed = (of: string, to: Change["to"]) => ofNames({ of, to });
  const word = (digit: string) => digit.repeat(64);
  assertEquals(
    await changed(
      "0x6e036201",
      (body) => ({ ...body, result: `0x${word("1")}` }),
    ),
    [false, true],
  );
  // A string of three bytes, which are no address.
  const short = `0x${"20".padStart(64, "0")}${"3".padStart(64, "0")}${
    "616263".padEnd(64, "0")
  }`;
  assertEquals(
    await changed("0x5bbd3a8e", (body) => ({ ...body, result: short })),
    [true, false],
  );
  assertEquals(
    await changed("0x5bbd3a8e", (body) => ({ ...body, result: "0x" })),
    [true, false],
  );
});

Deno.test("a host of one chain is examined by its series", async () => {
  const hosts = new Map([[
    4337,
    `https://beam.test${UPSTREAM_PATHS.metricsApi}`,
  ]]);
  const ofHost = async (change?: Change) => {
    const sources = askSimnet(change, 2, hosts);
    const findings = await examineSources(sources, SUBJECT);
    return findings.filter(({ source }) => source === "beam.test")
      .map(({ text, holds }) => [text, holds]);
  };
  const text = "the series of chain 4337 is a list of UTC days and values";
  assertEquals(await ofHost(), [[text, true]]);
  const change = { of: /beam\.test/, to: () => ({ results: [] }) };
  assertEquals(await ofHost(change), [[text, false]]);
});

Deno.test("a portal is examined if it is set, and each assumption about it alone can fail", async (t) => {
  const examinePortal = async (change?: Change) => {
    const url = `http://portal.test${UPSTREAM_PATHS.portal}`;
    const sources = askSimnet(change, 2, new Map(), url);
    const findings = await examineSources(sources, SUBJECT);
    return findings.filter(({ source }) => source === "SQD Portal");
  };
  const findings = await examinePortal();
  assertEquals(findings.map(({ text, seen }) => `${text}: ${seen}`), [
    "a query of 100 addresses is answered, with the fields that are read: 7 transactions",
    "the newest finalized block is at most 900 s old: block 101023357, 1 s old",
    "a scan of the chain takes at most 10 requests: 4: 40000000 and 40000000 blocks an answer",
  ]);
  const stream = /finalized-stream.*"toBlock"/;
  const changes: Record<string, Change> = {
    "a query of": {
      of: stream,
      to: () =>
        Response.json({ error: { code: "malformed_request" } }, {
          status: 400,
        }),
    },
    "the newest finalized": {
      of: "finalized-head",
      to: ({ number }) => ({ number: number - 2_000 }),
    },
    "a scan of": {
      of: /finalized-stream.*"fromBlock":(0|5\d{7}),/,
      to: ([{ header }]) => [{
        header: { ...header, number: header.number + 9_000_000 },
      }],
    },
  };
  for (const [part, change] of Object.entries(changes)) {
    await t.step(part, async () => {
      const broken = (await examinePortal(change))
        .filter(({ holds }) => holds !== true);
      assertEquals(
        broken.map(({ text, holds }) => [text.slice(0, part.length), holds]),
        [[part, false]],
        Deno.inspect(broken),
      );
    });
  }
});

Deno.test("a chain's own node is examined by its chain id and the transactions of its newest block", async () => {
  const nodes = new Map([[
    43114,
    "https://own.test" + UPSTREAM_PATHS.cChainRpc,
  ]]);
  const ofNode = async (chainId: number, change?: Change) => {
    const urls = new Map([[chainId, nodes.get(43114)!]]);
    const sources = askSimnet(change, 2, new Map(), null, urls);
    const findings = await examineSources(sources, SUBJECT);
    return findings.filter(({ source }) => source === "own.test")
      .map(({ holds }) => holds);
  };
  assertEquals(await ofNode(43114), [true]);
  assertEquals(await ofNode(4337), [false], "another chain");
  const to = () => ({
    ...{ jsonrpc: "2.0", id: 1 },
    result: { number: "0x5", timestamp: "0x5" },
  });
  const of = /own\.test.*eth_getBlockByNumber/;
  assertEquals(await ofNode(43114, { of, to }), [false]);
});

Deno.test("with one node, the agreement of two is not examined", async () => {
  const findings = await examineSources(askSimnet(undefined, 1), SUBJECT);
  const open = findings.filter(({ holds }) => holds === null);
  assertEquals(textsOf(open), ["two nodes agree on a block"]);
});

Deno.test("a defect of an examination is thrown, and is no finding", async () => {
  const sources = {
    ...askSimnet(),
    metrics: () => Promise.reject(new TypeError("a defect")),
  };
  await assertRejects(
    () => examineSources(sources, SUBJECT),
    TypeError,
    "a defect",
  );
});

Deno.test("formatFindings() has a row for each finding, without control characters, and the totals", () => {
  const finding = { source: "node", text: "it answers", look: "URL" };
  const table = formatFindings([
    { ...finding, holds: true, seen: "yes\u001b[2J\nNO" },
    { ...finding, holds: false, seen: "x".repeat(100) },
    { ...finding, holds: null, seen: "" },
  ], 3);
  const lines = table.split("\n");
  assertEquals(lines.length, 6);
  assertMatch(lines[1]!, /^yes +node +it answers +yes \[2J NO +URL$/);
  assertMatch(lines[2]!, /^NO .* x{60} +URL$/);
  assertMatch(lines[3]!, /^- /);
  assertEquals(
    lines[5],
    "1 hold, 1 do not, 1 were not examined; 3 calls",
  );
});

Deno.test("a question that is asked twice is one call, and the 46th call is refused", async () => {
  const sources = askSimnet();
  for (let nth = 0; nth < 45; nth++) {
    await sources.metrics("/v2/chains", { network: "mainnet", nth: `${nth}` });
  }
  await sources.metrics("/v2/chains", { network: "mainnet", nth: "0" });
  assertEquals(sources.countCalls(), 45);
  let error = "";
  try {
    await sources.metrics("/v2/chains");
  } catch (cause) {
    error = String(cause);
  }
  assertMatch(error, /at most 45 calls/);
});
