/**
 * A process that wants what another wants, too: Verified Human numbers for the
 * same wallets, or the same slugs and accounts for wallets of its own. Says
 * "ready", waits for a file to appear, and ends with what it got, as JSON.
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
say("ready\n");
while (!await Deno.stat(startFile).catch(() => null)) {
  await new Promise((resolve) => setTimeout(resolve, 2));
}
const numbered = Array.from({ length: COUNT }, (_, nth) => nth);
const got = what === "numbers"
  ? await Promise.all(numbered.map((nth) => humans.grant(wallet(nth), CAUSE)))
  : await takeNames();
say(JSON.stringify(got));

/** Takes names one by one, as fast as another process does. */
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

function say(text: string): void {
  Deno.stdout.writeSync(new TextEncoder().encode(text));
}
