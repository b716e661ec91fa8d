/** Mounts the documentation: OpenAPI, guides, reference, security.txt. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { AppDeps } from "../http/deps.ts";
import type { ResponseCache } from "../http/response_cache.ts";
import { crawlers } from "./crawlers.ts";
import { docs } from "./docs.ts";
import { libraryOpener } from "./docs_library.ts";
import { openApi } from "./openapi.ts";
import { securityTxt } from "./security_txt.ts";

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
