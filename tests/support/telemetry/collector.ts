/** An OTLP collector (OpenTelemetry, http/json) that keeps what a process exports. */
import { z } from "zod";

const Attribute = z.object({
  key: z.string(),
  value: z.looseObject({}).transform((value) => Object.values(value)[0]),
});

const Attributes = z.array(Attribute).transform((list) =>
  list.map(({ key, value }) => [key, value] as const)
);

const Span = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string(),
  name: z.string(),
  kind: z.int(),
  attributes: Attributes,
  status: z.object({ code: z.int() }),
  events: z.array(z.object({ name: z.string(), attributes: Attributes })),
}).transform(({ attributes, ...span }) => ({
  ...span,
  /** Names as they came: one that came twice is a defect. */
  names: attributes.map(([name]) => name),
  attributes: Object.fromEntries(attributes),
}));
/** A span, as it was exported. */
export type Span = z.infer<typeof Span>;

const LogRecord = z.object({
  traceId: z.string(),
  spanId: z.string(),
  severityText: z.string(),
  body: z.object({ stringValue: z.string() }).transform((body) =>
    body.stringValue
  ),
});
/** A line of the log, as it was exported. */
type LogRecord = z.infer<typeof LogRecord>;

const Export = z.object({
  resourceSpans: z.array(z.object({
    scopeSpans: z.array(z.object({ spans: z.array(Span) })),
  })).default([]),
  resourceMetrics: z.array(z.object({
    scopeMetrics: z.array(z.object({
      metrics: z.array(z.object({
        name: z.string(),
        gauge: z.object({ dataPoints: z.array(z.unknown()) }).optional(),
      })),
    })),
  })).default([]),
  resourceLogs: z.array(z.object({
    scopeLogs: z.array(z.object({ logRecords: z.array(LogRecord) })),
  })).default([]),
});

/** What was received so far. */
interface Received {
  readonly spans: readonly Span[];
  readonly logs: readonly LogRecord[];
  /** The names of gauges that had a value. */
  readonly gauges: ReadonlySet<string>;
  /** Everything, headers too, byte for byte. */
  readonly text: string;
}

/** A running collector. */
interface Collector extends AsyncDisposable {
  /** The settings that have a process export to it, at once. */
  readonly settings: Readonly<Record<string, string>>;
  /** Waits until what was received holds something, and returns that. */
  find<T>(pick: (received: Received) => T | undefined): Promise<T>;
  /** What was received so far. */
  readonly received: Received;
}

/** Starts a collector on 127.0.0.1. */
export function startCollector(): Collector {
  const spans: Span[] = [];
  const logs: LogRecord[] = [];
  const gauges = new Set<string>();
  const received = { spans, logs, gauges, text: "" };
  let arrival = Promise.withResolvers<void>();
  const options = { hostname: "127.0.0.1", port: 0, onListen() {} };
  const server = Deno.serve(options, async (request) => {
    const body = await request.text();
    const head = JSON.stringify([request.url, ...request.headers]);
    received.text += `${head}\n${body}\n`;
    const { resourceSpans, resourceLogs, resourceMetrics } = Export.parse(
      JSON.parse(body),
    );
    for (const { scopeMetrics } of resourceMetrics) {
      for (const { name, gauge } of scopeMetrics.flatMap((s) => s.metrics)) {
        if (gauge?.dataPoints.length) gauges.add(name);
      }
    }
    for (const { scopeSpans } of resourceSpans) {
      spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
    for (const { scopeLogs } of resourceLogs) {
      logs.push(...scopeLogs.flatMap(({ logRecords }) => logRecords));
    }
    arrival.resolve();
    arrival = Promise.withResolvers();
    return Response.json({});
  });
  return {
    received,
    settings: {
      OTEL_DENO: "true",
      OTEL_DENO_TRACING: "false",
      OTEL_SERVICE_NAME: "firn",
      OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${server.addr.port}`,
      OTEL_BSP_SCHEDULE_DELAY: "50",
      OTEL_BLRP_SCHEDULE_DELAY: "50",
      OTEL_METRIC_EXPORT_INTERVAL: "200",
    },
    async find(pick) {
      for (;;) {
        const found = pick(received);
        if (found !== undefined) return found;
        await arrival.promise;
      }
    },
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
}
