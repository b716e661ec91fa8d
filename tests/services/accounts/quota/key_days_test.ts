/** Units of a key by day. */
import { assertEquals } from "@std/assert";
import {
  listKeyDays,
  unitsOfKey,
} from "../../../../services/accounts/quota/quota.ts";
import { DAY_MS } from "../../../../services/platform/days.ts";

Deno.test("listKeyDays() and unitsOfKey() count the days that still count towards a cap", () => {
  const counter = { since: 100, units: [1, 0, 2, 4] };
  const days = (today: number, ms = 0) =>
    listKeyDays(counter, today * DAY_MS + ms).map(({ day }) => day);
  assertEquals(days(103), [100, 102, 103]);
  assertEquals(days(130, DAY_MS - 1), [100, 102, 103], "30 days after its end");
  assertEquals(days(131), [102, 103]);
  assertEquals(days(133), [103]);
  assertEquals(days(134), []);
  const units = [130, 131, 133, 134].map((today) =>
    unitsOfKey(counter, today * DAY_MS)
  );
  assertEquals(units, [7, 6, 4, 0]);
  assertEquals(listKeyDays(counter, 133 * DAY_MS), [{ day: 103, units: 4 }]);
});
