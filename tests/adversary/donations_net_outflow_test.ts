/** Donations count by net outflow: money that goes round counts for nobody. */
import { assertEquals } from "@std/assert";
import { NO_CHAIN } from "../../services/model/signals.ts";
import { newPayer, type PaidDeps, paidDeps } from "../support/evm/payers.ts";

const AMOUNT = 250_000_000n;
const NAMES = [1, 2, 3, 4, 5, 6];

/** Six wallets of the attacker, each with a profile. */
async function newRing(deps: PaidDeps) {
  const body = { displayName: null, slug: null, linksPublic: false };
  return await Promise.all(NAMES.map(async (nth) => {
    const payer = await newPayer(deps, nth);
    await payer.call("PUT", "/profile", { body });
    return {
      wallet: payer.wallet,
      donate: (to: string, txHash: string) =>
        payer.call("POST", "/donations", { body: { to, txHash } }),
      donated: async () =>
        (await payer.call("GET", "/profile")).body.donatedUsdc,
    };
  }));
}

type Ring = Awaited<ReturnType<typeof newRing>>;

/** Each transfer of the ring: from every wallet to the next. */
function transfersOf(ring: Ring) {
  return ring.map(({ wallet: from }, nth) => ({
    from,
    to: ring[(nth + 1) % ring.length]!.wallet,
    amount: AMOUNT,
  }));
}

const donatedBy = (ring: Ring) =>
  Promise.all(ring.map(({ donated }) => donated()));

Deno.test("a ring of six wallets in one transaction counts nothing, even if only some record it", async () => {
  using deps = await paidDeps();
  const ring = await newRing(deps);
  const moved = transfersOf(ring);
  const txHash = deps.chain.send(...moved);
  deps.chain.mine();
  for (const [nth, { donate }] of ring.entries()) {
    const { status, body } = await donate(moved[nth]!.to, txHash);
    assertEquals([status, body.countedUsdc], [200, "0.00"]);
    if (nth === 0) assertEquals(await ring[0]!.donated(), "0.00");
  }
  assertEquals(await donatedBy(ring), NAMES.map(() => "0.00"));
});

Deno.test("donations of one transaction count together no more than the giver lost in it", async () => {
  using deps = await paidDeps();
  const [giver, ...others] = await newRing(deps);
  const gifts = others.map(({ wallet: to }) => ({
    from: giver!.wallet,
    to,
    amount: AMOUNT,
  }));
  const back = others.slice(1).map(({ wallet: from }) => ({
    from,
    to: giver!.wallet,
    amount: AMOUNT,
  }));
  const txHash = deps.chain.send(...gifts, ...back);
  deps.chain.mine();
  for (const { to } of gifts) {
    const { status, body } = await giver!.donate(to, txHash);
    assertEquals([status, body.countedUsdc], [200, "50.00"]);
  }
  assertEquals(await giver!.donated(), "250.00");
});

Deno.test("a donation in a transaction with circular transfers is still received in full", async () => {
  using deps = await paidDeps();
  const [ada, bob, eve, mallory] = await newRing(deps);
  const diluted = deps.chain.send(
    { from: ada!.wallet, to: bob!.wallet, amount: AMOUNT },
    { from: ada!.wallet, to: mallory!.wallet, amount: AMOUNT },
    { from: mallory!.wallet, to: ada!.wallet, amount: AMOUNT },
  );
  const passedOn = deps.chain.send({
    from: bob!.wallet,
    to: eve!.wallet,
    amount: AMOUNT,
  });
  deps.chain.mine();
  assertEquals(
    (await ada!.donate(bob!.wallet, diluted)).body.countedUsdc,
    "125.00",
  );
  assertEquals(
    (await bob!.donate(eve!.wallet, passedOn)).body.countedUsdc,
    "0.00",
  );
});

Deno.test("a donation to the wallet that funded the giver, or that sends the giver all it has, counts nothing", async (t) => {
  const cases: readonly [
    name: string,
    ties: (giver: string, sink: string) => {
      of: string;
      funder?: string;
      sweptTo?: string;
    },
    counted: string,
  ][] = [
    ["the sink funded the giver", (of, funder) => ({ of, funder }), "0.00"],
    ["the giver funded the sink", (funder, of) => ({ of, funder }), "0.00"],
    [
      "the sink sweeps to the giver",
      (sweptTo, of) => ({ of, sweptTo }),
      "0.00",
    ],
    [
      "the giver sweeps to the sink",
      (of, sweptTo) => ({ of, sweptTo }),
      "0.00",
    ],
    ["others", (of) => ({ of, funder: "0xa", sweptTo: "0xb" }), "250.00"],
  ];
  for (const [name, ties, counted] of cases) {
    await t.step(name, async () => {
      using deps = await paidDeps();
      const [giver, sink] = await newRing(deps);
      const { of, funder, sweptTo = null } = ties(giver!.wallet, sink!.wallet);
      await deps.store.signals.put(of, {
        origin: deps.upstream.explorer.baseUrl,
        signals: {
          ...NO_CHAIN,
          funding: funder === undefined ? null : { funder, at: 0 },
          sweptTo,
        },
      });
      const txHash = deps.chain.send({
        from: giver!.wallet,
        to: sink!.wallet,
        amount: AMOUNT,
      });
      deps.chain.mine();
      const { body } = await giver!.donate(sink!.wallet, txHash);
      assertEquals([body.usdc, body.countedUsdc], ["250.00", counted]);
      assertEquals(await giver!.donated(), counted);
    });
  }
});
