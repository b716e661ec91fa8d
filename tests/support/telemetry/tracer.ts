/** Records traces for a test. */
import type { KvCounts } from "../../../services/platform/observability/process_metrics_schema.ts";
import type {
  Attributes,
  SpanStart,
  Telemetry,
} from "../../../services/platform/observability/telemetry.ts";

/** A recorded span. */
interface TracedSpan extends SpanStart {
  attributes: Attributes;
  readonly errors: unknown[];
}

/** Keeps every span, oldest first, without nesting. */
export function newTracer() {
  const spans: TracedSpan[] = [];
  const asked: KvCounts[] = [];
  const telemetry: Telemetry = {
    isExported: true,
    async trace(start, work) {
      const span: TracedSpan = { ...start, errors: [] };
      spans.push(span);
      try {
        return await work({
          set: (more) => span.attributes = { ...span.attributes, ...more },
          fail: (error) => void span.errors.push(error),
        });
      } catch (error) {
        span.errors.push(error);
        throw error;
      }
    },
    fail: (error) => void spans.at(-1)?.errors.push(error),
    failBy: (status) => void spans.at(-1)?.errors.push(status),
    countKv: (one) => void asked.push(one),
    observe() {},
    traceId: () => "0af7651916cd43dd8448eb211c80319c",
  };
  return { telemetry, spans, asked };
}
