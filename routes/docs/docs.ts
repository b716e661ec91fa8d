/** Serves `/docs` (guides and API reference) and `/llms.txt`. */
import type { Context } from "hono";
import type { AppDeps } from "../deps.ts";
import { DOCS, type Library, openLibrary, REFERENCE } from "./docs_library.ts";
import { codeBlock, slugOf } from "./markdown.ts";
import type { OpenApi } from "./openapi_document.ts";
import { answerPage } from "../http/page.ts";
import { operationsOf } from "./reference.ts";
import { newRouter } from "../http/router.ts";
import { docsPage, prose } from "../views/reference/docs_page.ts";
import { referenceOf } from "../views/reference/reference_page.ts";

/** The documentation changes only with a release. */
const HEADERS = { "Cache-Control": "public, max-age=300" };

/** Creates the router. The guides are read on the first request. */
export function docs(
  { publicUrl }: Pick<AppDeps, "publicUrl">,
  readDocument: () => OpenApi,
) {
  let opening: Promise<Library> | undefined;
  /** Opens the library once. After a failure the next request tries again. */
  const open = () =>
    opening ??= openLibrary(publicUrl, readDocument).catch((error) => {
      opening = undefined;
      throw error;
    });

  return newRouter()
    .get(DOCS, async (c) => {
      const { groups, home } = await open();
      const title = "Documentation";
      const description =
        "Guides and reference for the chain data API and the scoring API.";
      return send(c, { title, description, path: DOCS, groups, body: home });
    })
    .get("/llms.txt", async (c) => {
      const { llms } = await open();
      return c.text(llms, 200, HEADERS);
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
        body: referenceOf({
          title: tag.name,
          description: tag.description,
          operations,
          codeBlock,
        }),
      });
    })
    .get(`${DOCS}/:file{[a-z-]+\\.md}`, async (c) => {
      const { guides } = await open();
      const guide = guides.find(({ slug }) =>
        `${slug}.md` === c.req.param("file")
      );
      if (guide === undefined) return c.notFound();
      const type = "text/markdown; charset=utf-8";
      return c.body(guide.source, 200, { ...HEADERS, "Content-Type": type });
    })
    .get(`${DOCS}/:slug`, async (c) => {
      const { guides, groups } = await open();
      const guide = guides.find(({ slug }) => slug === c.req.param("slug"));
      if (guide === undefined) return c.notFound();
      const { title, description, headings, body } = guide;
      return send(c, {
        title,
        description,
        path: c.req.path,
        groups,
        contents: headings.map(({ id, text }) => ({
          href: `#${id}`,
          label: text,
        })),
        markdown: `${DOCS}/${guide.slug}.md`,
        body: prose(body),
      });
    });

  function send(
    c: Context,
    page: Omit<Parameters<typeof docsPage>[0], "url">,
  ) {
    const url = `${publicUrl}${page.path}`;
    return answerPage(c, docsPage({ ...page, url }), { headers: HEADERS });
  }
}
