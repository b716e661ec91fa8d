/** The verification page in a real browser, and the code on it. */
import { SERVICE } from "../../../services/platform/rate_limit/call_budget.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { signScore } from "../../../services/attestations/attestations.ts";
import type { SignedAnswer } from "../../../services/attestations/attestations_schema.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { SIGNING } from "../../support/attestations.ts";
import {
  inBrowser,
  openBrowser,
  type TestPage,
  UNTROUBLED,
} from "../../support/browser/browser.ts";
import { testDeps } from "../../support/deps.ts";
import { unescape } from "../../support/outline.ts";
import { freePort } from "../../support/processes/service.ts";

const SUBJECT = exampleOf("heavy");
const PAGE = "/tools/verify-attestation";

/** Starts a signing service on the real clock, because the page uses the browser's clock. */
async function serve() {
  const port = freePort();
  const url = `http://127.0.0.1:${port}`;
  const deps = await testDeps({
    start: new Date().toISOString(),
    settings: { ...SIGNING, PUBLIC_URL: url },
  });
  const server = Deno.serve(
    { hostname: "127.0.0.1", port, onListen() {} },
    createApp(deps).fetch,
  );
  return {
    url,
    deps,
    sign: (ttlS: number) => signScore(deps, SUBJECT, ttlS, SERVICE),
    async [Symbol.asyncDispose]() {
      await server.shutdown();
      deps[Symbol.dispose]();
    },
  };
}

/** Pastes a text and returns the verdict. */
async function verify({ page }: TestPage, pasted: unknown): Promise<string> {
  const text = typeof pasted === "string" ? pasted : JSON.stringify(pasted);
  await page.getByLabel("Signed score, as JSON").fill(text);
  await page.getByRole("button", { name: "Verify" }).click();
  return await page.getByRole("status").innerText();
}

const withMessage = (signed: SignedAnswer, changes: object) => ({
  ...signed,
  message: { ...signed.message, ...changes },
});

inBrowser.test("the page verifies a signed score offline and rejects a changed one", async (t) => {
  await using service = await serve();
  const signed = await service.sign(3600);
  const { deps } = service;
  deps.advance(-2 * 3_600_000);
  const expired = await service.sign(3600);
  await using browser = openBrowser();
  const opened = await browser.newPage();
  const { page, requests, troubles, violations, screenshot } = opened;
  await page.goto(service.url + PAGE);
  await opened.settled();
  assertEquals(await violations(), []);
  const asked = requests.length;

  await t.step("genuine", async () => {
    assertEquals(
      await verify(opened, signed),
      "Genuine and valid: This service signed exactly this score, and it has not expired.",
    );
    const findings = await page.locator("#findings").innerText();
    const { message, signer, digest, readable } = signed;
    const shown = [
      SUBJECT,
      signer,
      digest,
      readable.tierLabel,
      readable.expiresAt,
    ];
    for (const text of [...shown, message.nonce]) {
      assertStringIncludes(findings, text);
    }
    assert(!findings.includes("Failed"));
    assertEquals(await violations(), []);
    await screenshot("verify-attestation-genuine");
  });

  const { message, domain, readable } = signed;
  const refused: [name: string, pasted: unknown, verdict: string][] = [
    ["another score", withMessage(signed, { score: "99" }), "Not genuine"],
    [
      "a later end",
      withMessage(signed, { expiresAt: "9999999999" }),
      "Not genuine",
    ],
    [
      "another subject",
      withMessage(signed, { subject: signed.signer }),
      "Not genuine",
    ],
    [
      "another digest",
      { ...signed, digest: `0x${"0".repeat(64)}` },
      "Not genuine",
    ],
    ["a readable part that lies", {
      ...signed,
      readable: { ...readable, score: 99 },
    }, "Not genuine"],
    ["another contract", {
      ...signed,
      domain: { ...domain, verifyingContract: SUBJECT },
    }, "Not genuine"],
    ["an end that is past", expired, "Expired"],
    [
      "no signature",
      { ...signed, signature: undefined },
      "Cannot verify this: This is not a signed score: missing signature.",
    ],
    [
      "a nonce as a number",
      withMessage(signed, { nonce: 1 }),
      "malformed message.nonce",
    ],
    ["markup", { ...signed, signer: "<b>x" }, "malformed signer"],
    ["no JSON", "{signed}", "Cannot verify this: This is not JSON."],
    ["null", null, "missing domain.name"],
  ];
  for (const [name, pasted, verdict] of refused) {
    await t.step(name, async () => {
      assertStringIncludes(await verify(opened, pasted), verdict);
      assertEquals(await page.locator("#verdict .notice-good").count(), 0);
    });
  }
  await t.step(
    "calls no forged field signed, and shows no green",
    async () => {
      await verify(opened, withMessage(signed, { score: "99" }));
      const findings = page.locator("#findings");
      assertEquals(
        await findings.getByRole("heading").allInnerTexts(),
        ["Checks", "Pasted fields, not signed by this service"],
      );
      assertEquals(await findings.locator(".badge-good").count(), 0);
    },
  );
  await t.step(
    "shows the signed values, not the readable ones beside them",
    async () => {
      await verify(opened, {
        ...signed,
        readable: { ...readable, score: 12345 },
      });
      const findings = await page.locator("#findings").innerText();
      assert(!findings.includes("12345") && findings.includes(message.nonce));
      await page.getByRole("button", { name: "Clear" }).click();
      assertEquals(await page.getByRole("status").innerText(), "");
      assert(!await page.locator("#findings").isVisible());
    },
  );
  assertEquals(requests.length, asked, "no request is sent");
  assertEquals(troubles, UNTROUBLED);
});

inBrowser.test("the page fits a phone in the dark colour scheme", async () => {
  await using service = await serve();
  const signed = await service.sign(3600);
  await using browser = openBrowser();
  const opened = await browser.newPage({ width: 360, colorScheme: "dark" });
  const { page, violations, screenshot } = opened;
  await page.goto(service.url + PAGE);
  await verify(opened, signed);
  assertEquals(await violations(), []);
  const width = await page.evaluate("document.documentElement.scrollWidth");
  assertEquals(width, 360, "nothing stands out at the side");
  await screenshot("verify-attestation-phone");
});

Deno.test("the code on the page verifies a signed score unchanged", async () => {
  await using service = await serve();
  const html = await (await fetch(service.url + PAGE)).text();
  const [, escaped] = /<code id="snippet">([^]*?)<\/code>/.exec(html)!;
  const code = unescape(escaped!);
  const url = `data:text/javascript,${encodeURIComponent(code)}`;
  const { isGenuine } = await import(url);
  const signed = await service.sign(3600);
  const isOfSubject = (given: unknown) => isGenuine(given, SUBJECT);
  assertEquals(await isOfSubject(signed), true);
  const other = signed.signer;
  assertEquals(await isGenuine(signed, other), false, "of another address");
  assertEquals(await isOfSubject(withMessage(signed, { score: "99" })), false);
  assertEquals(await isOfSubject({ ...signed, signer: SUBJECT }), false);
  service.deps.advance(-2 * 3_600_000);
  assertEquals(await isOfSubject(await service.sign(3600)), false, "expired");
});

Deno.test("the page states that the deployment does not sign", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request(PAGE);
  assertEquals(response.status, 200);
  assertStringIncludes(
    await response.text(),
    "This deployment does not sign scores.",
  );
});
