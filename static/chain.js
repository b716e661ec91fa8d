/** The page of a chain: a pointer, a finger or a key reads the values of its small charts. */
import { dataOf, showChart } from "./explorer/chart.js";

const { days, format, values } = dataOf(document) ?? { values: [] };
for (const [nth, plot] of document.querySelectorAll(".plot").entries()) {
  const line = {
    unit: "",
    base: null,
    values: values[nth],
    second: days.map(() => null),
    incomplete: [],
    inferred: [],
    revised: [],
  };
  showChart(plot.closest("li"), {
    days,
    interval: "day",
    format,
    kind: null,
    isLog: false,
    lines: [line],
    rings: [],
  });
}
