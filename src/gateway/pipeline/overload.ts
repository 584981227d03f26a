import type { FastifyInstance } from 'fastify';
import type { Metrics } from '../../ports/metrics.ts';
import type { Bucket } from '../../platform/plans.ts';
import { sendUnavailable } from '../errors.ts';
import { passageOf } from '../passage.ts';
import { type After, Gate } from './gate.ts';
import { bucketOf } from './rate-limit.ts';

export interface Overload {
  /** Requests that may be worked on at once. Executions wait for the network and are counted apart, up to as many. */
  readonly most: number;
  /** Of each kind, that may wait for others to end. */
  readonly mostWaiting: number;
  readonly after: After;
  readonly metrics: Metrics;
}

/** A client is better off to come again than to wait for longer. */
const LONGEST_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/** Refuses what is too much before any work is done for it. Health and documentation are let through. */
export function addOverload(app: FastifyInstance, { most, mostWaiting, after, metrics }: Overload): void {
  const newGate = () => new Gate({ most, mostWaiting, longestWait: LONGEST_WAIT_MS }, after);
  const gates: Readonly<Record<Bucket, Gate>> = { main: newGate(), execute: newGate() };
  const leaves = { main: () => gates.main.leave(), execute: () => gates.execute.leave() };
  const refused = addGateMetrics(metrics, gates);
  app.addHook('onRequest', (request, reply, done) => {
    if (passageOf(request).route.isFree) {
      done();
      return;
    }
    const bucket = bucketOf(request);
    const gate = gates[bucket];
    if (gate.tryEnter()) {
      // Whether it was answered or its client has left.
      passageOf(request).leave = leaves[bucket];
      done();
      return;
    }
    let isInside = false;
    const stopWaiting = gate.ask(
      () => {
        isInside = true;
        done();
      },
      () => {
        refused.add({ bucket });
        sendUnavailable(reply, 'Too many requests are under way; try again in a second', RETRY_AFTER_SECONDS);
      },
    );
    passageOf(request).leave = () => (isInside ? gate.leave() : stopWaiting());
  });
}

function addGateMetrics(metrics: Metrics, gates: Readonly<Record<Bucket, Gate>>) {
  const readings = (read: (gate: Gate) => number) => () =>
    Object.entries(gates).map(([bucket, gate]) => ({ labels: { bucket }, value: read(gate) }));
  metrics.gauge(
    'sluice_http_requests_under_way',
    'Requests that are worked on.',
    readings(({ inside }) => inside),
    ['bucket'],
  );
  metrics.gauge(
    'sluice_http_requests_waiting',
    'Requests that wait for others to end.',
    readings(({ waiting }) => waiting),
    ['bucket'],
  );
  return metrics.counter(
    'sluice_http_requests_refused_total',
    'Requests refused with 503 because too many were under way.',
    ['bucket'],
  );
}
