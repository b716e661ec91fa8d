/** Secrets as they turn up in texts, made up anew each time. */
import { createKey } from "../../services/accounts/key_format.ts";
import { fc } from "./properties.ts";

const chars = (alphabet: string, length: number) =>
  fc.string({
    unit: fc.constantFrom(...alphabet),
    minLength: length,
    maxLength: length,
  });

const HEX = "0123456789abcdef";
const ALNUM = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const hex = (bytes: number) => chars(HEX, 2 * bytes);

/** Something secret, and a text that holds it. */
interface Hidden {
  readonly secret: string;
  readonly text: string;
}

const hide = (
  secrets: fc.Arbitrary<string>,
  ...texts: readonly ((secret: string) => string)[]
): fc.Arbitrary<Hidden> =>
  fc.tuple(secrets, fc.constantFrom(...texts))
    .map(([secret, write]) => ({ secret, text: write(secret) }));

const whole = (secret: string) => secret;

/** Every kind of secret, by name, in texts where it may be met. */
export const SECRETS: Readonly<Record<string, fc.Arbitrary<Hidden>>> = {
  apiKey: hide(
    fc.constantFrom("live", "test").map((kind) =>
      createKey(kind as "live" | "test").slice("firn_live_".length)
    ),
    (secret) => `firn_live_${secret}`,
    (secret) => `/score/firn%5Ftest%5f${secret}?a`,
    (secret) => `{"X-Api-Key":"firn_live_${secret}"}`,
  ),
  sessionToken: hide(
    chars(`${ALNUM}-_`, 43),
    whole,
    (secret) => `firn_session=${secret}`,
    (secret) => `"token": "${secret}"`,
  ),
  cookie: hide(
    chars(ALNUM, 9),
    (secret) => `Cookie: theme=dark; sid=${secret}; a=b`,
    (secret) => `set-cookie: x=${secret}`,
  ),
  authorization: hide(
    chars(ALNUM, 12),
    (secret) => `Authorization: ApiKey ${secret}`,
    (secret) => `sent Bearer ${secret} to it`,
    (secret) => `Basic ${secret}==`,
  ),
  signature: hide(
    hex(65),
    (secret) => `0x${secret}`,
    whole,
    (secret) => `"signature":"0x${secret.toUpperCase()}"`.toLowerCase(),
  ),
  contractSignature: hide(hex(400), (secret) => `0x${secret}`),
  privateKey: hide(
    hex(32),
    (secret) => `0x${secret}`,
    (secret) => `key ${secret} is bad`,
  ),
  queryCode: hide(
    chars(ALNUM, 20),
    (secret) => `https://firn.test/account/link/github?code=${secret}&state=1`,
    (secret) => `GET /x?state=abc&code=${secret}`,
  ),
  urlPath: hide(
    chars(HEX, 32),
    (secret) =>
      `error sending request for url (https://mainnet.node.test/v3/${secret})`,
    (secret) => `"https://avax.node.test:8443/${secret}/ext/bc/C/rpc"`,
    (secret) => `wss://${secret.slice(0, 4)}.test/ws/${secret}`,
  ),
  urlPassword: hide(
    chars(ALNUM, 10),
    (secret) => `https://user:${secret}@node.test/rpc`,
    // Without a dot the host does not look like that of an email address.
    (secret) => `http://user:${secret}@localhost:8545/`,
  ),
  email: hide(
    chars("abcdefghijklmnopqrstuvwxyz", 8).map((name) => `${name}@mail.test`),
    whole,
    (secret) => `<mailto:${secret}>`,
    (secret) => encodeURIComponent(secret),
  ),
  nestedEncoding: hide(
    chars("abcdefghijklmnopqrstuvwxyz", 8),
    (secret) => encodeURIComponent(encodeURIComponent(`${secret}@mail.test`)),
  ),
  jsonWebToken: hide(
    chars(`${ALNUM}-_`, 22),
    (secret) => `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhZGEifQ.${secret}`,
  ),
  base64Key: hide(
    fc.tuple(chars(ALNUM, 21), chars("+/", 1), chars(ALNUM, 20))
      .map((parts) => parts.join("")),
    (secret) => `${secret}=`,
    (secret) => `"${secret}=="`,
  ),
  gitHubToken: hide(chars(ALNUM, 36), (secret) => `gho_${secret}`),
  clientSecret: hide(
    chars(ALNUM, 16),
    (secret) => `client_secret=${secret}`,
    (secret) => `"password" : "${secret}"`,
  ),
  pem: hide(
    chars(ALNUM, 40),
    (secret) => `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END`,
  ),
};

/** Any of them. */
export const anySecret = fc.oneof(...Object.values(SECRETS));
