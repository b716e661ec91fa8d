/** Mounts the account of a wallet: session, keys, dashboard, and what guards them. */
import type { OpenAPIHono } from "@hono/zod-openapi";
import type { ProfilesDeps } from "../../services/profiles/profiles.ts";
import { limitBody } from "../http/body.ts";
import { ACCOUNT } from "../http/paths.ts";
import { account } from "./account.ts";
import { accountKeys } from "./account_keys.ts";
import { callsPages } from "./calls_page.ts";
import { dashboard } from "./dashboard.ts";
import { keepPrivate, sameOrigin } from "./session.ts";

/** Body limit of account requests. Signatures of smart accounts are long. */
const MAX_ACCOUNT_BYTES = 16_384;

/**
 * Mounts the routers on the app. Other routers of the account are mounted after it: it
 * guards them.
 */
export function mountAccount(
  app: OpenAPIHono,
  deps: ProfilesDeps,
): void {
  app.use(
    `${ACCOUNT}/*`,
    keepPrivate,
    limitBody(MAX_ACCOUNT_BYTES),
    sameOrigin(deps),
  );
  app.route("/dashboard", dashboard(deps));
  app.route("/dashboard", callsPages(deps));
  app.route(ACCOUNT, account(deps));
  app.route(ACCOUNT, accountKeys(deps));
}
