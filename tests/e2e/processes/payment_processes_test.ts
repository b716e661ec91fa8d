/** Payments handled by several processes, one of them killed. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Hex } from "viem";
import { DAY_MS } from "../../../services/platform/days.ts";
import { onNode } from "../../support/evm/anvil.ts";
import { START } from "../../support/deps.ts";
import { assertSound } from "../../support/kv/invariants.ts";
import { databasePath } from "../../support/kv/hosted.ts";
import { TREASURY } from "../../support/evm/paid_chain.ts";
import { newBuyer } from "../../support/evm/payers.ts";
import { depsOn, startPayingNode } from "../../support/evm/paying_node.ts";
import {
  kill,
  startProgram,
  startService,
  until,
} from "../../support/processes/service.ts";

const PROCESSES = 4;
const WALLETS = 6;
const TO = TREASURY as Hex;

/** Starts find-payments in a process whose clock begins some minutes after START. */
function startJob(settings: Readonly<Record<string, string>>, minute: number) {
  const now = new Date(Date.parse(START) + minute * 60_000).toISOString();
  const program = ["run", "-A", "operator.ts", "job", "find-payments"];
  return startProgram(program, { ...settings, FIRN_NOW: now });
}

onNode.test("four processes and the job credit the same payments once", async () => {
  await using stack = new AsyncDisposableStack();
  const { anvil, usdc, settings: paid } = stack.use(
    await startPayingNode(WALLETS),
  );
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const file = databasePath(`${folder}/kv.sqlite3`);
  const settings = {
    ...paid,
    PUBLIC_URL: "http://firn.test",
    KV_PATH: file,
    FIRN_NOW: START,
    METRICS_API_URL: "http://127.0.0.1:1",
    // Each wallet claims from a network of its own, as claims are limited by network.
    TRUSTED_PROXY_HOPS: "1",
    // The test starts the job itself.
    DENO_TIMELINE: "preview/test",
  };
  using deps = await depsOn(settings, file);
  const buyers = await Promise.all(
    anvil.accounts.slice(0, WALLETS).map((account) => newBuyer(deps, account)),
  );
  const claims = await Promise.all(buyers.map(async (buyer) => {
    const { quoteId, amount } = await buyer.quote("builder");
    const txHash = await usdc.transfer(buyer.signer, TO, BigInt(amount));
    return {
      body: JSON.stringify({ quoteId, txHash }),
      cookie: buyer.cookie(),
    };
  }));
  await anvil.mine(3);
  const services = await Promise.all(
    Array.from(
      { length: PROCESSES },
      async () => stack.use(await startService(settings)),
    ),
  );

  const job = stack.use(startJob(settings, 0));
  const answers = await Promise.all(
    claims.map(({ body, cookie }, nth) =>
      Promise.all(services.map(async ({ url }) => {
        const headers = {
          "Content-Type": "application/json",
          Origin: settings.PUBLIC_URL,
          Cookie: cookie,
          "X-Forwarded-For": `192.0.2.${nth}`,
        };
        const init = { method: "POST", headers, body };
        for (;;) {
          const response = await fetch(`${url}/api/account/claims`, init);
          const answer = { ...await response.json(), status: response.status };
          // A busy machine is told to come again, as any client.
          if (answer.code !== "STORE_BUSY") return answer;
          await new Promise((end) => setTimeout(end, answer.retryAfterMs));
        }
      }))
    ),
  );
  assertEquals((await job.process.status).code, 0, job.output());

  for (const claims of answers) {
    const credited = claims.filter(({ status }) => status === 200).length;
    const used = claims.filter(({ code }) => code === "TX_USED").length;
    assert(credited <= 1, JSON.stringify(claims));
    assertEquals(credited + used, PROCESSES, JSON.stringify(claims));
  }
  for (const buyer of buyers) {
    const { plan, paidUntil, credit, payments } = await buyer.payments();
    assertEquals([plan, credit, payments.length], ["builder", "0", 1]);
    const paidMs = Date.parse(paidUntil) - Date.parse(payments[0].at);
    assertEquals(paidMs, 30 * DAY_MS);
  }
  await assertSound(deps.kv);
});

onNode.test("find-payments, killed at several points, credits every payment once", async () => {
  await using stack = new AsyncDisposableStack();
  const { anvil, usdc, settings: paid } = stack.use(await startPayingNode(1));
  const [payer] = anvil.accounts;
  assert(payer);
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const file = databasePath(`${folder}/kv.sqlite3`);
  let calls = 0;
  // A proxy that counts the calls of the job.
  const proxy = stack.use(
    Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async (request) => {
        calls++;
        const body = await request.text();
        const { headers } = request;
        return await fetch(anvil.url, { method: "POST", headers, body })
          .catch(() => new Response(null, { status: 502 }));
      },
    ),
  );
  const { port } = proxy.addr;
  const settings = {
    ...paid,
    KV_PATH: file,
    C_CHAIN_RPC_URL: `http://127.0.0.1:${port}`,
  };
  const run = async (minute: number) => {
    await using job = startJob(settings, minute);
    const { code, output } = await job.finish();
    assertEquals(code, 0, output);
    return output;
  };
  await run(0);

  const PAYMENTS = 24;
  for (let nth = 0; nth < PAYMENTS; nth++) {
    await usdc.transfer(payer, TO, 1_000_000n);
    await anvil.mine(1);
  }
  await anvil.mine(2);
  for (const stopAfter of [3, 4, 9, 15]) {
    await using job = startJob(settings, 10 * stopAfter);
    calls = 0;
    await until(job, () => calls >= stopAfter);
    kill(job.process, "SIGKILL");
    await job.process.status;
  }
  assertMatch(await run(500), /payments credited, 0 revoked/);
  assertMatch(await run(510), /\b0 payments credited, 0 revoked/);

  using deps = await depsOn(settings, file);
  const wallet = payer.address.toLowerCase();
  assertEquals((await deps.store.payments.list(wallet)).length, PAYMENTS);
  const held = await deps.store.plans.find(wallet);
  assertEquals(held!.credit, BigInt(PAYMENTS) * 1_000_000n);
  await assertSound(deps.kv);
});
