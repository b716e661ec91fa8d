/** Requests of the account endpoints. */
import { assertEquals } from "@std/assert";
import { type TestDeps, testDeps } from "../deps.ts";
import { type CallOptions, keyPair, newOwner } from "../owners.ts";
import { tapKv } from "../kv/tapped_kv.ts";
import type { Walk } from "./walk.ts";

/** An id that does not exist. */
export const UNKNOWN = "7d444840-9dc0-41a1-b8f2-4d5e6f708192";
const OTHER = `0x${"cc".repeat(20)}`;

/** An owner with a claimed profile. */
export async function newHolder(deps: TestDeps, nth = 1) {
  const owner = newOwner(deps, keyPair(nth));
  await owner.signIn();
  const slug = nth === 1 ? "ada-lovelace" : null;
  const body = { displayName: "Ada", slug, linksPublic: true };
  const { status, text } = await owner.call("PUT", "/profile", { body });
  assertEquals(status, 200, text);
  return owner;
}

/** A request of an account endpoint, made only for its refusals. */
type Refusable = readonly [
  operationId: string,
  method: string,
  path: string,
  body?: unknown,
];

const READS: readonly Refusable[] = [
  ["getAccount", "GET", ""],
  ["getCalls", "GET", "/calls"],
  ["getPayments", "GET", "/payments"],
  ["getOwnProfile", "GET", "/profile"],
  ["getProfileExport", "GET", "/profile/export"],
  ["getOwnScore", "GET", "/score"],
];

const CHANGES: readonly Refusable[] = [
  ["postKey", "POST", "/keys", {}],
  ["postRotation", "POST", `/keys/${UNKNOWN}/rotate`, {}],
  ["putKeyLimits", "PUT", `/keys/${UNKNOWN}/limits`, {}],
  ["deleteKey", "DELETE", `/keys/${UNKNOWN}`, {}],
  ["postQuote", "POST", "/quotes", {}],
  ["postClaim", "POST", "/claims", {}],
  ["putProfile", "PUT", "/profile", {}],
  ["deleteProfile", "DELETE", "/profile"],
  ["postGitHub", "POST", "/socials/github"],
  ["postDomain", "POST", "/socials/domain", {}],
  ["postVerification", "POST", "/socials/domain/verify", {}],
  ["deleteSocial", "DELETE", "/socials/github"],
  ["putFollow", "PUT", `/follows/${OTHER}`],
  ["deleteFollow", "DELETE", `/follows/${OTHER}`],
  ["postDonation", "POST", "/donations", {}],
  ["postOwnSigned", "POST", "/score/signed"],
];

const OPEN_CHANGES: readonly Refusable[] = [
  ["postChallenge", "POST", "/challenges", {}],
  ["postSession", "POST", "/session", {}],
  ["deleteSession", "DELETE", "/session"],
];

/** Requests the refusals that every account endpoint shares. */
export async function walkRefusals(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const owner = await newHolder(deps);
  const stranger = newOwner(deps);
  const flood = { body: `"${"a".repeat(20_000)}"` };
  const elsewhere = { headers: { Origin: "https://evil.example" } };
  for (const [id, method, path] of READS) {
    await walk.call(owner, id, [method, `${path}?full=1`]);
    await walk.call(stranger, id, [method, path]);
  }
  for (const [id, method, path, body] of [...CHANGES, ...OPEN_CHANGES]) {
    const options: CallOptions = body === undefined ? {} : { body };
    await walk.call(owner, id, [method, `${path}?full=1`], options);
    await walk.call(owner, id, [method, path], { ...options, ...elsewhere });
    await walk.call(owner, id, [method, path], flood);
  }
  for (const [id, method, path, body] of CHANGES) {
    await walk.call(stranger, id, [method, path], body ? { body } : {});
  }
}

/** Walks over what a smart account is answered while no node confirms its session. */
export async function walkUnconfirmed(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const owner = newOwner(deps);
  await owner.signIn();
  const [session] = await Array.fromAsync(
    deps.kv.list<object>({ prefix: ["sessions"] }),
  );
  const byContract = { message: "m", signature: "0x12", confirmedAt: 0 };
  await deps.kv.set(session!.key, { ...session!.value, byContract });
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  for (const [id, method, path, body] of [...READS, ...CHANGES]) {
    await walk.call(owner, id, [method, path], body ? { body } : {});
  }
}

/** Requests the endpoints of sessions and keys. */
export async function walkKeys(walk: Walk): Promise<void> {
  using deps = await testDeps();
  const owner = newOwner(deps);
  const { call, prove, wallet } = owner;
  const visit = (
    id: string,
    [method, path]: readonly [string, string],
    body?: unknown,
  ) => walk.call(owner, id, [method, path], body === undefined ? {} : { body });
  const wanted = { address: wallet, action: "session" };
  await visit("postChallenge", ["POST", "/challenges"], wanted);
  for (let nth = 0; nth < 12; nth++) {
    await visit("postChallenge", ["POST", "/challenges"], wanted);
  }
  const proof = await prove("session");
  await visit("postSession", ["POST", "/session"], proof);
  await visit("postSession", ["POST", "/session"], proof);

  const named = { keyName: "CI bot", kind: "live" };
  const creating = async () => ({
    ...await prove("key.create", named),
    ...named,
  });
  const created = await visit("postKey", ["POST", "/keys"], await creating());
  const { id } = created.body;
  await visit("getAccount", ["GET", ""]);
  await visit("getCalls", ["GET", "/calls"]);
  const rotated = { keyId: id, graceSeconds: 3600 };
  const rotating = async (keyId = id) => ({
    ...await prove("key.rotate", { ...rotated, keyId }),
    graceSeconds: 3600,
  });
  const path = `/keys/${id}/rotate`;
  await visit("postRotation", ["POST", path], await rotating());
  await visit(
    "postRotation",
    ["POST", `/keys/${UNKNOWN}/rotate`],
    await rotating(UNKNOWN),
  );
  const limits = { scopes: ["score"], networks: ["192.0.2.1"], note: "CI" };
  const limiting = async (keyId = id) => ({
    ...await prove("key.limit", { keyId, limits }),
    limits,
  });
  for (const keyId of [id, UNKNOWN]) {
    await visit(
      "putKeyLimits",
      ["PUT", `/keys/${keyId}/limits`],
      await limiting(keyId),
    );
  }
  const revoking = (keyId: string) => prove("key.revoke", { keyId });
  await visit(
    "deleteKey",
    ["DELETE", `/keys/${UNKNOWN}`],
    await revoking(UNKNOWN),
  );
  await visit("deleteKey", ["DELETE", `/keys/${id}`], await revoking(id));

  // Only a node can verify a signature of a smart account, and the node is unreachable.
  deps.upstreams.cChainRpc.switch.set({ mode: "refuse" });
  const signature = `0x${"ab".repeat(80)}`;
  await visit("postSession", ["POST", "/session"], {
    ...await prove("session"),
    signature,
  });
  await visit("postKey", ["POST", "/keys"], { ...await creating(), signature });
  await visit("postRotation", ["POST", path], {
    ...await rotating(),
    signature,
  });
  await visit("putKeyLimits", ["PUT", `/keys/${id}/limits`], {
    ...await limiting(),
    signature,
  });
  await visit("deleteKey", ["DELETE", `/keys/${id}`], {
    ...await revoking(id),
    signature,
  });

  for (let nth = 0; nth < 20; nth++) {
    await visit("postKey", ["POST", "/keys"], await creating());
  }
  const held = (await call("GET", "")).body.keys.at(-1).id;
  for (let nth = 0; nth < 12; nth++) {
    await visit(
      "postRotation",
      ["POST", `/keys/${held}/rotate`],
      await rotating(held),
    );
  }
  await walk.call(owner, "deleteSession", ["DELETE", "/session"], {
    headers: { "Firn-Wallet": OTHER },
  });
  await visit("deleteSession", ["DELETE", "/session"]);
}

/** Requests the endpoints of the own profile, links and follows. */
export async function walkOwnProfile(walk: Walk): Promise<void> {
  const zones: Record<string, { txt: string[][] }> = {};
  const settings = { GITHUB_CLIENT_ID: "id", GITHUB_CLIENT_SECRET: "secret" };
  using deps = await testDeps({ zones, settings });
  const ada = newOwner(deps);
  await ada.signIn();
  const eve = await newHolder(deps, 2);
  const domain = { domain: "firn.network" };
  const visit = (id: string, target: [string, string], body?: unknown) =>
    walk.call(ada, id, target, body === undefined ? {} : { body });
  const verify = () =>
    visit("postVerification", ["POST", "/socials/domain/verify"], domain);
  await visit("postGitHub", ["POST", "/socials/github"]);
  await visit("postDomain", ["POST", "/socials/domain"], domain);
  const profile = {
    displayName: "Ada",
    slug: "ada-lovelace",
    linksPublic: true,
  };
  await visit("putProfile", ["PUT", "/profile"], profile);
  await walk.call(eve, "putProfile", ["PUT", "/profile"], { body: profile });
  await visit("getOwnProfile", ["GET", "/profile"]);
  await visit("getOwnScore", ["GET", "/score"]);
  await visit("postGitHub", ["POST", "/socials/github"]);
  // The response replaced the session cookie.
  await ada.signIn();
  const told = await visit("postDomain", ["POST", "/socials/domain"], domain);
  assertEquals(told.status, 200, told.text);
  const { record } = told.body;
  await verify();
  Object.defineProperty(zones, record.name, {
    configurable: true,
    get: () => {
      throw new Error("no name server answers");
    },
  });
  await verify();
  delete zones[record.name];
  zones[record.name] = { txt: [[record.value]] };
  await verify();
  await verify();
  deps.advance(60_000);
  await visit("deleteSocial", ["DELETE", "/socials/domain"]);
  await visit("deleteSocial", ["DELETE", "/socials/domain"]);
  const target: [string, string] = ["PUT", `/follows/${eve.wallet}`];
  await visit("putFollow", target);
  await visit("deleteFollow", ["DELETE", target[1]]);
  for (let nth = 0; nth < 51; nth++) {
    const other = `0x${nth.toString(16).padStart(40, "0")}`;
    await walk.call(eve, "putFollow", ["PUT", `/follows/${other}`]);
  }
  await visit("deleteProfile", ["DELETE", "/profile"]);
  await visit("deleteProfile", ["DELETE", "/profile"]);
  const floods: [string, [string, string], unknown?][] = [
    ["getProfileExport", ["GET", "/profile/export"]],
    ["putProfile", ["PUT", "/profile"], profile],
    ["deleteProfile", ["DELETE", "/profile"]],
    ["deleteSocial", ["DELETE", "/socials/domain"]],
    ["postDomain", ["POST", "/socials/domain"], domain],
    ["postGitHub", ["POST", "/socials/github"]],
    ["postVerification", ["POST", "/socials/domain/verify"], domain],
  ];
  for (const [id, path, body] of floods) {
    for (let nth = 0; nth < 21; nth++) await visit(id, path, body);
  }
  for (let nth = 0; nth < 101; nth++) await visit("putFollow", target);
  await visit("deleteFollow", ["DELETE", target[1]]);
  await walkOutages(walk);
}

async function walkOutages(walk: Walk): Promise<void> {
  using unlinked = await testDeps();
  const ada = await newHolder(unlinked);
  await walk.call(ada, "postGitHub", ["POST", "/socials/github"]);
  for (
    const [id, method] of [
      ["putFollow", "PUT"],
      ["deleteFollow", "DELETE"],
    ] as const
  ) {
    using contended = await testDeps();
    const [owner, followed] = [
      await newHolder(contended),
      await newHolder(contended, 2),
    ];
    const path = `/follows/${followed.wallet}`;
    if (method === "DELETE") await owner.call("PUT", path);
    // The first commit counts the change against the limit; every later one conflicts.
    let commits = 0;
    tapKv(
      contended.kv,
      (commit) => commits++ === 0 ? commit() : Promise.resolve({ ok: false }),
    );
    await walk.call(owner, id, [method, path]);
  }
}
