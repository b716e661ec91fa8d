/** An account earns one Verified Human number, ever, and a number is signed only with its evidence. */
import { SERVICE } from "../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals } from "@std/assert";
import { signScore } from "../../services/attestations/attestations.ts";
import {
  newProfile,
  type VerifiedSocial,
} from "../../services/profiles/profile.ts";
import { linkSocial, unlinkSocial } from "../../services/profiles/socials.ts";
import { DAY_MS } from "../../services/platform/days.ts";
import { readScore } from "../../services/scores/scores.ts";
import { exampleOf } from "../../simnet/accounts.ts";
import { SIGNING } from "../support/attestations.ts";
import { type TestDeps, testDeps } from "../support/deps.ts";

const requestId = "test";
const USED = { createdAt: 0, publicWork: 100 };
const GITHUB = {
  kind: "github",
  id: "583231",
  handle: "octocat",
  account: USED,
} as const;
const DOMAIN = { kind: "domain", id: null, handle: "firn.network" } as const;
const X = { kind: "x", id: "7", handle: "octocat" } as const;
const THREE = [GITHUB, DOMAIN, X];
const KINDS = THREE.map(({ kind }) => kind);
/** Three accounts of somebody else. */
const OTHERS = [
  { kind: "github", id: "9", handle: "eve", account: USED },
  { kind: "domain", id: null, handle: "eve.network" },
  { kind: "x", id: "8", handle: "eve" },
] as const;

/** A wallet of the attacker: old enough, with a profile. */
async function newWallet(deps: TestDeps, nth: number) {
  const address = exampleOf("ordinary", nth);
  await readScore(deps, address, { requester: SERVICE });
  const at = deps.now().getTime();
  await deps.store.profiles.change(address, () => ({
    profile: newProfile(at),
    audit: { at, event: "profile.update", requestId },
  }));
  return {
    address,
    link: (account: Omit<VerifiedSocial, "verifiedAt">) =>
      linkSocial(deps, address, {
        ...account,
        verifiedAt: at - 365 * DAY_MS,
        requestId,
      }),
    unlink: (kind: VerifiedSocial["kind"]) =>
      unlinkSocial(deps, address, { kind, requestId }),
    async human() {
      const score = await readScore(deps, address, { requester: SERVICE });
      const codes = score.explanation.reasons.map(({ code }) => code);
      const { message, readable } = await signScore(
        deps,
        address,
        600,
        SERVICE,
      );
      assertEquals(
        readable.verifiedHuman,
        message.verifiedHuman ? score.verifiedHuman : null,
      );
      assert(score.verifiedHuman !== null || !message.verifiedHuman);
      return {
        number: score.verifiedHuman,
        isSigned: message.verifiedHuman,
        isLapsed: codes.includes("VERIFIED_HUMAN_LAPSED"),
      };
    },
  };
}

const NOBODY = { number: null, isSigned: false, isLapsed: false };

Deno.test("three accounts earn one number, whatever wallet they are linked to", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const [first, ...others] = await Promise.all(
    [0, 1, 2, 3, 4, 5].map((nth) => newWallet(deps, nth)),
  );
  for (const account of THREE) await first!.link(account);
  assertEquals(await first!.human(), {
    number: 1,
    isSigned: true,
    isLapsed: false,
  });
  for (const kind of KINDS) await first!.unlink(kind);
  assertEquals(
    await first!.human(),
    { number: 1, isSigned: false, isLapsed: true },
    "the number is permanent, but nothing stands for it",
  );
  for (const [nth, wallet] of others.entries()) {
    // A renamed login is the same account.
    await wallet.link({ ...GITHUB, handle: `octocat-${nth}` });
    await wallet.link(DOMAIN);
    await wallet.link(X);
    assertEquals(await wallet.human(), NOBODY);
    for (const kind of KINDS) await wallet.unlink(kind);
  }
  assertEquals((await deps.kv.get(["humans", 2])).value, null);

  for (const account of THREE) await first!.link(account);
  assertEquals(await first!.human(), {
    number: 1,
    isSigned: true,
    isLapsed: false,
  });
});

Deno.test("an account that earned a number does not stand for another wallet's number", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const [ada, eve] = [await newWallet(deps, 0), await newWallet(deps, 1)];
  for (const account of THREE) await ada.link(account);
  for (const account of OTHERS) await eve.link(account);
  assertEquals((await eve.human()).number, 2);
  await ada.unlink("domain");
  await eve.unlink("domain");
  await eve.link(DOMAIN);
  assertEquals(await eve.human(), {
    number: 2,
    isSigned: false,
    isLapsed: true,
  });
});

Deno.test("a login that passed to somebody else is another account", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const [ada, eve] = [await newWallet(deps, 0), await newWallet(deps, 1)];
  for (const account of THREE) await ada.link(account);
  await eve.link({ ...GITHUB, id: "9" });
  for (const account of OTHERS.slice(1)) await eve.link(account);
  assertEquals((await eve.human()).number, 2);
});

Deno.test("concurrent links of freed accounts earn no second number", async () => {
  using deps = await testDeps({ settings: SIGNING });
  const wallets = await Promise.all(
    [0, 1, 2, 3].map((n) => newWallet(deps, n)),
  );
  const numbers = new Set<number>();
  for (let round = 0; round < 6; round++) {
    await Promise.all(wallets.map(async ({ link, unlink, human }) => {
      for (const account of THREE) await link(account).catch(() => {});
      await human().then(({ number }) => number && numbers.add(number));
      for (const kind of KINDS) await unlink(kind).catch(() => {});
    }));
  }
  assert(numbers.size <= 1, [...numbers].join());
});
