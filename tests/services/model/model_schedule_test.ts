/** Which model is in use at an instant, and which one is announced. */
import { assertEquals } from "@std/assert";
import { S4_2026_3 } from "../../../services/model/s4_2026_3.ts";
import { modelsAt } from "../../../services/model/model_schedule.ts";

Deno.test("modelsAt() names the announced model for thirty days, and then uses it", () => {
  const later = { ...S4_2026_3, id: "s4-2027.1" };
  const schedule = [
    { model: S4_2026_3, announcedOn: null },
    { model: later, announcedOn: "2026-11-01" },
  ];
  const at = (instant: string) => {
    const { current, next } = modelsAt(Date.parse(instant), schedule);
    return [current.id, next?.model.id, next?.announcedOn, next?.usedFrom];
  };
  const announced = ["s4-2026.3", "s4-2027.1", "2026-11-01", "2026-12-01"];
  const none = [undefined, undefined, undefined];
  assertEquals(at("2026-10-31T23:59:59.999Z"), ["s4-2026.3", ...none]);
  assertEquals(at("2026-11-01T00:00:00Z"), announced);
  assertEquals(at("2026-11-30T23:59:59.999Z"), announced);
  assertEquals(at("2026-12-01T00:00:00Z"), ["s4-2027.1", ...none]);
});
