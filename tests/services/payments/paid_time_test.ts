/** Spans of paid time. */
import { assertEquals } from "@std/assert";
import {
  exactValueOf,
  placeSpans,
  shortenSpans,
  type Span,
  spansFrom,
  timeAt,
  timeFor,
} from "../../../services/payments/paid_time.ts";

const span = (ms: number, price = 7n, plan: Span["plan"] = "builder") => ({
  plan,
  price,
  ms,
});

Deno.test("placeSpans() merges neighbours of one plan and price, and spansFrom() gives what remains", () => {
  const times = placeSpans([span(10), span(5), span(5, 8n), span(1)], 100);
  assertEquals(times.map(({ price, paidUntil }) => [price, paidUntil]), [
    [7n, 115],
    [8n, 120],
    [7n, 121],
  ]);
  assertEquals(spansFrom(times, 100), [span(15), span(5, 8n), span(1)]);
  assertEquals(spansFrom(times, 114), [span(1), span(5, 8n), span(1)]);
  assertEquals(spansFrom(times, 115), [span(5, 8n), span(1)]);
  assertEquals(timeAt(times, 114)?.paidUntil, 115);
  assertEquals(timeAt(times, 115)?.paidUntil, 120);
  assertEquals(timeAt(times, 121), null);
});

Deno.test("shortenSpans() takes from the last spans, rounded up, and leaves no empty one", () => {
  const spans = [span(10), span(5)];
  assertEquals(shortenSpans(spans, 0n), spans);
  assertEquals(shortenSpans(spans, 7n), [span(10), span(4)]);
  assertEquals(shortenSpans(spans, 8n), [span(10), span(3)]);
  assertEquals(shortenSpans(spans, 35n), [span(10)]);
  assertEquals(shortenSpans(spans, 36n), [span(9)]);
  assertEquals(shortenSpans(spans, 1_000n), []);
  const granted = [span(10), span(5, 0n)];
  assertEquals(shortenSpans(granted, 7n), [span(9), span(5, 0n)]);
});

Deno.test("timeFor() rounds down, also below zero, and exactValueOf() undoes it", () => {
  const times = [-15n, -14n, -1n, 0n, 13n, 14n].map((value) =>
    timeFor(value, 7n)
  );
  assertEquals(times, [-3, -2, -1, 0, 1, 2]);
  assertEquals(exactValueOf([span(2), span(3, 5n)]), 29n);
});
