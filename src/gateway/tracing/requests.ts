import type { FastifyInstance } from 'fastify';
import type { Span, Tracing } from '../../common/ports/tracing.ts';
import { getRequestContext } from '../pipeline/request/request-context.ts';
import { addStep } from '../pipeline/request/step.ts';

interface Spans {
  readonly request: Span;
  /** The steps before the handler, then the handler. */
  part: Span;
}

/** Traces every request in two parts: the steps before its handler, and the handler with what it calls. */
export function addRequestTracing(app: FastifyInstance, tracing: Tracing): void {
  const spansOf = new WeakMap<object, Spans>();
  addStep(app, 'onRequest', (request) => {
    const { method, id } = request;
    const route = getRequestContext(request).route.url ?? 'none';
    const span = tracing.begin(`${method} ${route}`, {
      'http.request.method': method,
      'http.route': route,
      'sluice.request_id': id,
    });
    return (proceed) =>
      span.within(() => {
        spansOf.set(request, { request: span, part: tracing.begin('pipeline') });
        proceed();
      });
  });
  app.addHook('preHandler', (request, _reply, done) => {
    const spans = spansOf.get(request);
    if (spans === undefined) return done();
    spans.part.end();
    spans.request.within(() => {
      spans.part = tracing.begin('handler');
      spans.part.within(done);
    });
  });
  app.requestFinishedListeners.push((request, _reply, status) => {
    const spans = spansOf.get(request);
    spans?.part.end();
    spans?.request.set({ 'http.response.status_code': status });
    spans?.request.end(status >= 500 ? new Error('answered with 5xx') : undefined);
  });
}
