/**
 * Competes with another process: for Verified Human numbers of the same wallets,
 * or for the same slugs and accounts. Writes "ready", waits until a file exists,
 * and ends with its results as JSON.
 */
import { newProfile } from "../../../services/profiles/profile.ts";
import { openStores } from "../../../services/stores.ts";

const [kvPath, startFile, what, name] = Deno.args as [
  string,
  string,
  "numbers" | "names",
  string,
];
const COUNT = 500;
const CAUSE = { at: 0, requestId: null };

using kv = await Deno.openKv(kvPath);
const { humans, profiles } = openStores(kv);
print("ready\n");
while (!await Deno.stat(startFile).catch(() => null)) {
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const numbered = Array.from({ length: COUNT }, (_, nth) => nth);
const got = what === "numbers"
  ? await Promise.all(numbered.map((nth) => humans.grant(wallet(nth), CAUSE)))
  : await takeNames();
print(JSON.stringify(got));

/** Claims names one after the other; returns the outcomes. */
async function takeNames(): Promise<string[]> {
  const kinds: string[] = [];
  for (const nth of numbered) {
    const own = wallet(nth + (name === "first" ? 1_000 : 2_000));
    const social = { kind: "x", id: String(nth), handle: `h${nth}` } as const;
    const { kind } = await profiles.change(own, () => ({
      profile: {
        ...newProfile(0),
        slug: `name-${nth}`,
        socials: [{ ...social, verifiedAt: 0 }],
      },
      audit: { ...CAUSE, event: "profile.update" },
    }));
    kinds.push(kind);
  }
  return kinds;
}

function wallet(nth: number): string {
  return `0x${String(nth).padStart(40, "0")}`;
}

function print(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
