/** The page on which the owner of a domain publishes and removes TXT records. */
// @ts-types="@types/dns-packet"
import type { Answer } from "dns-packet";
import { html } from "hono/html";
import { simulatedPage } from "./simulated_page.ts";

const TITLE = "Simulated DNS settings";

/** Returns the handler of the page, which changes these records. The query fills the form. */
export function recordPage(
  records: Answer[],
): (request: Request) => Promise<Response> {
  return async function answer(request) {
    if (request.method !== "POST") {
      const { searchParams } = new URL(request.url);
      return await showRecords(records, searchParams);
    }
    const form = await request.formData();
    const name = String(form.get("name")).trim().toLowerCase();
    const data = String(form.get("value")).trim();
    const others = records.filter((record) =>
      record.name !== name || textOf(record) !== data
    );
    const isAdded = form.get("step") === "publish";
    records.length = 0;
    for (const record of others) records.push(record);
    if (isAdded) records.push({ type: "TXT", name, data });
    return await simulatedPage(
      TITLE,
      html`
        <p role="status">${isAdded
          ? `${name} is published. Go back to Firn: the page there checks it.`
          : `${name} is removed.`}</p>
        <p><a href="/">All records</a></p>
      `,
    );
  };
}

function showRecords(records: readonly Answer[], filled: URLSearchParams) {
  return simulatedPage(
    TITLE,
    html`
      <p>In the demo every domain is yours. A record that you publish here is answered by a
      name server on this machine, which Firn asks in place of the real ones.</p>
      <form method="post">
        <label>Name <input name="name" required maxlength="253" value="${filled
          .get("name") ?? ""}"></label>
        <label>Text of the TXT record <input name="value" required maxlength="255" value="${filled
          .get("value") ?? ""}"></label>
        <button name="step" value="publish">Publish</button>
      </form>
      <h2>Published records</h2>
      ${records.length === 0
        ? html`<p>None yet.</p>`
        : html`<ul>${
          records.map((record) =>
            html`<li>${record.name} TXT ${textOf(record)}
          <form method="post">
            <input type="hidden" name="name" value="${record.name}">
            <input type="hidden" name="value" value="${textOf(record)}">
            <button name="step" value="remove">Remove</button>
          </form></li>`
          )
        }</ul>`}
    `,
  );
}

function textOf(record: Answer): string {
  return "data" in record ? String(record.data) : "";
}
