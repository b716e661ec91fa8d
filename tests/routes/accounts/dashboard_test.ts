import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { startSession } from "../../../services/accounts/sessions.ts";
import { testDeps, type TestOptions } from "../../support/deps.ts";
import { outlineOf } from "../../support/outline.ts";

const WALLET = "0xce9977dbbe39b8fbb0ca25715ec06005bdb2cc03";
const TREASURY = "0xf142000000000000000000000000000000de3000";

/** Requests the dashboard, with a session if one is given. */
async function openDashboard(
  { settings = { TREASURY_ADDRESS: TREASURY }, wallet }: {
    readonly settings?: TestOptions["settings"];
    readonly wallet?: string;
  } = {},
) {
  using deps = await testDeps({ settings });
  const headers: Record<string, string> = {};
  if (wallet) {
    const session = { replaces: undefined, requestId: "a-request" };
    const { token } = await startSession(
      deps,
      { wallet, byContract: null },
      session,
    );
    headers.Cookie = `firn_session=${token}`;
  }
  const app = createApp(deps);
  const get = async (path: string) => await app.request(path, { headers });
  const response = await get("/dashboard");
  return { get, response, text: await response.text() };
}

Deno.test("GET /dashboard shows the products to everyone, and a wallet to nobody who is signed out", async () => {
  const { response, text } = await openDashboard();
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("Cache-Control"), "private, no-store");
  assertStringIncludes(text, "&quot;wallet&quot;:null");
  for (const price of ["0.00", "49.00", "249.00", "999.00", "9.00", "25.00"]) {
    assertStringIncludes(text, price);
  }
});

Deno.test("GET /dashboard recognises the wallet of the session", async () => {
  const { response, text } = await openDashboard({ wallet: WALLET });
  assertEquals(response.headers.get("Cache-Control"), "private, no-store");
  assertStringIncludes(text, `&quot;wallet&quot;:&quot;${WALLET}&quot;`);
});

Deno.test("GET /dashboard sells nothing without a treasury", async () => {
  const { text } = await openDashboard({ settings: {} });
  assertEquals(text.includes('id="order"'), false);
  assertEquals(text.includes('href="#buy"'), false);
});

Deno.test("GET /dashboard loads only its own files, and all of them exist", async () => {
  const { response, text, get } = await openDashboard();
  const policy = response.headers.get("Content-Security-Policy")!;
  assertStringIncludes(policy, "script-src 'self'");
  assertEquals(/<script(?![^>]*\ssrc=)|\sstyle=|<style/.test(text), false);
  const files = [...text.matchAll(/(?:src|href)="(\/static\/[^"]+)"/g)]
    .map(([, path]) => path!);
  assert(files.some((path) => path.endsWith("/dashboard/main.js")));
  const folder = new URL(files.at(-1)!, "http://firn.test");
  for (const part of ["dashboard", "profiles"]) {
    for (const { name } of Deno.readDirSync(`static/${part}`)) {
      files.push(new URL(`../${part}/${name}`, folder).pathname);
    }
  }
  files.push(new URL("../vendor/qr.js", folder).pathname);
  for (const path of files) {
    const file = await get(path);
    assertEquals(file.status, 200, path);
    await file.body?.cancel();
  }
});

Deno.test("GET /dashboard/profile offers only the purchases and links that this deployment supports", async () => {
  const profileOf = async (settings: TestOptions["settings"] & object) => {
    const { get } = await openDashboard({ settings });
    const page = await (await get("/dashboard/profile")).text();
    assertStringIncludes(page, 'name="slug" maxlength="32"');
    assertStringIncludes(page, 'pattern="(?=.{3,32}$)[A-Za-z0-9]+');
    return outlineOf(page.match(/<main[^]*<\/main>/)![0]);
  };
  const plain = await profileOf({});
  const sold = await profileOf({ TREASURY_ADDRESS: TREASURY });
  const linked = await profileOf({
    GITHUB_CLIENT_ID: "id",
    GITHUB_CLIENT_SECRET: "secret",
  });
  const [buy, premium, gitHub] = [
    "button[name=buy value=slug] Save and buy the name",
    "h2 Premium",
    "button Link GitHub",
  ];
  const shownIn = (lines: string[]) =>
    [buy, premium, gitHub].filter((line) => lines.includes(line!));
  assertEquals(shownIn(plain), []);
  assertEquals(shownIn(sold), [buy, premium]);
  assertEquals(shownIn(linked), [gitHub]);
});
