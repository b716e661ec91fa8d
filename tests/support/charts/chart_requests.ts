/** Requests of charts as images. */
import { appOf } from "../app.ts";
import { elementsOf } from "./charts.ts";
import type { TestDeps } from "../deps.ts";
import { assertDrawn } from "../readable.ts";

/** Requests a chart, and checks that what it draws is readable. */
export async function askChart(
  deps: TestDeps,
  path: string,
  init?: RequestInit,
) {
  const response = await appOf(deps).request(`/chart/${path}`, init);
  const text = await response.text();
  const elements = text === "" ? [] : elementsOf(text);
  if (elements.length > 0) assertDrawn(elements);
  return { response, status: response.status, text, elements };
}
