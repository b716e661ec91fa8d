/** `.env.example` and the self-hosting guide list the settings that `services/settings.ts` declares. */
import { assertEquals } from "@std/assert";
import { docsTable } from "../routes/docs/guides.ts";
import { listSettings, SETTING_NAMES } from "../services/settings.ts";

/** Settings that only Deno Deploy sets. */
const SET_BY_PLATFORM = ["DENO_DEPLOY", "DENO_TIMELINE"];

const HEADER =
  `# Every setting of Firn. All of them have defaults, so uncomment only what you
# change. An invalid value stops the start with a line that names it. The tasks
# read the environment; to read a copy of this file instead:
#   deno task --env-file=.env start
`;

/** Breaks a text into comment lines of at most 80 characters. */
function comment(text: string): string {
  const lines = [""];
  for (const word of text.replaceAll("`", "").split(" ")) {
    const longer = `${lines.at(-1)} ${word}`;
    if (longer.length > 79) lines.push(` ${word}`);
    else lines[lines.length - 1] = longer;
  }
  return lines.map((line) => `#${line}`).join("\n");
}

Deno.test(".env.example lists every setting with its description and value", async () => {
  const file = new URL("../.env.example", import.meta.url);
  const entries = listSettings().map(({ name, description, example }) =>
    `\n${comment(description)}\n# ${name}=${example}\n`
  );
  assertEquals(await Deno.readTextFile(file), HEADER + entries.join(""));
});

Deno.test("docsTable() has a row for every setting that an operator can set", () => {
  const rows = docsTable("settings").matchAll(/^\| `([A-Z_]+)` \|/gm);
  assertEquals(
    [...[...rows].map(([, name]) => name!), ...SET_BY_PLATFORM].toSorted(),
    SETTING_NAMES.toSorted(),
  );
});
