/** Notices on the quota and the end of a plan, on both sides of each bound. */
import { assertEquals } from "@std/assert";
import { noticesOf, type PlanUse } from "../../../services/accounts/account.ts";

const NOW = Date.parse("2026-11-21T08:00:00Z");
const WEEK_LATER = "2026-11-28T08:00:00.000Z";

const FREE: PlanUse = {
  planLabel: "Free",
  paidUntil: null,
  isFollowed: false,
  used: 0,
  limit: 2_500,
};

Deno.test("noticesOf() announces the quota from 80 % of it on, and its end from all of it on", () => {
  const cases: [used: number, code: string | undefined][] = [
    [0, undefined],
    [1_999, undefined],
    [2_000, "QUOTA_80_PERCENT"],
    [2_499, "QUOTA_80_PERCENT"],
    [2_500, "QUOTA_USED_UP"],
    [2_501, "QUOTA_USED_UP"],
  ];
  for (const [used, code] of cases) {
    const codes = noticesOf({ ...FREE, used }, NOW).map(({ code }) => code);
    assertEquals(codes, code === undefined ? [] : [code], `${used}`);
  }
  assertEquals(noticesOf({ ...FREE, used: 2_000 }, NOW), [{
    code: "QUOTA_80_PERCENT",
    message: "2,000 of 2,500 units used in the last 30 days.",
  }]);
});

Deno.test("noticesOf() announces the end of a plan a week before it, after the notice on the quota", () => {
  const paid = { ...FREE, planLabel: "Builder", paidUntil: WEEK_LATER };
  assertEquals(noticesOf({ ...paid, used: 2_500 }, NOW), [
    {
      code: "QUOTA_USED_UP",
      message:
        "2,500 of 2,500 units used in the last 30 days. Requests are refused until older units leave the window.",
    },
    {
      code: "PLAN_ENDS_SOON",
      message:
        "The Builder plan ends on 2026-11-28 (UTC). It does not renew automatically; after that, the Free plan applies.",
    },
  ]);
  assertEquals(noticesOf(paid, NOW - 1), [], "a millisecond too early");
  assertEquals(noticesOf({ ...paid, isFollowed: true }, NOW), []);
  assertEquals(noticesOf({ ...FREE, isFollowed: true }, NOW), []);
});
