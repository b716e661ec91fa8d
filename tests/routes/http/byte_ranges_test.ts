/** Which bytes of a file a request gets, by its preconditions and its range. */
import { assert, assertEquals } from "@std/assert";
import { selectBytes } from "../../../routes/http/preconditions.ts";
import { ERROR_STATUSES } from "../../../routes/http/error_statuses.ts";
import { Fault } from "../../../services/platform/fault.ts";

const FILE = {
  bytes: 100,
  etag: '"a"',
  changedAt: Date.parse("2026-11-21T08:00:00.900Z"),
};
const CHANGED = "Sat, 21 Nov 2026 08:00:00 GMT";
const EARLIER = "Sat, 21 Nov 2026 07:59:59 GMT";

/** Returns the status, and the first and last byte of an answer with a body. */
function selected(
  headers: Record<string, string>,
  file = FILE,
): readonly number[] {
  try {
    const selection = selectBytes({ headers: new Headers(headers) }, file);
    return "range" in selection
      ? [selection.status, selection.range.start, selection.range.end]
      : [selection.status];
  } catch (error) {
    assert(error instanceof Fault, String(error));
    return [ERROR_STATUSES[error.failure.kind].status];
  }
}

const WHOLE = [200, 0, 99] as const;

Deno.test("selectBytes() gives the bytes of one range, and the whole file where the header is no such range", () => {
  const rows: [range: string, answer: readonly number[]][] = [
    ["bytes=0-0", [206, 0, 0]],
    ["bytes=10-19", [206, 10, 19]],
    ["bytes=19-19", [206, 19, 19]],
    ["BYTES= 10-19 ", [206, 10, 19]],
    ["bytes=10-", [206, 10, 99]],
    ["bytes=99-", [206, 99, 99]],
    ["bytes=90-98", [206, 90, 98]],
    ["bytes=90-99", [206, 90, 99]],
    ["bytes=90-1000", [206, 90, 99]],
    ["bytes=-1", [206, 99, 99]],
    ["bytes=-30", [206, 70, 99]],
    ["bytes=-100", [206, 0, 99]],
    ["bytes=-1000", [206, 0, 99]],
    ["bytes=-0", [416]],
    ["bytes=100-", [416]],
    ["bytes=100-200", [416]],
    ["bytes=101-", [416]],
    ["bytes=20-19", WHOLE],
    ["bytes=200-100", WHOLE],
    ["bytes=-", WHOLE],
    ["bytes=", WHOLE],
    ["bytes=0-1,5-6", WHOLE],
    ["items=0-1", WHOLE],
    ["bytes=a-b", WHOLE],
  ];
  for (const [Range, answer] of rows) {
    assertEquals(selected({ Range }), answer, Range);
  }
  assertEquals(selected({}), WHOLE);
});

Deno.test("selectBytes() gives a part only of the version that If-Range names", () => {
  const rows: [ifRange: string, isPart: boolean][] = [
    ['"a"', true],
    [' "a" ', true],
    ['"b"', false],
    ['W/"a"', false],
    [CHANGED, true],
    ["Sat, 21 Nov 2026 08:00:01 GMT", false],
    [EARLIER, false],
    ["no date", false],
  ];
  for (const [ifRange, isPart] of rows) {
    assertEquals(
      selected({ "Range": "bytes=1-2", "If-Range": ifRange }),
      isPart ? [206, 1, 2] : WHOLE,
      ifRange,
    );
  }
});

Deno.test("selectBytes() refuses other versions, and says which version a client has already", () => {
  const rows: [headers: Record<string, string>, answer: readonly number[]][] = [
    [{ "If-Match": '"a"' }, WHOLE],
    [{ "If-Match": '"b", "a"' }, WHOLE],
    [{ "If-Match": " * " }, WHOLE],
    [{ "If-Match": '"b"' }, [412]],
    [{ "If-Match": 'W/"a"' }, [412]],
    [{ "If-Match": '"b"', "If-None-Match": '"a"' }, [412]],
    [{ "If-None-Match": '"a"' }, [304]],
    [{ "If-None-Match": 'W/"b", W/"a"' }, [304]],
    [{ "If-None-Match": "*" }, [304]],
    [{ "If-None-Match": '"b"' }, WHOLE],
    [{ "If-None-Match": '"a"', "Range": "bytes=1-2" }, [304]],
    [{ "If-Match": '"a"', "Range": "bytes=1-2" }, [206, 1, 2]],
    [{ "If-Unmodified-Since": CHANGED }, WHOLE],
    [{ "If-Unmodified-Since": EARLIER }, [412]],
    [{ "If-Unmodified-Since": "no date" }, WHOLE],
    [{ "If-Modified-Since": CHANGED }, [304]],
    [{ "If-Modified-Since": EARLIER }, WHOLE],
    [{ "If-Modified-Since": "no date" }, WHOLE],
    [{ "If-Modified-Since": CHANGED, "Range": "bytes=1-2" }, [304]],
    [{ "If-Modified-Since": EARLIER, "Range": "bytes=1-2" }, [206, 1, 2]],
    // RFC 9110, 13.2.2: a tag goes before a date, and a 412 before a 304.
    [{ "If-Match": '"a"', "If-Unmodified-Since": EARLIER }, WHOLE],
    [{ "If-Match": '"b"', "If-Unmodified-Since": CHANGED }, [412]],
    [{ "If-None-Match": '"b"', "If-Modified-Since": CHANGED }, WHOLE],
    [{ "If-None-Match": '"a"', "If-Modified-Since": EARLIER }, [304]],
    [{ "If-Unmodified-Since": EARLIER, "If-None-Match": '"a"' }, [412]],
    [{ "If-Unmodified-Since": CHANGED, "If-Modified-Since": CHANGED }, [304]],
  ];
  for (const [headers, answer] of rows) {
    assertEquals(selected(headers), answer, JSON.stringify(headers));
  }
});
