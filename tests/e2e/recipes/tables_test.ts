/** Recipes that read the API as tables: Grafana and Google Sheets. */
import { assert, assertEquals, assertMatch } from "@std/assert";
import { parse } from "@std/csv";
import jsonata from "jsonata";
import { parse as parseYaml } from "yaml";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import {
  ask,
  openService,
  readExamples,
} from "../../support/recipes/recipe_service.ts";

/** A query of Grafana's Infinity data source. */
interface Infinity {
  readonly url: string;
  readonly root_selector: string;
  readonly columns: readonly {
    readonly selector: string;
    readonly text: string;
    readonly type: "timestamp" | "number" | "string";
  }[];
}

/** Returns the rows that a query gives, as the data source selects them. */
async function readInfinity(query: Infinity) {
  const url = query.url
    .replace("${chain}", "43114")
    .replace("${__from:date:YYYY-MM-DD}", "2026-08-23")
    .replace("${__to:date:YYYY-MM-DD}", "2026-11-21");
  const answer = await (await ask(url)).json();
  const rows = await jsonata(query.root_selector).evaluate(answer);
  return await Promise.all(Array.from(rows, async (row) =>
    Object.fromEntries(
      await Promise.all(query.columns.map(async ({ selector, text }) => [
        text,
        await jsonata(selector).evaluate(row),
      ])),
    )));
}

Deno.test("Grafana: every query of the dashboard selects rows of the declared types", async () => {
  await using service = await openService();
  const [text] = await readExamples("grafana", { lang: "json", ...service });
  const dashboard = JSON.parse(text!);
  const [provisioned] = await readExamples("grafana", {
    lang: "yaml",
    ...service,
  });
  const { type, uid, jsonData } = parseYaml(provisioned!).datasources[0];
  assertEquals(jsonData.allowedHosts, [service.url]);
  const queries: Infinity[] = [
    ...dashboard.templating.list.map((
      { query }: { query: { infinityQuery: Infinity } },
    ) => query.infinityQuery),
    ...dashboard.panels.flatMap((
      panel: { datasource: object; targets: Infinity[] },
    ) => {
      assertEquals(panel.datasource, { type, uid });
      return panel.targets;
    }),
  ];
  assertEquals(queries.length, 3);
  for (const query of queries) {
    const rows = await readInfinity(query);
    assert(rows.length > 1, query.url);
    for (const { text, type } of query.columns) {
      for (const row of rows) {
        const value = row[text];
        if (type === "timestamp") {
          assert(!Number.isNaN(Date.parse(value)), value);
        } else assertEquals(typeof value, type, `${text} of ${query.url}`);
      }
    }
  }
  const days = (await readInfinity(queries[1]!)).map(({ day }) => day);
  // The newest days are incomplete.
  assertEquals([days[0], days.at(-1)], ["2026-08-23", "2026-11-18"]);
});

Deno.test("Google Sheets: every formula imports a table with a header", async () => {
  await using service = await openService();
  const formulas = await readExamples("google-sheets", {
    lang: "text",
    ...service,
  });
  const urls = formulas.join("\n").matchAll(/IMPORTDATA\("([^"]+)"\)/g);
  const read = await Promise.all(Array.from(urls, async ([, url]) => {
    const response = await ask(url!);
    assertMatch(response.headers.get("Content-Type")!, /^text\/csv/);
    return { url: url!, rows: parse(await response.text()) };
  }));
  assertEquals(read.length, 4);
  for (const { url, rows } of read) {
    assert(rows.length > 2, url);
    const [header] = rows;
    assert(rows.every((row) => row.length === header!.length), url);
    if (url.includes("/chains")) continue;
    assertEquals([header![0], header!.at(-1)], ["period", "complete"]);
    for (const [period, value, complete] of rows.slice(1)) {
      assertMatch(period!, /^\d{4}-\d{2}-\d{2}$/);
      assert(Number.isFinite(Number(value)), value);
      assert(["true", "false"].includes(complete!), complete);
    }
  }
});

/** A request of Apps Script's `UrlFetchApp`. */
interface AppsScriptRequest {
  readonly method: string;
  readonly contentType: string;
  readonly headers: Record<string, string>;
  readonly payload: string;
}

/** Runs a function of an Apps Script. Its requests return at once, so it runs again for each answer. */
async function runAppsScript(script: string, cells: unknown, key: string) {
  const answers = new Map<string, { status: number; text: string }>();
  const waiting: { url: string; request: AppsScriptRequest }[] = [];
  const UrlFetchApp = {
    fetch(url: string, request: AppsScriptRequest) {
      const answer = answers.get(request.payload);
      if (answer === undefined) {
        waiting.push({ url, request });
        throw new Error("waiting");
      }
      return {
        getContentText: () => answer.text,
        getResponseCode: () => answer.status,
      };
    },
  };
  const PropertiesService = {
    getScriptProperties: () => ({
      getProperty: (name: string) => name === "FIRN_KEY" ? key : null,
    }),
  };
  const call = new Function(
    "UrlFetchApp",
    "PropertiesService",
    "cells",
    `${script}\nreturn FIRN_SCORES(cells);`,
  );
  for (;;) {
    try {
      return call(UrlFetchApp, PropertiesService, cells);
    } catch (error) {
      const next = waiting.pop();
      if (next === undefined) throw error;
      const { method, contentType, headers, payload } = next.request;
      const response = await fetch(next.url, {
        method,
        headers: { ...headers, "Content-Type": contentType },
        body: payload,
      });
      answers.set(payload, {
        status: response.status,
        text: await response.text(),
      });
    }
  }
}

Deno.test("Google Sheets: the script fills a range with scores, in its order", async () => {
  await using service = await openService();
  const { key, ask } = await enrol(service.deps, { plan: "builder" });
  const [script] = await readExamples("google-sheets", {
    lang: "js",
    ...service,
  });
  const scored = exampleOf("ordinary");
  const { body } = await ask(`/score/${scored}`);
  const row = [
    body.headline.score,
    body.headline.tierLabel,
    body.s4.confidence,
  ];
  const unknown = Array.from({ length: 60 }, (_, nth) => [
    `0x${String(nth + 1).padStart(40, "0")}`,
  ]);
  const cells = [[scored], [""], ...unknown, [` ${scored} `]];
  const filled = await runAppsScript(script!, cells, key);
  assertEquals(filled.length, cells.length);
  assertEquals([filled[0], filled[1], filled.at(-1)], [row, ["", "", ""], row]);
  assertEquals(filled[2], ["never scored", "", ""]);
  // One cell is no range.
  assertEquals(await runAppsScript(script!, scored, key), [row]);
  let refusal = "";
  await runAppsScript(script!, [["name.avax"]], key)
    .catch(({ message }) => refusal = message);
  assertMatch(refusal, /Invalid addresses/);
});
