/** Owners of wallets: they call the account's endpoints and sign challenges. */
import { assertEquals } from "@std/assert";
import {
  type Hex,
  numberToHex,
  parseSignature,
  serializeSignature,
} from "viem";
import { type PrivateKeyAccount, privateKeyToAccount } from "viem/accounts";
import { appOf } from "./app.ts";
import type { ActionName } from "../../services/accounts/account_schema.ts";
import type { KeyLimitsBody } from "../../services/accounts/key_limits_schema.ts";
import type { Deps } from "../../services/deps.ts";
import type { Answer } from "./callers.ts";

/** What a test may choose of a request. */
export interface CallOptions {
  /** JSON as it is where it is text already. */
  readonly body?: unknown;
  /** Beside those that the dashboard sends; null takes one of them away. */
  readonly headers?: Readonly<Record<string, string | null>>;
  /** The network address that the call comes from. */
  readonly client?: string;
}

/** A signed message, as endpoints take it. */
export interface Signed {
  readonly nonce: string;
  readonly message: string;
  readonly signature: string;
}

/** The key pair of a test's wallet. */
export function keyPair(nth = 1): PrivateKeyAccount {
  const known = keyPairs.get(nth) ??
    privateKeyToAccount(`0x${nth.toString(16).padStart(64, "0")}`);
  keyPairs.set(nth, known);
  return known;
}

const keyPairs = new Map<number, PrivateKeyAccount>();

/** Order of secp256k1. */
const ORDER =
  0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;

/** Returns the other signature that fits the same message and key: its s is the high one. */
export function twinOf(signature: string): Hex {
  const { r, s, yParity } = parseSignature(signature as Hex);
  const twin = numberToHex(ORDER - BigInt(s), { size: 32 });
  return serializeSignature({ r, s: twin, yParity: 1 - yParity });
}

/** Where an owner's requests go. */
interface OwnersDoor extends Pick<Deps, "publicUrl"> {
  /** Sends a request to a path of the account; `client` is the network address that it comes from. */
  readonly send: (
    path: string,
    init: RequestInit,
    client: string,
  ) => Promise<Response>;
}

/** An owner with a wallet of their own and a browser that keeps one cookie. */
export function newOwner(deps: Deps, signer: PrivateKeyAccount = keyPair()) {
  const app = appOf(deps);
  return ownerAt({
    publicUrl: deps.publicUrl,
    async send(path, init, hostname) {
      const remoteAddr = { transport: "tcp", hostname, port: 50_000 };
      return await app.request(path, init, { remoteAddr });
    },
  }, signer);
}

/** Returns an owner whose requests go through the given `send`. */
export function ownerAt(
  { publicUrl, send }: OwnersDoor,
  signer: PrivateKeyAccount,
) {
  const wallet = signer.address.toLowerCase();
  let cookie = "";

  async function call(
    method: string,
    path: string,
    { body, headers = {}, client = "203.0.113.7" }: CallOptions = {},
  ): Promise<Answer> {
    const sent = new Headers({ "Origin": publicUrl, "Cookie": cookie });
    if (body !== undefined) sent.set("Content-Type", "application/json");
    for (const [name, value] of Object.entries(headers)) {
      if (value === null) sent.delete(name);
      else sent.set(name, value);
    }
    const text = typeof body === "string" ? body : JSON.stringify(body);
    const init = {
      method,
      headers: sent,
      ...(body === undefined ? {} : { body: new TextEncoder().encode(text) }),
    };
    const response = await send(`/api/account${path}`, init, client);
    const setCookie = response.headers.get("Set-Cookie");
    if (setCookie !== null) cookie = setCookie.split(";")[0]!;
    const answer = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      text: answer,
      body: answer === "" ? null : JSON.parse(answer),
    };
  }

  /** Asks for a message, as a client that never asked before, and signs it. */
  async function prove(
    action: ActionName,
    params: object = {},
  ): Promise<Signed> {
    const body = { address: signer.address, action, ...params };
    const client = crypto.randomUUID();
    const answer = await call("POST", "/challenges", { body, client });
    assertEquals(answer.status, 200, answer.text);
    const { nonce, message } = answer.body;
    return { nonce, message, signature: await signer.signMessage({ message }) };
  }

  return {
    wallet,
    signer,
    call,
    prove,

    /** The cookie that the browser sends. */
    cookie: () => cookie,

    /** Signs in. */
    async signIn(): Promise<Answer> {
      const body = await prove("session");
      const answer = await call("POST", "/session", { body });
      assertEquals(answer.status, 200, answer.text);
      return answer;
    },

    /** Creates a key in the name that it is given. */
    async createKey(
      keyName = "CI bot",
      kind = "live",
      limits?: Partial<KeyLimitsBody>,
    ): Promise<Answer> {
      const params = { keyName, kind, ...limits && { limits } };
      const body = { ...await prove("key.create", params), ...params };
      return await call("POST", "/keys", { body });
    },

    /** Changes the limits of a key. */
    async limitKey(
      keyId: string,
      limits: Partial<KeyLimitsBody>,
    ): Promise<Answer> {
      const proof = await prove("key.limit", { keyId, limits });
      const body = { ...proof, limits };
      return await call("PUT", `/keys/${keyId}/limits`, { body });
    },

    /** Replaces a key. */
    async rotateKey(keyId: string, graceSeconds: number): Promise<Answer> {
      const proof = await prove("key.rotate", { keyId, graceSeconds });
      const body = { ...proof, graceSeconds };
      return await call("POST", `/keys/${keyId}/rotate`, { body });
    },

    /** Revokes a key. */
    async revokeKey(keyId: string): Promise<Answer> {
      const body = await prove("key.revoke", { keyId });
      return await call("DELETE", `/keys/${keyId}`, { body });
    },
  };
}

/** An owner of a wallet. */
export type Owner = ReturnType<typeof ownerAt>;
