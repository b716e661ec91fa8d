/** The fields of the explorer's form that say how values are drawn. */
import { assertEquals } from "@std/assert";
import { viewFields } from "../../../routes/charts/explorer_form.ts";
import type { ChartView } from "../../../services/charts/charts_schema.ts";
import type { ExplorerState } from "../../../services/charts/explorer.ts";
import { EXPLORER_STATE } from "../../support/charts/explorer.ts";
import { outlineOf } from "../../support/outline.ts";

Deno.test("the explorer offers only the ways of drawing that the chart has", () => {
  const fieldsOf = (
    more: Omit<Partial<ExplorerState>, "view"> & {
      readonly view?: Partial<ChartView>;
    },
  ) => {
    const view = { ...EXPLORER_STATE.view, ...more.view };
    return outlineOf(String(viewFields({ ...EXPLORER_STATE, ...more, view })));
  };
  assertEquals(fieldsOf({}), [
    "label Show",
    "select[name=values]",
    "option[value selected] Values",
    "option[value=index] Index",
    "label Moving average",
    "select[name=average]",
    "option[value selected] None",
    "option[value=7] 7 days",
    "option[value=30] 30 days",
    "legend Value axis",
    "input[name=scale value=linear checked] Linear",
    "input[name=scale value=log] Log",
  ]);
  assertEquals(
    fieldsOf({
      chainIds: [1, 2],
      view: { values: "index", base: "first", average: "7", layout: "panels" },
    }),
    [
      "label Show",
      "select[name=values]",
      "option[value selected] Index",
      "option[value=absolute] Values",
      "option[value=share] Shares",
      "option[value=total] Total",
      "label Base, 100",
      "select[name=base]",
      "option[value=first selected] First active",
      "option[value=7] Mean of first 7",
      "option[value=30] Mean of first 30",
      "option[value=day] A day",
      "label Day of the base",
      "input[name=baseDay value]",
      "label Moving average",
      "select[name=average]",
      "option[value] None",
      "option[value=7 selected] 7 days",
      "option[value=30] 30 days",
      "legend Value axis",
      "input[name=scale value=linear checked] Linear",
      "input[name=scale value=log] Log",
      "legend Plots",
      "input[name=layout value=together] Together",
      "input[name=layout value=panels checked] One per chain",
    ],
  );
  const baseOf = (base: string) => {
    const lines = fieldsOf({
      chainIds: [1, 2],
      view: { values: "index", base },
    });
    const from = lines.indexOf("select[name=base]");
    return lines.slice(from + 1, lines.indexOf("label Day of the base") + 2)
      .filter((line) => !line.startsWith("label"));
  };
  assertEquals(baseOf("30"), [
    "option[value=first] First active",
    "option[value=7] Mean of first 7",
    "option[value=30 selected] Mean of first 30",
    "option[value=day] A day",
    "input[name=baseDay value]",
  ]);
  assertEquals(baseOf("90"), [
    "option[value=first] First active",
    "option[value=7] Mean of first 7",
    "option[value=30] Mean of first 30",
    "option[value=90 selected] Mean of first 90",
    "option[value=day] A day",
    "input[name=baseDay value]",
  ]);
  assertEquals(baseOf("2026-11-02"), [
    "option[value=first] First active",
    "option[value=7] Mean of first 7",
    "option[value=30] Mean of first 30",
    "option[value=day selected] A day",
    "input[name=baseDay value=2026-11-02]",
  ]);
  assertEquals(
    fieldsOf({ chainIds: [1, 2], view: { values: "total" } })
      .some((line) => line.includes("layout")),
    false,
  );
});
