/** Profile names whose price is paid after the wallet has given them up. */
import { assertEquals } from "@std/assert";
import { newProfile } from "../../../services/profiles/profile.ts";
import { START } from "../../support/deps.ts";
import {
  newPayer,
  type PaidDeps,
  paidDeps,
  walletOf,
} from "../../support/evm/payers.ts";
import { succeed } from "../../support/jobs.ts";

const PRICE = "25000000";
const GIVEN_UP =
  "Cannot claim the quote: your profile no longer has the name; request a new quote";

/** Gives the profile of a wallet a name. */
async function rename(
  { store }: PaidDeps,
  wallet: string,
  slug: string,
): Promise<void> {
  const at = Date.parse(START);
  const { kind } = await store.profiles.change(wallet, (held) => ({
    profile: { ...(held ?? newProfile(at)), slug },
    audit: { at, event: "profile.update", requestId: null },
  }));
  assertEquals(kind, "changed");
}

/** Opens a payer with a quote of a name that another profile has since. */
async function open() {
  const deps = await paidDeps();
  await succeed(deps, "find-payments");
  const payer = await newPayer(deps);
  await rename(deps, payer.wallet, "ada-lovelace");
  const { quoteId } = await payer.quote("slug", { slug: "ada-lovelace" });
  const giveUp = async () => {
    await rename(deps, payer.wallet, "ada-byron");
    await rename(deps, walletOf(7), "ada-lovelace");
  };
  return {
    deps,
    payer,
    quoteId,
    giveUp,
    [Symbol.dispose]: deps[Symbol.dispose],
  };
}

Deno.test("a payment for a name that the wallet has given up is credit, which buys its new name", async () => {
  using opened = await open();
  const { payer, quoteId, giveUp } = opened;
  await giveUp();
  const { body } = await payer.claim(quoteId, payer.pay(BigInt(PRICE)));
  assertEquals(
    [body.status, body.bought, body.credit, body.slugs],
    ["credit", null, PRICE, []],
  );
  const next = await payer.quote("slug", { slug: "ada-byron" });
  assertEquals(next.amount, "0");
  const bought = await payer.claim(next.quoteId);
  assertEquals([bought.body.credit, bought.body.slugs], ["0", ["ada-byron"]]);
});

Deno.test("a payment for a name that was given up is credit also when the job finds it, and beside a plan", async () => {
  using opened = await open();
  const { deps, payer, giveUp } = opened;
  await deps.store.payments.grant(payer.wallet, {
    at: Date.parse(START),
    plan: "builder",
    paidUntil: Date.parse(START) + 864e5,
  });
  await giveUp();
  payer.pay(BigInt(PRICE));
  await succeed(deps, "find-payments");
  const { credit, slugs, paidUntil, payments } = await payer.payments();
  assertEquals([credit, slugs], [PRICE, []]);
  assertEquals(Date.parse(paidUntil), Date.parse(START) + 864e5);
  assertEquals(payments[0].product, null);
});

Deno.test("credit does not pay for a name that was given up", async () => {
  using opened = await open();
  const { payer, giveUp } = opened;
  const { quoteId: plan } = await payer.quote("builder");
  const short = await payer.claim(plan, payer.pay(30_000_000n));
  assertEquals(short.body.status, "short", short.text);
  const { quoteId, amount } = await payer.quote("slug", {
    slug: "ada-lovelace",
  });
  assertEquals(amount, "0");
  await giveUp();
  const { status, body } = await payer.claim(quoteId);
  assertEquals([status, body.code, body.error], [409, "QUOTE_USED", GIVEN_UP]);
  const { credit, slugs } = await payer.payments();
  assertEquals([credit, slugs], ["30000000", []]);
});
