/** Two versions of the service on one database, and somebody who uses both. */
import { assertEquals } from "@std/assert";
import { DAY_MS } from "../../../services/platform/days.ts";
import { openStores } from "../../../services/stores.ts";
import { settingsOf, startSimnet } from "../../../simnet/start.ts";
import { SIGNING } from "../attestations.ts";
import { keyPair, type Owner, ownerAt } from "../owners.ts";
import { checkOutPrevious } from "./previous_version.ts";
import {
  ROOT,
  type RunningService,
  startProgram,
  startService,
} from "./service.ts";

const PUBLIC_URL = "http://firn.test";

/** A version that serves. */
export interface Version extends RunningService {
  readonly root: URL;
  readonly settings: Readonly<Record<string, string>>;
}

/** Both versions, and what they share. */
export interface BothVersions {
  readonly older: Version;
  readonly newer: Version;
  readonly kvPath: string;
  /** Goes at the end. */
  readonly folder: string;
}

/** Starts both versions on one new database. */
export async function startBoth(
  stack: AsyncDisposableStack,
): Promise<BothVersions> {
  const folder = await Deno.makeTempDir();
  stack.defer(() => Deno.remove(folder, { recursive: true }));
  const simnet = stack.use(startSimnet({ chains: 3 }));
  const kvPath = `${folder}/kv.sqlite3`;
  const settings = {
    ...settingsOf(simnet),
    ...SIGNING,
    PUBLIC_URL,
    KV_PATH: kvPath,
    TREASURY_ADDRESS: `0x${"7e".repeat(20)}`,
    // Jobs run when the test says so.
    DENO_TIMELINE: "preview/test",
  };
  const start = async (root: URL): Promise<Version> => {
    const service = stack.use(await startService(settings, { root }));
    return { ...service, root, settings };
  };
  const project = `${folder}/previous`;
  await Deno.mkdir(project);
  const older = await start(await checkOutPrevious(project));
  return { older, newer: await start(ROOT), kvPath, folder };
}

/** An owner who signs in at one version; the cookie is good at the other, too. */
export function ownerOf({ url }: Version, nth: number): Owner {
  return ownerAt({
    publicUrl: PUBLIC_URL,
    send: (path, init) => fetch(`${url}${path}`, init),
  }, keyPair(nth));
}

/** Calls the account's endpoints of another version than where the owner signed in; returns the JSON that has to come. */
export function callAt({ url }: Version, owner: Owner) {
  return async (method: string, path: string, body?: object) => {
    const headers = {
      "Origin": PUBLIC_URL,
      "Cookie": owner.cookie(),
      "Content-Type": "application/json",
    };
    const text = body ? { body: JSON.stringify(body) } : {};
    const target = `${url}/api/account${path}`;
    const response = await fetch(target, { method, headers, ...text });
    const answer = await response.text();
    assertEquals(response.status, 200, `${path}: ${answer}`);
    return JSON.parse(answer);
  };
}

/** Asks a version with a key, or without one. */
export async function ask({ url }: Version, path: string, key?: string) {
  const headers = key === undefined ? {} : { "X-Api-Key": key };
  const response = await fetch(`${url}${path}`, { headers });
  return { status: response.status, text: await response.text() };
}

/** Asks for JSON that has to be there. */
export async function ask200(version: Version, path: string, key?: string) {
  const { status, text } = await ask(version, path, key);
  assertEquals(status, 200, `${path}: ${text}`);
  return JSON.parse(text);
}

/** Runs a command of a version's operator, which has to succeed. */
export async function operate(
  { root, settings }: Version,
  ...args: string[]
): Promise<void> {
  const program = ["run", "-A", "operator.ts", ...args];
  await using running = startProgram(program, settings, { root });
  const { code } = await running.process.status;
  assertEquals(code, 0, running.output());
}

/** Puts a wallet on the highest plan, as the operator does. */
export async function grantScale(kvPath: string, wallet: string) {
  using kv = await Deno.openKv(kvPath);
  const at = Date.now();
  const paidUntil = at + 30 * DAY_MS;
  await openStores(kv).payments.grant(wallet, { at, plan: "scale", paidUntil });
}
