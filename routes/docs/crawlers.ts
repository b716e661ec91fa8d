/** Files that are asked for without being told: `robots.txt`, `sitemap.xml`, `favicon.ico`, `security.txt`. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import { html } from "hono/html";
import { listForExplorer } from "../../services/charts/explorer.ts";
import type { ChainDataDeps } from "../../services/chain_data/checks/deps.ts";
import { CHARTS, DISPUTES, DOCS, REFERENCE, REVISIONS } from "../http/paths.ts";
import { METRIC_NAMES } from "../../services/chain_data/catalogue/metrics_schema.ts";
import { newRouter } from "../http/router.ts";
import { NAV } from "../pages/layout.ts";
import { staticUrl } from "../pages/static_files.ts";
import { GUIDE_SLUGS } from "./guides.ts";
import { dayAt, startOfDay } from "../../services/platform/days.ts";
import type { AppDeps } from "../http/deps.ts";

const HOUR = { "Cache-Control": "public, max-age=3600" };

/** Pages of a wallet that is signed in; the API has no pages. */
const NOT_CRAWLED = ["/api/", "/dashboard", "/account/", "/mcp"];

/** Serves the first three. The sitemap lists the pages of all metrics, guides and known chains. */
export function crawlers(deps: ChainDataDeps): OpenAPIHono {
  const { publicUrl } = deps;
  return newRouter()
    .get("/robots.txt", (c) =>
      c.text(
        [
          "User-agent: *",
          ...NOT_CRAWLED.map((path) => `Disallow: ${path}`),
          `Sitemap: ${publicUrl}/sitemap.xml`,
          "",
        ].join("\n"),
        200,
        HOUR,
      ))
    .get("/favicon.ico", (c) => c.redirect(staticUrl("firn.svg"), 302))
    .get("/sitemap.xml", async (c) => {
      const chains = await listForExplorer(deps);
      const paths = [
        ...Object.values(NAV).map(({ href }) => href),
        "/downloads",
        DISPUTES,
        REVISIONS,
        DOCS,
        REFERENCE,
        ...METRIC_NAMES.map((metric) => `${CHARTS}/${metric}`),
        ...GUIDE_SLUGS.map((slug) => `${DOCS}/${slug}`),
        ...chains.map(({ chainId }) => `/chains/${chainId}`),
      ].filter((path) => !NOT_CRAWLED.some((other) => path.startsWith(other)));
      const urls = [...new Set(paths)].map((path) =>
        html`
          <url>
            <loc>${publicUrl}${path}</loc>
          </url>
        `
      );
      const body = html`
        <?xml version="1.0" encoding="UTF-8"?>
        <urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
        ${urls}</urlset>
      `;
      const type = "application/xml; charset=UTF-8";
      return c.body(String(await body), 200, { ...HOUR, "Content-Type": type });
    }) as OpenAPIHono;
}

/** Days for which `security.txt` is valid. The setting is current as long as the service runs. */
const VALID_DAYS = 180;

/**
 * Serves `/.well-known/security.txt`, which says where to report a vulnerability (RFC
 * 9116), if the operator has set a contact.
 */
export function securityTxt({ now, publicUrl, securityContact }: AppDeps) {
  return newRouter().get("/security.txt", (c) => {
    if (securityContact === null) return c.notFound();
    const until = startOfDay(dayAt(now().getTime()) + VALID_DAYS);
    const lines = [
      `Contact: ${securityContact}`,
      `Expires: ${new Date(until).toISOString()}`,
      "Preferred-Languages: en",
      `Canonical: ${publicUrl}/.well-known/security.txt`,
    ];
    return c.text(`${lines.join("\n")}\n`, 200, {
      "Cache-Control": "public, max-age=3600",
    });
  });
}
