/** The peer of a warm answer: a Hono app that only returns bytes from memory. */
import { Hono } from "hono";
import {
  freePort,
  type RunningService,
  startProgram,
  untilAnswers,
} from "../../tests/support/processes/service.ts";

/** What the peer returns: the service's body and two of its headers. */
export interface BareAnswer {
  readonly head: string;
  readonly body: Uint8Array;
}

/** Starts the peer in its own process. It answers `/0`, `/1` and so on. */
export async function startBareHandler(
  answers: readonly BareAnswer[],
): Promise<RunningService> {
  const folder = await Deno.makeTempDir({ prefix: "firn_bench_" });
  const paths = answers.map((_, index) => `${folder}/${index}`);
  for (const [index, { head, body }] of answers.entries()) {
    await Deno.writeFile(paths[index]!, body);
    await Deno.writeTextFile(`${paths[index]}.json`, headersOf(head));
  }
  const port = freePort();
  const file = import.meta.filename!;
  const args = ["run", "--allow-net", "--allow-read", file];
  const running = startProgram([...args, String(port), ...paths]);
  const url = `http://127.0.0.1:${port}`;
  await untilAnswers(url, running);
  await Deno.remove(folder, { recursive: true });
  return { ...running, url };
}

function headersOf(head: string): string {
  const names = ["Content-Type", "Content-Encoding"];
  return JSON.stringify(Object.fromEntries(names.flatMap((name) => {
    const value = head.match(new RegExp(`^${name}: (.*?)\r?$`, "im"))?.[1];
    return value === undefined ? [] : [[name, value]];
  })));
}

if (import.meta.main) {
  const [port, ...paths] = Deno.args;
  const app = new Hono();
  for (const [index, path] of paths.entries()) {
    const headers = JSON.parse(Deno.readTextFileSync(`${path}.json`));
    // Text is faster than bytes: the runtime copies bytes for each answer.
    const body = "Content-Encoding" in headers
      ? Deno.readFileSync(path)
      : Deno.readTextFileSync(path);
    app.get(`/${index}`, (c) => c.body(body, 200, headers));
  }
  Deno.serve({ port: Number(port) }, app.fetch);
}
