import { assertEquals } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { testDeps } from "../../support/deps.ts";

const PATH = "/.well-known/security.txt";

Deno.test("security.txt names the operator's contact and is valid for half a year (RFC 9116)", async () => {
  using deps = await testDeps({
    settings: {
      PUBLIC_URL: "https://firn.test",
      SECURITY_CONTACT: "mailto:security@firn.test",
    },
  });
  const response = await createApp(deps).request(PATH);
  assertEquals(response.status, 200);
  assertEquals(
    response.headers.get("Content-Type"),
    "text/plain; charset=UTF-8",
  );
  assertEquals(
    await response.text(),
    `Contact: mailto:security@firn.test
Expires: 2027-05-20T00:00:00.000Z
Preferred-Languages: en
Canonical: https://firn.test/.well-known/security.txt
`,
  );
});

Deno.test("security.txt is a 404 without a contact", async () => {
  using deps = await testDeps();
  const response = await createApp(deps).request(PATH);
  assertEquals(response.status, 404);
  await response.body?.cancel();
});
