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
  /** The fraction of traces that are sent, 0 to 1. */
  readonly share: number;
  readonly version: string;
}

export interface Telemetry {
  readonly tracing: Tracing;
  /** Sends the spans that are still queued, and stops. */
  readonly close: () => Promise<void>;
}

/** Spans that wait to be sent. Further ones are dropped, so that sending never delays a request. */
const MAX_QUEUED_SPANS = 2_048;
const SEND_TIMEOUT_MS = 5_000;
const SEND_EVERY_MS = 2_000;

/** Creates tracing over OpenTelemetry. It registers nothing globally: `tracing` is passed to what should be traced. */
export function openTelemetry({ endpoint, share, version }: TelemetryOptions): Telemetry {
  const url = `${endpoint.replace(/\/+$/, '')}/v1/traces`;
  const processor = new BatchSpanProcessor(new OTLPTraceExporter({ url, timeoutMillis: SEND_TIMEOUT_MS }), {
    maxQueueSize: MAX_QUEUED_SPANS,
    scheduledDelayMillis: SEND_EVERY_MS,
    exportTimeoutMillis: SEND_TIMEOUT_MS,
  });
  const provider = new NodeTracerProvider({
    spanProcessors: [processor],
    sampler: new TraceIdRatioBasedSampler(share),
  });
  return {
    tracing: createTracing(provider.getTracer('sluice', version)),
    close: () => provider.shutdown().catch(() => undefined),
  };
}

function createTracing(tracer: Tracer): Tracing {
  const current = new AsyncLocalStorage<Context>();
  return {
    begin: (name, attributes = {}) => {
      const parent = current.getStore() ?? ROOT_CONTEXT;
      const span = tracer.startSpan(name, { attributes: { ...attributes } }, parent);
      const own = trace.setSpan(parent, span);
      return {
        set: (more) => void span.setAttributes({ ...more }),
        within: (work) => current.run(own, work),
        end: (error) => {
          if (error !== undefined) {
            span.setStatus({ code: SpanStatusCode.ERROR, message: getErrorName(error) });
          }
          span.end();
        },
      };
    },
  };
}

/** Returns an error's name. Its message is not sent, because it may contain what a client sent. */
function getErrorName(error: unknown): string {
  return error instanceof Error ? error.name : typeof error;
}
