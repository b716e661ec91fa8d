/** Serves `/docs` (guides and API reference), `/llms.txt` and `/llms-full.txt`. */
import type { Context } from "hono";
import { Feed } from "feed";
import type { AppDeps } from "../http/deps.ts";
import { type Guide, GUIDE_SLUGS } from "./guides.ts";
import { type Library, libraryOpener } from "./docs_library.ts";
import { DOCS, REFERENCE } from "../http/paths.ts";
import { docsPage, MAX_QUERY, prose, searchResults } from "./docs_page.ts";
import { renderMarkdown, slugOf } from "./markdown.ts";
import { answerPage } from "../pages/page.ts";
import { operationsOf, referenceOf } from "./reference.ts";
import { newRouter } from "../http/router.ts";
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ResponseCache } from "../http/response_cache.ts";
import { crawlers, securityTxt } from "./crawlers.ts";
import { openApi } from "./openapi.ts";

const SEARCH = `${DOCS}/search`;

/** The feed of the changelog: an entry for each version. */
const CHANGES = `${DOCS}/changelog`;

/** The documentation changes only with a release. */
const HEADERS = { "Cache-Control": "public, max-age=300" };

/** Creates the router. */
function docs(
  { publicUrl }: Pick<AppDeps, "publicUrl">,
  open: () => Promise<Library>,
) {
  const router = newRouter()
    .get(DOCS, async (c) => {
      const { groups, home } = await open();
      const title = "Documentation";
      const description =
        "Guides and reference for the chain data API and the scoring API.";
      const facts = webApiFacts(publicUrl, description);
      return send(c, {
        title,
        description,
        path: DOCS,
        groups,
        body: home,
        facts,
      });
    })
    .get(SEARCH, async (c) => {
      const { groups, search } = await open();
      const query = (c.req.query("q") ?? "").trim().slice(0, MAX_QUERY);
      return send(c, {
        title: "Search",
        description: "Search of the guides and the reference.",
        path: SEARCH,
        isIndexed: false,
        query,
        groups,
        body: searchResults(query, search(query)),
      });
    })
    .get(`${SEARCH}.json`, async (c) => {
      const { searchIndex } = await open();
      const type = "application/json";
      return c.body(searchIndex, 200, { ...HEADERS, "Content-Type": type });
    })
    .get("/llms.txt", async (c) => {
      const { llms } = await open();
      return c.text(llms, 200, HEADERS);
    })
    .get("/llms-full.txt", async (c) => {
      const { llmsFull } = await open();
      return c.text(llmsFull, 200, HEADERS);
    })
    .get(REFERENCE, async (c) => {
      const { groups, reference } = await open();
      return send(c, {
        title: "Reference",
        description: "Every endpoint, by topic.",
        path: REFERENCE,
        groups,
        body: reference,
      });
    })
    .get(`${REFERENCE}/:tag`, async (c) => {
      const { groups, document } = await open();
      const tag = document.tags.find(({ name }) =>
        slugOf(name) === c.req.param("tag")
      );
      if (tag === undefined) return c.notFound();
      const operations = operationsOf(document, tag.name, publicUrl);
      return send(c, {
        title: `${tag.name} reference`,
        description: tag.description,
        path: c.req.path,
        groups,
        contents: operations.map(({ id, summary }) => ({
          href: `#${id}`,
          label: summary,
        })),
        modules: ["try_it.js"],
        body: referenceOf({
          title: tag.name,
          description: tag.description,
          operations,
        }),
      });
    });

  router.get(`${CHANGES}.atom`, async (c) => {
    const feed = await changesFeed((await find("changelog")).source, publicUrl);
    const type = "application/atom+xml; charset=utf-8";
    return c.body(feed, 200, { ...HEADERS, "Content-Type": type });
  });

  // One route per guide: `/docs/:slug` would conflict with `/docs/reference/:tag`.
  for (const slug of GUIDE_SLUGS) {
    const path = `${DOCS}/${slug}`;
    const markdown = `${path}.md`;
    router.get(markdown, async (c) => {
      const { source } = await find(slug);
      const type = "text/markdown; charset=utf-8";
      return c.body(source, 200, { ...HEADERS, "Content-Type": type });
    });
    router.get(path, async (c) => {
      const { groups } = await open();
      const { title, description, headings, body } = await find(slug);
      return send(c, {
        title,
        description,
        path,
        groups,
        contents: headings.map(({ id, text }) => ({
          href: `#${id}`,
          label: text,
        })),
        markdown,
        ...path === CHANGES && {
          feed: { title: "Firn: changes", href: `${CHANGES}.atom` },
        },
        body: prose(body),
      });
    });
  }
  return router;

  async function find(slug: string): Promise<Guide> {
    const { guides } = await open();
    return guides.find((guide) => guide.slug === slug)!;
  }

  function send(
    c: Context,
    page: Omit<Parameters<typeof docsPage>[0], "url">,
  ) {
    const url = `${publicUrl}${page.path}`;
    return answerPage(c, docsPage({ ...page, url }), { headers: HEADERS });
  }
}

/** Returns the Atom feed of a changelog. The first date in a version's text is that of its last change. */
async function changesFeed(source: string, publicUrl: string): Promise<string> {
  const [, ...versions] = source.split(/^## /m);
  const self = `${publicUrl}${CHANGES}`;
  const entries = await Promise.all(versions.map(async (text) => {
    const [title] = text.split("\n", 1);
    const { body } = await renderMarkdown(text.slice(title!.length));
    const [day] = text.match(/\d{4}-\d{2}-\d{2}/)!;
    const link = `${self}#${slugOf(title!)}`;
    return {
      id: link,
      title: `Firn ${title}`,
      link,
      date: new Date(`${day}T00:00:00Z`),
      content: String(await body),
    };
  }));
  const feed = new Feed({
    id: self,
    title: "Firn: changes",
    description: "What changed for users of Firn",
    link: self,
    feedLinks: { atom: `${self}.atom` },
    updated: entries[0]!.date,
    author: { name: "Firn" },
    copyright: "",
    generator: "Firn",
  });
  for (const entry of entries) feed.addItem(entry);
  return feed.atom1();
}

/** Facts of a page, without `@context`. */
type Facts = Readonly<Record<string, unknown>>;

const PROVIDER = { "@type": "Organization", name: "Firn" };

/** Describes the APIs: `WebAPI` with their documentation and machine-readable descriptions. */
function webApiFacts(publicUrl: string, description: string): Facts {
  const entry = (path: string, contentType: string) => ({
    "@type": "EntryPoint",
    urlTemplate: `${publicUrl}${path}`,
    contentType,
  });
  return {
    "@type": "WebAPI",
    name: "Firn",
    description,
    url: publicUrl,
    documentation: `${publicUrl}/docs`,
    termsOfService: `${publicUrl}/docs/limits`,
    provider: { ...PROVIDER, url: publicUrl },
    isAccessibleForFree: true,
    potentialAction: {
      "@type": "ConsumeAction",
      target: [
        entry("/openapi.json", "application/json"),
        entry("/mcp", "application/json"),
      ],
    },
  };
}

/** Mounts the routers on the app, after all routers that OpenAPI describes. Returns the opener of the guides. */
export function mountDocs(
  app: OpenAPIHono,
  deps: AppDeps,
  answers: ResponseCache,
) {
  const description = openApi(app, deps, answers);
  const openLibrary = libraryOpener(deps.publicUrl, description.read);
  app.route("/", description.router);
  app.route("/.well-known", securityTxt(deps));
  app.route("/", crawlers(deps));
  app.route("/", docs(deps, openLibrary));
  return openLibrary;
}
