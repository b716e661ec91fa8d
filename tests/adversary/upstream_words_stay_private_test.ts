/** What a source says in an error stays private: it may repeat our API key, or a URL with a password. */
import { assert, assertEquals } from "@std/assert";
import { JOBS } from "../../jobs/register_jobs.ts";
import { createApp } from "../../routes/app.ts";
import { runJob } from "../../services/platform/jobs/job_run.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { testDeps } from "../support/deps.ts";

const API_KEY = "QX7RKEYOFOURS4411";
const PASSWORD = "hunterpassword77";

/** Ways in which a source, or the way to it, repeats what we sent. */
const ECHOES: Readonly<Record<string, (request: Request) => Response>> = {
  "words in a 200": ({ url }) => {
    const words =
      `Invalid API Key (${API_KEY}) for ${url} of https://user:${PASSWORD}@node.test/rpc`;
    return Response.json({
      status: "0",
      message: words,
      result: words,
      jsonrpc: "2.0",
      id: 1,
      error: { code: -32_000, message: words },
    });
  },
  "an error of the connection": ({ url }) => {
    throw new Error(
      `${url}?apikey=${API_KEY} https://user:${PASSWORD}@node.test/rpc`,
    );
  },
  "an error status": ({ url }) =>
    new Response(`${url} ${API_KEY} ${PASSWORD}`, {
      status: 403,
      statusText: API_KEY,
    }),
};

const PATHS = [
  "/status",
  "/status.json",
  "/",
  "/api/chain-data/metrics",
  "/api/chain-data/monthly-transactions",
  "/api/chain-data/transaction-fees",
  "/api/chain-data/validators",
  "/api/chain-data/block-production",
  "/api/chain-data/quality",
  `/tools/score/${exampleOf("ordinary")}`,
  `/api/tools/score-badge/${exampleOf("ordinary")}`,
];

for (const [name, echo] of Object.entries(ECHOES)) {
  Deno.test(`${name} shows neither our API key nor a password: in no answer, no record and no line of the log`, async () => {
    using deps = await testDeps({
      fetch: (input, init) =>
        Promise.resolve().then(() => echo(new Request(input, init))),
      settings: { EXPLORER_API_KEY: API_KEY },
    });
    const errors: string[] = [];
    for (const job of JOBS) {
      const { error } = await runJob(deps, job);
      if (error !== null) errors.push(error);
    }
    assert(errors.length > 0, "no job failed");
    const app = createApp(deps);
    const texts: string[] = [...errors];
    let failed = 0;
    for (const path of PATHS) {
      for (const accept of ["text/html", "application/json"]) {
        const response = await app.request(path, {
          headers: { Accept: accept },
        });
        if (response.status === 503) failed++;
        texts.push(await response.text());
      }
    }
    assert(failed > 0, "no answer tells of the failure");
    for await (const { value } of deps.kv.list({ prefix: [] })) {
      texts.push(
        Deno.inspect(value, { depth: Infinity, strAbbreviateSize: 1e6 }),
      );
    }
    texts.push(...deps.lines);
    const leaks = texts.filter((text) =>
      text.includes(API_KEY) || text.includes(PASSWORD)
    );
    assertEquals(leaks.map((text) => text.slice(0, 300)), []);
  });
}
