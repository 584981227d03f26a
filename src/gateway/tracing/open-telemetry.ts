import { AsyncLocalStorage } from 'node:async_hooks';
import { type Context, ROOT_CONTEXT, SpanStatusCode, type Tracer, trace } from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  BatchSpanProcessor,
  NodeTracerProvider,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace-node';
import type { Tracing } from '../../common/ports/tracing.ts';

export interface TelemetryOptions {
  /** Base URL of an OTLP receiver over HTTP; `/v1/traces` is added. */
  readonly endpoint: string;
  /** Of all traces, 0 to 1. */
  readonly share: number;
  readonly version: string;
}

export interface Telemetry {
  readonly tracing: Tracing;
  /** Sends what was not sent yet. */
  readonly close: () => Promise<void>;
}

/** What is beyond is dropped: sending spans never holds up what they are about. */
const MAX_WAITING = 2_048;
const SEND_TIMEOUT_MS = 5_000;
const EVERY_MS = 2_000;

/** Nothing global is registered: whoever is to be traced is given `tracing`. */
export function openTelemetry({ endpoint, share, version }: TelemetryOptions): Telemetry {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS }), {
    maxQueueSize: MAX_WAITING,
    scheduledDelayMillis: EVERY_MS,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  });
  const provider = new NodeTracerProvider({
    spanProcessors: [processor],
    sampler: new TraceIdRatioBasedSampler(share),
  });
  return {
    tracing: tracingOver(provider.getTracer('sluice', version)),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function tracingOver(tracer: Tracer): Tracing {
  const present = new AsyncLocalStorage<Context>();
  return {
    begin: (name, attributes = {}) => {
      const parent = present.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes: { ...attributes } }, parent);
      const own = trace.setSpan(parent, span);
      return {
        set: (more) => void span.setAttributes({ ...more }),
        within: (work) => present.run(own, work),
        end: (error) => {
          if (error !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR, message: nameOf(error) });
          }
          span.end();
        },
      };
    },
  };
}

/** Messages may repeat what a client sent. */
function nameOf(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
