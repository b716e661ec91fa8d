/** Badges over HTTP, and their SVG as elements. */
import { assertMatch } from "@std/assert";
import { type Element, xml2js } from "xml-js";
import { appOf } from "../app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import type { TestDeps } from "../deps.ts";

export const ADDRESS = exampleOf("ordinary");
export const PATH = `/api/tools/score-badge/${ADDRESS}`;
/** The characters that a document may contain: XML 1.0, section 2.2. */
const LEGAL =
  /^[\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]*$/u;

/** Requests a badge from the whole app, as the server does. */
export async function ask(deps: TestDeps, path: string, init?: RequestInit) {
  const response = await appOf(deps).fetch(
    new Request(`http://firn.test${path}`, init),
  );
  return { response, text: await response.text() };
}

/** Parses strictly: throws unless the document is well-formed. */
export function parse(svg: string): Element {
  assertMatch(svg, LEGAL);
  const [root] = (xml2js(svg) as Element).elements!;
  return root!;
}

/** Returns an element and all its descendants, outermost first. */
export const allOf = (element: Element): Element[] => [
  element,
  ...(element.elements ?? []).flatMap(allOf),
];

export const textsOf = (root: Element) =>
  allOf(root).filter(({ name }) => name === "text")
    .map(({ elements }) => elements![0]!.text as string);
