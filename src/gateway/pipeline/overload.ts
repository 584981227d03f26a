import type { FastifyInstance, RouteOptions } from 'fastify';
import type { Counter, Metrics } from '../../common/ports/metrics.ts';
import type { Bucket } from '../../platform/plans/plans.ts';
import { sendUnavailable } from '../http/errors.ts';
import { partyOf, release, type RequestContext, getRequestContext } from './request/request-context.ts';
import { addStep } from './request/step.ts';
import { ArrivingBodies, hasBodyToCome } from '../limits/arriving-bodies.ts';
import { type After, Gate, type GateCaller } from '../limits/gate.ts';
import { SYSTEM_TURNS, WorkShares } from '../limits/work-shares.ts';
import { type PlaceShare, type RefusalReason, SharedPlaces } from '../limits/shared-places.ts';

/** How many requests may be in flight. */
export interface Overload {
  /** Requests that are processed at once. Each bucket is counted separately, up to as many. */
  readonly maxInside: number;
  /** Requests of each bucket that may wait for a place. */
  readonly maxWaiting: number;
  readonly after: After;
  /** Default: those of this thread. */
  readonly turns?: typeof SYSTEM_TURNS;
  readonly metrics: Metrics;
}

/** A request that has waited this long is refused, because its client does better to send it again. */
const MAX_WAIT_MS = 2_000;
const RETRY_AFTER_SECONDS = 1;

/**
 * Refuses requests when too many are in flight. Each caller has a share of the places and of the queue, see `Gate`.
 * A request takes its place when it has arrived completely and all other steps have let it pass, so that nobody holds a
 * place by sending slowly. Until then its body counts towards its caller's share of the arriving bytes.
 * Repeats of one request share one place. It is released when the last of them is answered, or, if its client has left,
 * when its work is done. Health and documentation need no place.
 */
export function addOverload(app: FastifyInstance, overload: Overload): void {
  const { maxInside, maxWaiting, after, metrics } = overload;
  const newGate = () => new Gate({ maxInside, maxWaiting, maxWaitMs: MAX_WAIT_MS }, after);
  const gates: Readonly<Record<Bucket, Gate>> = {
    main: newGate(),
    execute: newGate(),
    submit: newGate(),
  };
  const shared: Readonly<Record<Bucket, SharedPlaces>> = {
    main: new SharedPlaces(gates.main),
    execute: new SharedPlaces(gates.execute),
    submit: new SharedPlaces(gates.submit),
  };
  const refused = addGateMetrics(metrics, gates, overload);
  addArrivingBodies(app, refused);
  app.addHook('onRoute', noteWork);
  addWorkShares(app, overload);
  addStep(app, 'preValidation', (request, reply) => {
    const context = getRequestContext(request);
    // The client left while its limit was checked, so there is nobody to answer.
    if (context.hasFinished) return false;
    // The body has arrived, so its bytes are no longer reserved.
    release(context);
    if (!context.route.takesPlaces) return true;
    const { bucket } = context.route;
    const gate = gates[bucket];
    const { kind, id } = partyOf(context);
    const caller = gate.caller(kind, id);
    const key = context.route.repeatKey?.(request.body) ?? null;
    if (key === null && gate.tryEnter(caller)) {
      context.release = caller.leave;
      return true;
    }
    const refuse = (reason: RefusalReason) => {
      refused.add({ bucket });
      sendUnavailable(reply, MESSAGES[reason], RETRY_AFTER_SECONDS);
    };
    if (key === null) return (proceed) => waitFor(gate, caller, context, proceed, refuse);
    return (proceed) => joinPlace(shared[bucket], caller, key, context, proceed, refuse);
  });
}

const MESSAGES: Readonly<Record<RefusalReason, string>> = {
  full: 'Too many requests are under way; try again in a second',
  repeated: 'The same request is under way several times already; wait for its answer',
};

function waitFor(
  gate: Gate,
  caller: GateCaller,
  context: RequestContext,
  enter: () => void,
  refuse: (reason: RefusalReason) => void,
): void {
  let isInside = false;
  let stopWaiting = () => {};
  context.release = () => (isInside ? caller.leave() : stopWaiting());
  stopWaiting = gate.ask(
    caller,
    () => {
      isInside = true;
      enter();
    },
    () => refuse('full'),
  );
}

function joinPlace(
  places: SharedPlaces,
  caller: GateCaller,
  key: string,
  context: RequestContext,
  enter: () => void,
  refuse: (reason: RefusalReason) => void,
): void {
  let hasLeft = false;
  let place: PlaceShare | null = null;
  // The request may be answered before `join` returns.
  context.release = () => {
    hasLeft = true;
    place?.leave();
  };
  context.isKeptByWork = () => place?.isLast() === true;
  place = places.join(caller, key, enter, refuse);
  if (hasLeft) place.leave();
}

/**
 * Notes when the handler of a route with a `repeatKey` begins and ends. Such a handler continues after its client has
 * left, and keeps its place until it ends.
 */
function noteWork(route: RouteOptions): void {
  if (route.config?.repeatKey === undefined) return;
  const { handler } = route;
  route.handler = async function (request, reply) {
    const context = getRequestContext(request);
    context.isWorking = true;
    try {
      return await handler.call(this, request, reply);
    } finally {
      context.isWorking = false;
      if (context.hasFinished) release(context);
    }
  };
}

/** Shares the time of the thread between requests that need much of it: see `WorkShares`. */
function addWorkShares(app: FastifyInstance, { after, turns = SYSTEM_TURNS, metrics }: Overload): void {
  const refused = metrics.counter(
    'sluice_work_refused_total',
    'Requests refused with 503 because their work was above a fair share of the time of the instance.',
    ['caller'],
  );
  const shares = new WorkShares({
    ...turns,
    after,
    onRefused: (caller) => refused.add({ caller }),
  });
  addStep(app, 'preValidation', (request) => {
    const context = getRequestContext(request);
    context.beginWork = () => {
      const { kind, id } = partyOf(context);
      return shares.workOf(kind, id);
    };
    return true;
  });
  app.requestFinishedListeners.push((request) => {
    const { work, isWorking } = getRequestContext(request);
    if (!isWorking) work?.end();
  });
}

/** Reserves bytes for each arriving body, and releases them when the body is complete or its request ends. */
function addArrivingBodies(app: FastifyInstance, refused: Pick<Counter, 'add'>): void {
  const bodies = new ArrivingBodies();
  addStep(app, 'onRequest', (request, reply) => {
    if (!hasBodyToCome(request)) return true;
    const context = getRequestContext(request);
    const length = request.headers['content-length'];
    const { kind, id } = partyOf(context);
    const giveBack = bodies.reserve(
      kind,
      id,
      length === undefined ? null : Number(length),
      request.routeOptions.bodyLimit,
    );
    if (giveBack === null) {
      refused.add({ bucket: context.route.bucket });
      // The rest of the body is not read.
      if (request.raw.httpVersionMajor === 1) reply.header('connection', 'close');
      sendUnavailable(reply, MESSAGES.full, RETRY_AFTER_SECONDS);
      return false;
    }
    context.release = giveBack;
    return true;
  });
}

const WAITING_REQUESTS: Readonly<Record<Bucket, { readonly name: string; readonly what: string }>> = {
  main: { name: 'requests', what: 'Requests that wait for a place among those that are worked on' },
  execute: { name: 'executions', what: 'Executions that wait for a place among those that are worked on' },
  submit: {
    name: 'submissions',
    what: 'Submissions of transactions that wait for a place among those under way',
  },
};

/** Returns the counter of refusals, which the operator's overview shows beside the queues. */
function addGateMetrics(
  metrics: Metrics,
  gates: Readonly<Record<Bucket, Gate>>,
  { maxWaiting }: Pick<Overload, 'maxWaiting'>,
): Pick<Counter, 'add'> {
  const refusals: Record<string, number> = {};
  for (const [bucket, { name, what }] of Object.entries(WAITING_REQUESTS)) {
    metrics.queue({
      name,
      meaning: `${what}, for ${MAX_WAIT_MS / 1_000} seconds at most. What finds no place is refused with 503 and a retry-after.`,
      read: () => ({
        waiting: gates[bucket as Bucket].waiting,
        limit: maxWaiting,
        lost: refusals[bucket] ?? 0,
      }),
    });
  }
  const readings = (read: (gate: Gate) => number) => () =>
    Object.entries(gates).map(([bucket, gate]) => ({ labels: { bucket }, value: read(gate) }));
  metrics.gauge(
    'sluice_http_requests_under_way',
    'Requests that are being processed.',
    readings(({ inside }) => inside),
    ['bucket'],
  );
  metrics.gauge(
    'sluice_http_requests_waiting',
    'Requests that wait for a place.',
    readings(({ waiting }) => waiting),
    ['bucket'],
  );
  const refused = metrics.counter(
    'sluice_http_requests_refused_total',
    'Requests refused with 503 because too many were under way.',
    ['bucket'],
  );
  return {
    add: (labels = {}, amount = 1) => {
      refused.add(labels, amount);
      refusals[labels.bucket ?? ''] = (refusals[labels.bucket ?? ''] ?? 0) + amount;
    },
  };
}
