/** The owner's page links to the page where the simulated DNS takes the record. */
import {
  addScript,
  markSimulated,
  sendScript,
  type ServeHandler,
} from "../added_script.ts";

const MODULE = Deno.readTextFileSync(
  new URL("./record_link.js", import.meta.url),
);

/** The paths of the script and of the redirect that its link opens. */
const PATHS = { module: "/demo/record_link.js", dns: "/demo/dns" } as const;

/** Adds a link from a shown record to the page of records. Every other request is passed on unchanged. */
export function withRecordLink(
  service: ServeHandler,
  recordsUrl: string,
): ServeHandler {
  return function answer(request, info) {
    const url = URL.parse(request.url);
    // The service refuses an invalid Host.
    if (url === null) return service(request, info);
    const { pathname, search } = url;
    if (pathname === PATHS.module) return sendScript(MODULE);
    if (pathname === PATHS.dns) {
      const headers = { Location: `${recordsUrl}/${search}` };
      return markSimulated(new Response(null, { status: 302, headers }));
    }
    if (pathname !== "/dashboard/profile") return service(request, info);
    return addScript(PATHS.module, request, (plain) => service(plain, info));
  };
}
