/** The fields of the explorer's form that say how values are drawn. */
import { html } from "hono/html";
import { hasAverages, valuesOf } from "../../services/charts/chart_view.ts";
import {
  AVERAGES,
  baseCountOf,
  type ChartView,
  FIRST_ACTIVE,
  LAYOUTS,
  SCALES,
} from "../../services/charts/chart_view_schema.ts";
import {
  CHOSEN_DAY,
  type ExplorerState,
} from "../../services/charts/explorer_schema.ts";
import { segments } from "./segments.ts";
import type { Html } from "../pages/layout.ts";

const VALUES_WORDS = {
  absolute: "Values",
  index: "Index",
  share: "Shares",
  total: "Total",
} as const;

const SCALE_WORDS = { linear: "Linear", log: "Log" } as const;
const LAYOUT_WORDS = {
  together: "Together",
  panels: "One per chain",
} as const;

/** Numbers of first buckets whose mean the form offers as a base. */
const BASE_COUNTS = ["7", "30"];

/** Renders the fields. Those that the chart does not have are left out. */
export function viewFields(state: ExplorerState): Html {
  const { metric: name, chainIds, interval, view } = state;
  const viewed = { name, chainCount: chainIds.length, interval };
  const offered = valuesOf(viewed);
  return html`
    ${offered.length > 1
      ? choice("values", "Show", {
        // The default depends on the number of chains, which the form may change.
        options: offered.map((value) => [
          value === offered[0] ? "" : value,
          VALUES_WORDS[value],
        ]),
        chosen: view.values === offered[0] ? "" : view.values,
      })
      : ""} ${view.base === null ? "" : baseFields(view)} ${hasAverages(viewed)
      ? choice("average", "Moving average", {
        options: [
          ["", "None"],
          ...AVERAGES.map((days) => [days, `${days} days`] as const),
        ],
        chosen: view.average ?? "",
      })
      : ""} ${segments("scale", "Value axis", {
        names: SCALES,
        words: (scale) => SCALE_WORDS[scale],
        chosen: view.scale,
      })} ${chainIds.length > 1 && view.values !== "total"
      ? segments("layout", "Plots", {
        names: LAYOUTS,
        words: (layout) => LAYOUT_WORDS[layout],
        chosen: view.layout,
      })
      : ""}
  `;
}

/** Renders the choice of the base, and the day of a chosen one. */
function baseFields({ base }: ChartView): Html {
  const count = baseCountOf(base!);
  const day = count === null ? base : null;
  const counts = count === null || count === 1 ||
      BASE_COUNTS.includes(String(count))
    ? BASE_COUNTS
    : [...BASE_COUNTS, String(count)];
  return html`
    ${choice("base", "Base, 100", {
      options: [
        [FIRST_ACTIVE, "First active"],
        ...counts.map((number) => [number, `Mean of first ${number}`] as const),
        [CHOSEN_DAY, "A day"],
      ],
      chosen: day === null ? base! : CHOSEN_DAY,
    })}
    <div class="field base-day">
      <label for="baseDay">Day of the base</label>
      <input type="date" id="baseDay" name="baseDay" value="${day ?? ""}">
    </div>
  `;
}

function choice(
  name: string,
  label: string,
  { options, chosen }: {
    readonly options: readonly (readonly [value: string, words: string])[];
    readonly chosen: string;
  },
): Html {
  return html`
    <div class="field">
      <label for="${name}">${label}</label>
      <select id="${name}" name="${name}">${options.map(([value, words]) =>
        html`<option value="${value}" ${
          value === chosen ? "selected" : ""
        }>${words}</option>`
      )}</select>
    </div>
  `;
}
