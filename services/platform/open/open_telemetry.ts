/** Tracing and gauges through Deno's built-in OpenTelemetry, enabled by OTEL_DENO. */
import type {
  ContextManager,
  MeterProvider,
  Span as OtelSpan,
  TracerProvider,
} from "@opentelemetry/api";
import { isOlder, TRACING_DENO, VERSION } from "../version.ts";
import {
  KV_COUNT_NAMES,
  type KvCount,
} from "../observability/process_metrics_schema.ts";
import { messageOf, stackOf, typeOf } from "../observability/log.ts";
import type { Redact } from "../observability/redact.ts";
import {
  type Attributes,
  SILENT,
  type Span,
  type SpanStart,
  type Telemetry,
} from "../observability/telemetry.ts";

/** Database operations of the current request or job run. */
type Tally = Record<KvCount, number>;

/** Deno's own provider, so that the OpenTelemetry SDK is not needed. */
const provider: TracerProvider = Deno.telemetry.tracerProvider;
const meters: MeterProvider = Deno.telemetry.meterProvider;
const contexts: ContextManager = Deno.telemetry.contextManager;

/** Opens tracing. If Deno exports nothing or is too old, tracing is silent and loads no package. */
export async function openTelemetry(redact: Redact): Promise<Telemetry> {
  const isUnsafe = isOlder(Deno.version.deno, TRACING_DENO);
  if (isUnsafe || !isExporting()) return SILENT;
  const { createContextKey, SpanKind, SpanStatusCode, trace } = await import(
    "@opentelemetry/api"
  );
  const tracer = provider.getTracer("firn", VERSION);
  const TALLY = createContextKey("firn database tally");
  const KINDS = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    internal: SpanKind.INTERNAL,
  };

  const tallyNow = () => contexts.active().getValue(TALLY) as Tally | undefined;
  const spanNow = () => trace.getSpan(contexts.active());

  function clean(attributes: Attributes): Attributes {
    return Object.fromEntries(
      Object.entries(attributes).map(([name, value]) =>
        [name, typeof value === "string" ? redact(value) : value] as const
      ),
    );
  }

  /** Wraps an OpenTelemetry span. All texts are redacted. */
  function wrapSpan(span: OtelSpan): Span {
    return {
      set: (attributes) => void span.setAttributes(clean(attributes)),
      fail(error) {
        const message = redact(messageOf(error));
        const type = typeOf(error);
        span.setAttribute("error.type", type);
        span.setStatus({ code: SpanStatusCode.ERROR, message });
        span.addEvent("exception", {
          "exception.type": type,
          "exception.message": message,
          "exception.stacktrace": redact(stackOf(error)),
        });
      },
    };
  }

  async function traced<T>(
    { name, kind, attributes }: SpanStart,
    work: (span: Span) => Promise<T>,
  ): Promise<T> {
    const options = { kind: KINDS[kind], attributes: clean(attributes) };
    const span = tracer.startSpan(redact(name), options, contexts.active());
    const shown = wrapSpan(span);
    const tally = kind === "client" ? undefined : newTally();
    const inner = trace.setSpan(contexts.active(), span);
    const context = tally ? inner.setValue(TALLY, tally) : inner;
    try {
      return await contexts.with(context, () => work(shown));
    } catch (error) {
      shown.fail(error);
      throw error;
    } finally {
      if (tally) span.setAttributes(attributesOf(tally));
      span.end();
    }
  }

  return {
    isExported: true,
    trace: traced,
    fail(error) {
      const span = spanNow();
      if (span) wrapSpan(span).fail(error);
    },
    failBy(status) {
      const span = spanNow();
      span?.setAttribute("error.type", String(status));
      span?.setStatus({ code: SpanStatusCode.ERROR });
    },
    countKv(asked) {
      const tally = tallyNow();
      if (tally === undefined) return;
      for (const name of KV_COUNT_NAMES) tally[name] += asked[name] ?? 0;
    },
    traceId: () => spanNow()?.spanContext().traceId,
    observe(gauges) {
      const meter = meters.getMeter("firn", VERSION);
      for (const { name, unit, description, read } of gauges) {
        meter.createObservableGauge(name, { unit, description })
          .addCallback(async (result) => {
            const values = await read().catch(() => []);
            for (const { value, attributes = {} } of values) {
              result.observe(value, clean(attributes));
            }
          });
      }
    },
  };
}

/** Deno has no flag for it: if nothing is exported, no span can be started. */
function isExporting(): boolean {
  try {
    provider.getTracer("firn").startSpan("probe");
    return true;
  } catch {
    return false;
  }
}

const newTally = () =>
  Object.fromEntries(KV_COUNT_NAMES.map((name) => [name, 0])) as Tally;

/** Returns counts as attributes such as `firn.kv.keys_read`. */
function attributesOf(tally: Tally): Attributes {
  return Object.fromEntries(
    KV_COUNT_NAMES.map((name) => [
      `firn.kv.${
        name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
      }`,
      tally[name],
    ]),
  );
}
