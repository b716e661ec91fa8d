/** Donations over HTTP. */
import { assertEquals } from "@std/assert";
import { DonationAnswer } from "../../../services/profiles/profiles_schema.ts";
import { DAY_MS } from "../../../services/platform/days.ts";
import { TREASURY } from "../../support/evm/paid_chain.ts";
import { newPayer, type PaidDeps, paidDeps } from "../../support/evm/payers.ts";

const STRANGER = `0x${"cc".repeat(20)}`;
const FIVE = 5_000_000n;

/** Sends five dollars with two confirmations, and returns the hash. */
function give({ chain }: PaidDeps, from: string, to: string): string {
  const txHash = chain.send({ from, to, amount: FIVE });
  chain.mine();
  return txHash;
}

/** An owner with a profile, and the donation requests. */
async function newGiver(deps: PaidDeps, nth = 1) {
  const payer = await newPayer(deps, nth);
  const body = { displayName: null, slug: null, linksPublic: false };
  await payer.call("PUT", "/profile", { body });
  return {
    ...payer,
    give: (to: string) => give(deps, payer.wallet, to),
    donate: (to: string, txHash: string) =>
      payer.call("POST", "/donations", { body: { to, txHash } }),
    /** What of the donations counts so far. */
    async donated(): Promise<string> {
      return (await payer.call("GET", "/profile")).body.donatedUsdc;
    },
  };
}

Deno.test("a donation is recorded once, after two confirmations", async () => {
  using deps = await paidDeps();
  const [ada, eve] = [await newGiver(deps), await newGiver(deps, 2)];
  const txHash = deps.chain.send({
    from: ada.wallet,
    to: eve.wallet,
    amount: FIVE,
  });
  const early = await ada.donate(eve.wallet, txHash);
  assertEquals([early.status, early.body], [202, {
    status: "pending",
    confirmations: 0,
    required: 2,
  }]);
  deps.chain.mine();
  const recorded = await ada.donate(eve.wallet, txHash);
  assertEquals(recorded.status, 200, recorded.text);
  assertEquals(DonationAnswer.parse(recorded.body), recorded.body);
  assertEquals(
    [recorded.body.usdc, recorded.body.countedUsdc, recorded.body.to],
    ["5.00", "5.00", eve.wallet],
  );
  assertEquals(await ada.donated(), "5.00");
  const again = await ada.donate(eve.wallet, txHash);
  assertEquals([again.status, again.body.code], [409, "TX_USED"]);
  assertEquals(await ada.donated(), "5.00");
  assertEquals(await eve.donated(), "0.00");
});

Deno.test("each invalid donation is rejected with its own code", async (t) => {
  using deps = await paidDeps();
  const { chain } = deps;
  const [ada, eve] = [await newGiver(deps), await newGiver(deps, 2)];
  const to = eve.wallet;
  const gift = { from: ada.wallet, to, amount: FIVE };
  const token = `0x${"e0".repeat(20)}`;
  const cases: [name: string, txHash: string, status: number, code: string][] =
    [
      ["an unknown hash", `0x${"12".repeat(32)}`, 422, "TX_NOT_FOUND"],
      ["a transaction that failed", chain.fail(gift), 422, "TX_FAILED"],
      ["another token", chain.send({ ...gift, token }), 422, "WRONG_TOKEN"],
      [
        "another token from another wallet",
        chain.send({ ...gift, from: STRANGER, token }),
        422,
        "NO_TRANSFER",
      ],
      [
        "to another address",
        chain.send({ ...gift, to: STRANGER }),
        422,
        "WRONG_RECIPIENT",
      ],
      [
        "from another wallet",
        chain.send({ ...gift, from: STRANGER }),
        422,
        "WRONG_SENDER",
      ],
      [
        "less than a cent",
        chain.send({ ...gift, amount: 9_999n }),
        422,
        "NO_TRANSFER",
      ],
      [
        "nothing from another wallet",
        chain.send({ ...gift, from: STRANGER, amount: 0n }),
        422,
        "NO_TRANSFER",
      ],
      ["nothing at all", chain.send(), 422, "NO_TRANSFER"],
      ["no hash", "0x12", 400, "BAD_REQUEST"],
    ];
  chain.mine();
  for (const [name, txHash, status, code] of cases) {
    await t.step(name, async () => {
      const answer = await ada.donate(to, txHash);
      assertEquals([answer.status, answer.body.code], [status, code]);
    });
  }
  assertEquals(await ada.donated(), "0.00");
});

Deno.test("a donation of a cent is recorded, and counts", async () => {
  using deps = await paidDeps();
  const [ada, eve] = [await newGiver(deps), await newGiver(deps, 2)];
  const gift = { from: ada.wallet, to: eve.wallet, amount: 10_000n };
  const txHash = deps.chain.send(gift);
  deps.chain.mine();
  const { status, body } = await ada.donate(eve.wallet, txHash);
  assertEquals([status, body.usdc, body.countedUsdc], [200, "0.01", "0.01"]);
  assertEquals(await ada.donated(), "0.01");
});

Deno.test("a donation requires two profiles, and never goes to the treasury", async () => {
  using deps = await paidDeps();
  const ada = await newGiver(deps);
  for (const to of [STRANGER, TREASURY]) {
    const answer = await ada.donate(to, ada.give(to));
    assertEquals([answer.status, answer.body.parameter], [400, "to"]);
  }
  const bare = await newPayer(deps, 2);
  const txHash = give(deps, bare.wallet, ada.wallet);
  const body = { to: ada.wallet, txHash };
  const answer = await bare.call("POST", "/donations", { body });
  assertEquals([answer.status, answer.body.code], [409, "PROFILE_REQUIRED"]);
});

Deno.test("all transfers between two addresses in one transaction count together", async () => {
  using deps = await paidDeps();
  const [ada, eve] = [await newGiver(deps), await newGiver(deps, 2)];
  const gift = { from: ada.wallet, to: eve.wallet };
  const txHash = deps.chain.send(
    { ...gift, amount: FIVE },
    { ...gift, amount: 1n },
    { ...gift, to: STRANGER, amount: FIVE },
  );
  deps.chain.mine();
  const { body } = await ada.donate(eve.wallet, txHash);
  assertEquals(body.usdc, "5.000001");
});

Deno.test("money sent back and forth counts once in 30 days, and to the own address never", async () => {
  using deps = await paidDeps();
  const [ada, eve] = [await newGiver(deps), await newGiver(deps, 2)];
  await ada.donate(eve.wallet, ada.give(eve.wallet));
  const back = await eve.donate(ada.wallet, eve.give(ada.wallet));
  assertEquals([back.status, back.body.countedUsdc], [200, "0.00"]);
  assertEquals([await ada.donated(), await eve.donated()], ["0.00", "0.00"]);
  await ada.donate(eve.wallet, ada.give(eve.wallet));
  assertEquals([await ada.donated(), await eve.donated()], ["5.00", "0.00"]);

  const own = await ada.donate(ada.wallet, ada.give(ada.wallet));
  assertEquals([own.status, own.body.countedUsdc], [200, "0.00"]);
  assertEquals(await ada.donated(), "5.00");
  const held = await deps.store.profiles.find(ada.wallet);
  assertEquals(held?.selfDonated, true);

  deps.chain.mine(31 * DAY_MS / 1000);
  await ada.donate(eve.wallet, ada.give(eve.wallet));
  assertEquals(await ada.donated(), "10.00");
});

Deno.test("POST /donations is limited to twenty a minute for each wallet, before the receiver is looked up", async () => {
  using deps = await paidDeps();
  const [ada, eve] = [await newGiver(deps), await newGiver(deps, 2)];
  const txHash = `0x${"12".repeat(32)}`;
  for (let nth = 0; nth < 20; nth++) {
    assertEquals((await ada.donate(STRANGER, txHash)).status, 400);
  }
  const { status, body, headers } = await ada.donate(STRANGER, txHash);
  assertEquals([status, body.code], [429, "RATE_LIMITED"]);
  assertEquals(headers.get("Retry-After"), "61");
  const other = await eve.donate(STRANGER, txHash);
  assertEquals(other.status, 400, "a limit per wallet");
  deps.advance(61_000);
  assertEquals((await ada.donate(STRANGER, txHash)).status, 400);
});
