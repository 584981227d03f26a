import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../common/ports/metrics.ts';
import { remembered } from '../../common/collections/remembered.ts';
import { requestContextOf } from '../pipeline/request-context.ts';

/** Seconds: from what is answered from memory to what lands a transaction. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** Counts and times every answer by its route as it was registered, so that no client makes up names. */
export function addRequestMetrics(app: FastifyInstance, metrics: Metrics): void {
  const answered = metrics.counter('sluice_http_requests_total', 'Answered requests.', [
    'method',
    'route',
    'status',
  ]);
  const seconds = metrics.histogram(
    'sluice_http_request_duration_seconds',
    'Time from the first byte of a request to the last of its answer.',
    BUCKETS,
    ['route'],
  );
  const ofRoute = remembered((route: string) => ({
    observe: seconds.bind({ route }),
    countOf: remembered((method: string) =>
      remembered((status: number) => answered.bind({ method, route, status: String(status) })),
    ),
  }));
  app.requestFinishedListeners.push((request, reply, status) => {
    const { url } = requestContextOf(request).route;
    const { observe, countOf } = ofRoute(url ?? 'none');
    // A path without a route is asked for with any method, so that only those of routes are told apart.
    countOf(url === null ? 'any' : request.method)(status)();
    observe(reply.elapsedTime / 1_000);
  });
}
