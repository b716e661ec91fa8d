/** Bodies of requests: not too long, JSON, and no name twice. */
import type { MiddlewareHandler } from "hono";
import { Fault } from "../../services/platform/fault.ts";

/**
 * Refuses a body of more bytes than it is ever good for, before it is read, and
 * one that never comes to its end. Whoever reads it later gets it from memory.
 */
export function limitBody(mostBytes: number): MiddlewareHandler {
  return async (c, next) => {
    const { raw } = c.req;
    const length = raw.headers.get("Content-Length");
    if (Number(length) > mostBytes) throw tooLarge(mostBytes);
    try {
      // No more is read than a length says that was sent.
      if (length !== null) await c.req.text();
      else if (raw.body !== null) {
        const body = await readWhole(raw.body, mostBytes);
        c.req.raw = new Request(raw, { body });
      }
    } catch (cause) {
      if (cause instanceof Fault) throw cause;
      const failure = { kind: "badInput" } as const;
      throw new Fault("Cannot accept the body: it breaks off", failure, {
        cause,
      });
    }
    await next();
  };
}

/** Reads a stream to its end; one that is too long is left, and its sender not listened to any more. */
async function readWhole(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  mostBytes: number,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size > mostBytes) throw tooLarge(mostBytes);
    parts.push(part);
  }
  return new Blob(parts);
}

function tooLarge(mostBytes: number): Fault {
  return new Fault(
    `Cannot accept the body: accepted are at most ${mostBytes} bytes`,
    { kind: "tooLarge", mostBytes },
  );
}

/** Returns whether a Content-Type is JSON's; the router knows no other spelling of its parameters. */
export function isJsonType(type: string): boolean {
  return /^application\/json(;\s*[a-z0-9-]+=[^;]+)*$/i.test(type);
}

/** Tells what a body is not, before its shape is looked at. */
export const requireJson: MiddlewareHandler = async (c, next) => {
  if (!isJsonType(c.req.header("Content-Type") ?? "")) {
    throw new Fault(
      "Cannot accept the body: accepted is Content-Type application/json",
      { kind: "badInput", parameter: "Content-Type" },
    );
  }
  const text = await c.req.text();
  try {
    JSON.parse(text);
  } catch (cause) {
    const failure = { kind: "badInput" } as const;
    throw new Fault("Cannot accept the body: it is not JSON", failure, {
      cause,
    });
  }
  const parameter = findRepeatedName(text);
  if (parameter !== null) {
    throw new Fault(
      `Cannot accept the body: ${parameter} is accepted once`,
      { kind: "badInput", parameter },
    );
  }
  await next();
};

/** What names and nesting are made of; in valid JSON all else stands between these. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/** Finds a name that one object of valid JSON has twice: parsers would keep the last, unseen. */
export function findRepeatedName(text: string): string | null {
  const open: Set<string>[] = [];
  for (const [token, colon] of text.matchAll(TOKEN)) {
    if (token === "{") open.push(new Set());
    else if (token === "}") open.pop();
    else if (colon !== undefined) {
      const name: string = JSON.parse(token.slice(0, -colon.length));
      const names = open.at(-1);
      if (names?.has(name)) return name;
      names?.add(name);
    }
  }
  return null;
}
