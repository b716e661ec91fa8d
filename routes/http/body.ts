/** Request bodies: size limit, JSON only, no duplicate names. */
import type { MiddlewareHandler } from "hono";
import { Fault } from "../../services/platform/fault.ts";
import { withTimeout } from "../../services/platform/clock.ts";

/** Longest time in which a whole body must arrive. */
const MAX_BODY_MS = 10_000;

/** Reads the body into memory and refuses bodies above the limit, late bodies and truncated bodies. */
export function limitBody(
  maxBytes: number,
  { maxMs = MAX_BODY_MS }: { readonly maxMs?: number } = {},
): MiddlewareHandler {
  const arrives = <T>(body: Promise<T>): Promise<T> =>
    withTimeout(body, maxMs, () => late(maxMs));

  return async (c, next) => {
    const { raw } = c.req;
    const length = raw.headers.get("Content-Length");
    if (Number(length) > maxBytes) throw tooLarge(maxBytes);
    try {
      // Content-Length bounds what is read, so a header above the limit is
      // enough to refuse.
      if (length !== null) await arrives(c.req.text());
      else if (raw.body !== null) {
        const body = await arrives(readWhole(raw.body, maxBytes));
        c.req.raw = new Request(raw, { body });
      }
    } catch (cause) {
      if (cause instanceof Fault) throw cause;
      const failure = { kind: "badInput" } as const;
      throw new Fault("Invalid body: it ended early", failure, {
        cause,
      });
    }
    await next();
  };
}

/** Reads a stream to its end. Cancels it when it exceeds the limit. */
async function readWhole(
  stream: ReadableStream<Uint8Array<ArrayBuffer>>,
  maxBytes: number,
): Promise<Blob> {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  for await (const part of stream) {
    size += part.byteLength;
    if (size > maxBytes) throw tooLarge(maxBytes);
    parts.push(part);
  }
  return new Blob(parts);
}

function late(maxMs: number): Fault {
  return new Fault(
    `Invalid body: expected all of it within ${maxMs / 1000} seconds`,
    { kind: "lateBody" },
  );
}

function tooLarge(maxBytes: number): Fault {
  return new Fault(
    `Invalid body: expected at most ${maxBytes} bytes`,
    { kind: "tooLarge", maxBytes },
  );
}

/**
 * Returns whether a Content-Type is JSON. The router matches only some
 * spellings of its parameters.
 */
export function isJsonType(type: string): boolean {
  return /^application\/json(;\s*[a-z0-9-]+=[^;]+)*$/i.test(type);
}

/** Refuses bodies that are not JSON before their schema is checked. */
export const requireJson: MiddlewareHandler = async (c, next) => {
  if (!isJsonType(c.req.header("Content-Type") ?? "")) {
    throw new Fault(
      "Invalid Content-Type: expected application/json",
      { kind: "badInput", parameter: "Content-Type" },
    );
  }
  const text = await c.req.text();
  try {
    JSON.parse(text);
  } catch (cause) {
    const failure = { kind: "badInput" } as const;
    throw new Fault("Invalid body: expected JSON", failure, {
      cause,
    });
  }
  const parameter = findRepeatedName(text);
  if (parameter !== null) {
    throw new Fault(
      `Invalid body: duplicate name "${parameter}": expected each name once`,
      { kind: "badInput", parameter },
    );
  }
  await next();
};

/** Strings and brackets. In valid JSON everything else is separators and literals. */
const TOKEN = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}]/g;

/**
 * Finds a name that one object contains twice; parsers would silently keep the
 * last. Expects valid JSON.
 */
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
