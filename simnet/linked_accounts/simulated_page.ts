/** The layout of the pages of simulated sites. */
import { html } from "hono/html";
import { SIMULATED_HEADER } from "../upstreams.ts";

/** HTML that `hono/html` has escaped. */
type Html = ReturnType<typeof html>;

const STYLE = html`
  <style>
    body { margin: 0; color: #1c1610; background: #fffaf2; font: 1rem/1.5 system-ui, sans-serif; }
    main { display: grid; gap: 1rem; max-width: 40rem; margin: 0 auto; padding: 1.25rem; }
    h1, h2, p, ul { margin: 0; }
    h1 { font-size: 1.5rem; line-height: 1.25; }
    h2 { font-size: 1.25rem; }
    form { display: grid; gap: .75rem; justify-items: start; }
    label { display: grid; gap: .25rem; width: 100%; }
    li { overflow-wrap: anywhere; }
    .mark { padding: .5rem 1.25rem; font-weight: 600; color: #fff; background: #8a4b00; }
    input { box-sizing: border-box; width: 100%; min-height: 2.75rem; padding: 0 .75rem;
      font: inherit; border: 1px solid #8a4b00; border-radius: 6px; }
    button { min-height: 2.75rem; padding: 0 1.1rem; font: inherit; font-weight: 600;
      color: #fff; background: #8a4b00; border: 0; border-radius: 6px; cursor: pointer; }
    input:focus-visible, button:focus-visible { outline: 3px solid #1d5fd1; outline-offset: 2px; }
  </style>
`;

/** Answers a page of a simulated site. */
export async function simulatedPage(
  title: string,
  content: Html,
): Promise<Response> {
  const page = await html`
    <!DOCTYPE html>
    <html lang="en">
      <head>
        <meta charset="utf-8">
        <meta name="viewport" content="width=device-width">
        <title>${title}</title>
        <link rel="icon" href="data:,">
        ${STYLE}
      </head>
      <body>
        <header class="mark">Demo: this site is simulated</header>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>
  `;
  const headers = new Headers([[...SIMULATED_HEADER]]);
  headers.set("Content-Type", "text/html; charset=utf-8");
  headers.set("Cache-Control", "no-store");
  return new Response(page.toString().trimStart(), { headers });
}
