import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../common/ports/metrics.ts';
import { memoize } from '../../common/collections/memoized.ts';
import { getRequestContext } from '../pipeline/request/request-context.ts';

/** Upper bounds in seconds, from answers out of memory to transactions that are confirmed. */
const BUCKETS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120];

/** Counts and times every answer by its registered route, so that clients cannot create label values. */
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
  const ofRoute = memoize((route: string) => ({
    observe: seconds.bind({ route }),
    countOf: memoize((method: string) =>
      memoize((status: number) => answered.bind({ method, route, status: String(status) })),
    ),
  }));
  app.requestFinishedListeners.push((request, reply, status) => {
    const { url } = getRequestContext(request).route;
    const { observe, countOf } = ofRoute(url ?? 'none');
    // Clients can send any method to an unknown path, so methods are distinguished for known routes only.
    countOf(url === null ? 'any' : request.method)(status)();
    observe(reply.elapsedTime / 1_000);
  });
}
