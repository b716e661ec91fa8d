/** Requests of the payment endpoints. */
import { testDeps } from "../deps.ts";
import { newOwner } from "../owners.ts";
import { newPayer, type PaidDeps, paidDeps } from "../evm/payers.ts";
import { UNKNOWN } from "./walk_account.ts";
import type { Walk } from "./walk.ts";

/** A transaction that does not exist. */
const HASH = `0x${"12".repeat(32)}`;

/** Requests payments and donations, on a simulated chain. */
export async function walkPayments(walk: Walk): Promise<void> {
  using deps = await paidDeps();
  const payer = await newPayer(deps);
  const claim = (quoteId: string, txHash?: string) =>
    walk.call(payer, "postClaim", ["POST", "/claims"], {
      body: { quoteId, ...(txHash === undefined ? {} : { txHash }) },
    });
  const quote = (body: object) =>
    walk.call(payer, "postQuote", ["POST", "/quotes"], { body });
  const { quoteId, amount } = (await quote({ product: "builder", periods: 1 }))
    .body;
  const txHash = deps.chain.send({
    from: payer.wallet,
    amount: BigInt(amount),
  });
  await claim(quoteId, txHash);
  deps.chain.mine();
  await claim(quoteId, txHash);
  await claim(UNKNOWN, txHash);
  const second = (await payer.quote("growth")).quoteId;
  await claim(second, txHash);
  await claim(second, HASH);
  await walk.call(payer, "getPayments", ["GET", "/payments"]);
  await claimProfile(payer, "ada-lovelace");
  await payer.buy("slug", { slug: "ada-lovelace" });
  await quote({ product: "slug", slug: "ada-lovelace" });
  await walkDonations(walk, deps);
  for (let nth = 0; nth < 25; nth++) await claim(second, HASH);
  for (let nth = 0; nth < 25; nth++) await quote({ product: "builder" });

  using unpaid = await testDeps();
  const poor = newOwner(unpaid);
  await poor.signIn();
  const body = { product: "builder" };
  await walk.call(poor, "postQuote", ["POST", "/quotes"], { body });
  await walk.call(poor, "postClaim", ["POST", "/claims"], {
    body: { quoteId, txHash },
  });
  using cut = await paidDeps({
    nodes: () => [() => {
      throw new TypeError("refused");
    }],
  });
  const late = await newPayer(cut);
  const open = await late.quote("builder");
  await walk.call(late, "postClaim", ["POST", "/claims"], {
    body: { quoteId: open.quoteId, txHash },
  });
  const given = await newPayer(cut, 2);
  await claimProfile(late);
  await claimProfile(given);
  await walk.call(late, "postDonation", ["POST", "/donations"], {
    body: { to: given.wallet, txHash },
  });
}

type Caller = Parameters<Walk["call"]>[0];

const claimProfile = (owner: Caller, slug: string | null = null) =>
  owner.call("PUT", "/profile", {
    body: { displayName: null, slug, linksPublic: false },
  });

async function walkDonations(walk: Walk, deps: PaidDeps): Promise<void> {
  const [giver, given] = [await newPayer(deps, 2), await newPayer(deps, 3)];
  const donate = (txHash: string) =>
    walk.call(giver, "postDonation", ["POST", "/donations"], {
      body: { to: given.wallet, txHash },
    });
  const txHash = deps.chain.send({
    from: giver.wallet,
    to: given.wallet,
    amount: 5_000_000n,
  });
  await donate(txHash);
  await claimProfile(giver);
  await claimProfile(given);
  await donate(txHash);
  deps.chain.mine();
  await donate(txHash);
  await donate(HASH);
  for (let nth = 0; nth < 25; nth++) await donate(HASH);
}
