/** `GET /dashboard/calls`: the last calls of the signed-in wallet, filtered by links and a form that need no script. */
import { z } from "@hono/zod-openapi";
import { html } from "hono/html";
import { readCalls } from "../../services/accounts/account.ts";
import {
  type CallsAnswer,
  MAX_CALLS,
} from "../../services/accounts/account_schema.ts";
import type { AccountsDeps } from "../../services/accounts/deps.ts";
import { query } from "../../services/platform/wire_schema.ts";
import { checkQuery } from "../http/validation_errors.ts";
import { newRouter } from "../http/router.ts";
import { dayWords } from "../pages/dates.ts";
import type { Html, Page } from "../pages/layout.ts";
import { answerPage } from "../pages/page.ts";
import { table } from "../pages/tables.ts";
import { findWallet } from "./session.ts";
import { OWN_PAGE, ownedPage, SIGN_IN } from "./wallet_page.ts";

const PATH = "/dashboard/calls";

type Call = CallsAnswer["calls"][number];

/** A choice of the reader: which calls have a value, and how it reads. */
interface Filter {
  readonly label: string;
  /** The choice that filters nothing. */
  readonly all: string;
  readonly of: (call: Call) => string;
  readonly words?: (value: string, call: Call | undefined) => string;
}

const FILTERS = {
  key: {
    label: "Key",
    all: "All keys",
    of: ({ keyId }) => keyId,
    words: (id, call) =>
      `${call?.keyName ?? "revoked key"} (${id.slice(0, 8)})`,
  },
  route: {
    label: "Route",
    all: "All routes",
    of: ({ endpoint }) => endpoint,
  },
  status: {
    label: "Status",
    all: "Any status",
    of: ({ status }) => String(status),
  },
  day: {
    label: "Day (UTC)",
    all: "All days",
    of: ({ at }) => at.slice(0, 10),
    words: (day) => dayWords(day),
  },
} as const satisfies Record<string, Filter>;

type FilterName = keyof typeof FILTERS;
const NAMES = Object.keys(FILTERS) as FilterName[];

const MAX_CHOICE = 100;
const Choice = z.string().max(MAX_CHOICE, `at most ${MAX_CHOICE} characters`)
  .optional();

/** The query of the page. An empty choice is none: a form sends it for "all". */
const CallsQuery = query({
  key: Choice,
  route: Choice,
  status: z.union([
    z.literal(""),
    z.string().regex(/^[1-5]\d\d$/, "a status such as 200"),
  ]).optional(),
  day: z.union([z.literal(""), z.iso.date("a day as YYYY-MM-DD")]).optional(),
});
type Choices = z.infer<typeof CallsQuery>;

/** Serves the page. */
export function callsPages(deps: AccountsDeps) {
  return newRouter().get("/calls", async (c) => {
    const choices = checkQuery(c, CallsQuery);
    const wallet = await findWallet(deps, c);
    if (wallet === null) return c.redirect(SIGN_IN, 302);
    const { calls } = await readCalls(deps, wallet);
    const page = callsPage(wallet, calls, choices);
    return answerPage(c, page, { headers: OWN_PAGE });
  });
}

/** Renders the calls that fit the choices. */
function callsPage(
  wallet: string,
  calls: readonly Call[],
  choices: Choices,
): Page {
  const shown = calls.filter((call) =>
    NAMES.every((name) =>
      !choices[name] || FILTERS[name].of(call) === choices[name]
    )
  );
  const units = shown.reduce((sum, { units }) => sum + units, 0);
  const isFiltered = NAMES.some((name) => choices[name]);
  return ownedPage({
    title: "Calls",
    lede:
      `The last ${MAX_CALLS} calls with your keys in 30 days, and the scores that
      your session has signed, newest first.
      Scored addresses and callers are not stored.`,
    wallet,
    section: "calls",
    content: html`
      ${calls.length === 0 ? "" : html`
        <details class="phone-details">
          <summary>Filter the calls</summary>
          <form class="card cluster cluster-end call-filters" action="${PATH}">
            ${NAMES.map((name) => select(name, calls, choices))}
            <button class="button-primary">Show</button>
          </form>
        </details>
      `}
      <section class="stack stack-small" aria-labelledby="shown">
        <div class="cluster"><h2 id="shown">${countWords(
          shown.length,
          calls.length,
          isFiltered,
        )}, ${units} ${units === 1 ? "unit" : "units"}</h2>${isFiltered
          ? html`<a href="${PATH}">Show all</a>`
          : ""}</div>
        ${shown.length === 0
          ? html`<p class="muted">${
            calls.length === 0 ? "No calls yet." : "No call fits all choices."
          }</p>`
          : callTable(shown, choices)}
        <p class="small muted">A value is a link to the calls that share it. A call can appear some
          minutes late, and after an outage calls can be missing here. The count of units on the
          dashboard is always complete.</p>
      </section>
    `,
  });
}

function countWords(shown: number, all: number, isFiltered: boolean): string {
  const words = `${shown} ${shown === 1 ? "call" : "calls"}`;
  return isFiltered ? `${shown} of ${all} calls` : words;
}

/** Renders the choices of a filter: the values of all calls, and the chosen one if no call has it any more. */
function select(
  name: FilterName,
  calls: readonly Call[],
  choices: Choices,
): Html {
  const { label, all, of }: Filter = FILTERS[name];
  const chosen = choices[name] ?? "";
  const values = new Set(calls.map(of));
  if (chosen !== "") values.add(chosen);
  return html`<div class="field"><label for="${name}">${label}</label>
    <select id="${name}" name="${name}"><option value="">${all}</option>${
    [...values].toSorted().map((value) =>
      html`<option value="${value}" ${value === chosen ? "selected" : ""}>${
        wordsOf(name, value, calls)
      }</option>`
    )
  }</select></div>`;
}

function wordsOf(
  name: FilterName,
  value: string,
  calls: readonly Call[],
): string {
  const { of, words }: Filter = FILTERS[name];
  return words?.(value, calls.find((call) => of(call) === value)) ?? value;
}

function callTable(calls: readonly Call[], choices: Choices): Html {
  const link = (name: FilterName, call: Call, text: Html | string) => {
    const value = FILTERS[name].of(call);
    return value === choices[name]
      ? text
      : html`<a href="${hrefOf({ ...choices, [name]: value })}">${text}</a>`;
  };
  return table("Calls", {
    isCards: true,
    head: ["When", "Status", "Route", "Units", "Key", "Request id"],
    rows: calls.map((call) => [
      html`<time datetime="${call.at}" class="nowrap">${
        link("day", call, dayWords(call.at))
      }, ${call.at.slice(11, 16)} UTC</time>`,
      link(
        "status",
        call,
        html`<span class="badge ${
          call.status < 400 ? "badge-good" : "badge-warn"
        }">${call.status}</span>`,
      ),
      link("route", call, html`<code class="nowrap">${call.endpoint}</code>`),
      String(call.units),
      link("key", call, call.keyName ?? "revoked key"),
      html`<code class="hash">${call.requestId}</code>`,
    ]),
  });
}

/** Returns the address of the page with some choices. */
function hrefOf(choices: Choices): string {
  const given = NAMES.flatMap((name) =>
    choices[name] ? [[name, choices[name]]] : []
  );
  return given.length === 0 ? PATH : `${PATH}?${new URLSearchParams(given)}`;
}
