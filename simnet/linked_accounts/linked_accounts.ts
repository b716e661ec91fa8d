/**
 * Starts the sites for linking accounts: a simulated GitHub, a name server, and
 * the page of its records.
 */
// @ts-types="@types/dns-packet"
import type { Answer } from "dns-packet";
import { simulatedGitHub } from "./github.ts";
import { startNameServer } from "./name_server.ts";
import { recordPage } from "./record_page.ts";

/** The credentials of the service at the simulated GitHub. */
const CLIENT = { clientId: "firn-demo", clientSecret: "not-a-secret" };

/** Starts the sites on 127.0.0.1, for the service of this base URL. */
export async function startLinkedAccounts(publicUrl: string) {
  const records: Answer[] = [];
  const { ipAddr, port } = await startNameServer(records);
  const redirectUri = `${publicUrl}/account/link/github`;
  const gitHubUrl = serve(simulatedGitHub({ ...CLIENT, redirectUri }));
  return {
    /** The settings that point the service at the GitHub. */
    settings: {
      GITHUB_CLIENT_ID: CLIENT.clientId,
      GITHUB_CLIENT_SECRET: CLIENT.clientSecret,
      GITHUB_URL: gitHubUrl,
      GITHUB_API_URL: gitHubUrl,
    },
    /** The address of the name server, with its port. */
    nameServer: `${ipAddr}:${port}`,
    /** The page on which records are published. */
    recordsUrl: serve(recordPage(records)),
  };
}

/** Serves a site on a free port, and returns its base URL. */
function serve(handle: (request: Request) => Promise<Response>): string {
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const { hostname, port } = Deno.serve(options, (request) => handle(request))
    .addr;
  return `http://${hostname}:${port}`;
}
