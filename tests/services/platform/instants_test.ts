import { assertEquals } from "@std/assert";
import { minuteOf, secondOf } from "../../../services/platform/instants.ts";

Deno.test("minuteOf() and secondOf() return the start of the minute and of the second", () => {
  const at = (text: string) => Date.parse(`2026-11-21T${text}Z`);
  const cases = [
    ["08:00:00.000", "08:00:00.000", "08:00:00.000"],
    ["08:00:59.999", "08:00:00.000", "08:00:59.000"],
    ["08:01:00.000", "08:01:00.000", "08:01:00.000"],
    ["08:01:01.001", "08:01:00.000", "08:01:01.000"],
  ] as const;
  for (const [now, minute, second] of cases) {
    assertEquals(minuteOf(at(now)), at(minute), now);
    assertEquals(secondOf(at(now)), at(second), now);
  }
});
