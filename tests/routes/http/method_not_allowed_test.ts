/** Refused methods of every path: status, `Allow` and message. */
import { assertEquals, assertGreater } from "@std/assert";
import { createApp } from "../../../routes/app.ts";
import { exampleOf } from "../../../simnet/accounts.ts";
import { enrol } from "../../support/callers.ts";
import { testDeps } from "../../support/deps.ts";

const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "PURGE"];

/** Paths that a pattern with a parameter matches too, and the methods that both accept. */
const SIBLINGS: Readonly<Record<string, string>> = {
  "/api/v1/score/batch": "POST",
  "/api/account/socials/github": "POST, DELETE",
  "/api/account/socials/domain": "POST, DELETE",
};

/** Returns a path of a pattern. */
function pathOf(pattern: string): string {
  return pattern.replace(/:\w+\{.*\}/, "x.png")
    .replace(":chainId", "43114")
    .replace(/:\w+/g, exampleOf("ordinary"));
}

Deno.test("every path refuses other methods with a 405 that names the accepted ones", async () => {
  using deps = await testDeps();
  const app = createApp(deps);
  const { key } = await enrol(deps, { plan: "scale" });
  const accepted = new Map<string, Set<string>>();
  for (const { method, path } of app.routes) {
    if (method === "ALL") continue;
    const methods = accepted.get(path) ?? new Set();
    methods.add(method);
    if (method === "GET") methods.add("HEAD");
    accepted.set(path, methods);
  }
  const headers = {
    "Origin": deps.publicUrl,
    "Content-Type": "application/json",
    "X-Api-Key": key,
  };
  let refusedCount = 0;
  for (const [pattern, methods] of accepted) {
    const allow = SIBLINGS[pattern] ??
      METHODS.filter((method) => methods.has(method)).join(", ");
    const expected = allow.includes(",") ? `one of ${allow}` : allow;
    for (const method of METHODS.filter((name) => !allow.includes(name))) {
      const response = await app.request(pathOf(pattern), { method, headers });
      const what = `${method} ${pattern}`;
      assertEquals(response.status, 405, what);
      assertEquals(response.headers.get("Allow"), allow, what);
      const text = await response.text();
      if (method === "HEAD") continue;
      const { error, code, allowed } = JSON.parse(text);
      assertEquals(error, `Invalid method "${method}": expected ${expected}`);
      assertEquals(code, "METHOD_NOT_ALLOWED");
      assertEquals(allowed, allow.split(", "));
      refusedCount++;
    }
  }
  assertGreater(refusedCount, 300);
  const asked = await app.request("/api/v1/score/batch?x=1", { headers });
  assertEquals(asked.status, 405);
  await asked.body?.cancel();
});
