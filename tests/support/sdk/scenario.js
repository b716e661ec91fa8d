/** What one program does with the SDK. It runs in Deno, in Node and in a page, and returns what it saw. */

const ADDRESS = "0x7e57000000000000000000000000000000000004";

/** Returns an error's class, code and status. */
async function failureOf(call) {
  try {
    await call;
    return "no failure";
  } catch (error) {
    return [error.name, error.code ?? null, error.status ?? null];
  }
}

/** Runs the scenario against a service. */
export async function runScenario(
  { Firn, FirnError, createClient, verifyAttestation, recover },
  { baseUrl, apiKey, subject },
) {
  const firn = new Firn({ baseUrl, apiKey });
  const open = createClient({ baseUrl });
  const days = { from: "2024-12-30", to: "2025-01-02" };

  const points = [];
  for await (const { day, value } of open.metrics(days)) {
    points.push([day, value]);
  }
  const answered = await open.metrics({ ...days, metric: "avgTps" });

  const addresses = Array.from(
    { length: 51 },
    (_, nth) => `0x${String(nth + 1).padStart(40, "0")}`,
  );
  const batch = await firn.batch(addresses);
  const verified = await firn.verify(subject, { humanity: 50, economic: 100 });
  const history = await firn.history(subject, { days: 7 });
  const usage = await firn.usage();

  const signed = await firn.signed(subject, { ttl: 3600 });
  const signers = await open.signers();
  const judge = (given) =>
    verifyAttestation(given, { signers, subject, recover });
  const changed = { ...signed.message, score: "100" };

  const controller = new AbortController();
  const aborted = failureOf(open.chains({ signal: controller.signal }));
  controller.abort();
  const silent = new Firn({
    baseUrl,
    timeoutMs: 20,
    retries: 0,
    fetch: (_, { signal }) =>
      new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(signal.reason))
      ),
  });

  return {
    points,
    metric: [answered.metric, answered.series.length, answered.meta.status],
    text: JSON.stringify(answered).includes('"meta"'),
    checked: (await open.monthlyTransactions(days)).series.length,
    disputes: typeof (await open.disputes()).count,
    health: (await open.health()).status,
    revisions: (await open.revisions()).count,
    downloads: (await open.downloads()).files.length,
    noFile: await failureOf(open.download("none.csv.gz")),
    batch: [
      batch.count,
      batch.results.every(({ address }, nth) => address === addresses[nth]),
    ],
    verified: [
      verified.passed,
      verified.failed.map(({ dimension }) => dimension),
    ],
    history: [history.days, history.count > 0],
    quota: [usage.plan, usage.meta.rateLimit.limit],
    windows: usage.meta.rateLimit.windows.map(({ name }) => name),
    genuine: (await judge(signed)).problems,
    forged: (await judge({ ...signed, message: changed })).problems,
    refused: await failureOf(open.metrics({ metric: "gas" })),
    unknownChain: await failureOf(open.metrics({ chainId: 999 })),
    keyless: await failureOf(open.score(ADDRESS)),
    badKey: await failureOf(
      new Firn({ baseUrl, apiKey: "firn_live_none" }).usage(),
    ),
    moved: (await failureOf(
      new Firn({ baseUrl: `${baseUrl}/moved`, apiKey }).usage(),
    )).slice(0, 2),
    aborted: (await aborted)[0],
    timeout: await failureOf(silent.chains()),
    isFirnError: await open.metrics({ range: "2y" })
      .then(() => false, (error) => error instanceof FirnError),
  };
}
