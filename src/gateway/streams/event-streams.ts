import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Metrics } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { type Party, runAs } from '../../common/party.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { EventStream, StreamEvent } from '../../products/endpoint.ts';
import { type GatewayErrorBody, sendUnavailable } from '../http/errors.ts';
import { Gate } from '../limits/gate.ts';
import { onRequestFinished } from '../pipeline/in-flight-requests.ts';
import { partyOf, getRequestContext } from '../pipeline/request/request-context.ts';
import { EventBody } from './event-body.ts';
import { EVENT_STREAM_TYPE } from './event-text.ts';

export interface EventStreamsOptions {
  /** Streams that may be open at once; each caller has a share of them. */
  readonly maxStreams: number;
  /** Streams that one organisation, or one network without a key, may have open at once. */
  readonly maxOfCaller: number;
  readonly keepAliveMs: number;
  readonly lifetimeMs: number;
  readonly timers: Pick<Timers, 'after'>;
  readonly metrics: Metrics;
}

const DEFAULT_MAX_STREAMS = 1_000;
const DEFAULT_MAX_OF_CALLER = 100;
const KEEP_ALIVE_MS = 15_000;
/** A key that was revoked gets no more after this time. */
const LIFETIME_MS = 600_000;
const RETRY_MS = 1_000;
const RETRY_AFTER_SECONDS = 10;

/** The open event streams. Each has a place of its caller's share, which it keeps until it ends. */
export class EventStreams {
  readonly #options: EventStreamsOptions;
  readonly #gate: Gate;
  readonly #open = new Set<{ readonly end: () => void }>();
  #isClosed = false;

  constructor({ metrics, ...options }: Partial<EventStreamsOptions> & Pick<EventStreamsOptions, 'metrics'>) {
    this.#options = {
      maxStreams: DEFAULT_MAX_STREAMS,
      maxOfCaller: DEFAULT_MAX_OF_CALLER,
      keepAliveMs: KEEP_ALIVE_MS,
      lifetimeMs: LIFETIME_MS,
      timers: SYSTEM_TIMERS,
      metrics,
      ...options,
    };
    const { maxStreams, timers } = this.#options;
    this.#gate = new Gate({ maxInside: maxStreams, maxWaiting: 0, maxWaitMs: 0 }, timers.after);
    metrics.gauge('sluice_http_event_streams', 'Event streams that are open.', () => this.#gate.inside);
    metrics.streams({
      name: 'event streams',
      meaning:
        'Streams of server-sent events of clients and pages. Each caller has a share; further ones are refused with 503.',
      read: () => ({ open: this.#gate.inside, limit: maxStreams }),
    });
  }

  /**
   * Waits for the first event, and then sends the stream.
   *
   * Returns what the handler of the route returns.
   * @throws what the iterable throws before its first event
   */
  async send(stream: EventStream, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const party = partyOf(getRequestContext(request));
    const caller = this.#gate.caller(party.kind, party.id);
    if (this.#isClosed || caller.inside >= this.#options.maxOfCaller || !this.#gate.tryEnter(caller)) {
      return sendUnavailable(
        reply,
        'Too many event streams are open; close one, or try again later',
        RETRY_AFTER_SECONDS,
      );
    }
    const abort = new AbortController();
    const entry = { end: () => leave() };
    const leave = () => {
      if (!this.#open.delete(entry)) return;
      caller.leave();
      abort.abort();
    };
    this.#open.add(entry);
    onRequestFinished(request, reply, leave);
    try {
      const events = iterateFor(party, stream.events(abort.signal));
      const first = await readFirstEvent(events, abort.signal);
      const body = this.#bodyOf(events, first, leave, request);
      entry.end = () => body.finish();
      reply.header('cache-control', 'no-cache, no-transform').header('x-accel-buffering', 'no');
      return reply.type(EVENT_STREAM_TYPE).send(body);
    } catch (error) {
      leave();
      throw error;
    }
  }

  /** Ends all streams after what they sent so far, and refuses further ones. */
  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { end } of [...this.#open]) end();
  }

  #bodyOf(
    events: AsyncIterator<StreamEvent>,
    first: IteratorResult<StreamEvent>,
    onEnd: () => void,
    request: FastifyRequest,
  ): EventBody {
    const { keepAliveMs, lifetimeMs, timers } = this.#options;
    return new EventBody({
      first,
      events,
      onEnd,
      keepAliveMs,
      lifetimeMs,
      retryMs: RETRY_MS,
      timers,
      dataOfError: (error) => toErrorData(error, request),
    });
  }
}

/** Later events are requested when the client has taken those before, which is nobody's work otherwise. */
function iterateFor(party: Party, events: AsyncIterable<StreamEvent>): AsyncIterator<StreamEvent> {
  const iterator = events[Symbol.asyncIterator]();
  return {
    next: () => runAs(party, () => iterator.next()),
    return: async (value) =>
      (await runAs(party, () => iterator.return?.(value))) ?? { done: true, value: undefined },
  };
}

/** Returns the first event. If the client has left or the server stops, the stream is over. */
async function readFirstEvent(
  events: AsyncIterator<StreamEvent>,
  signal: AbortSignal,
): Promise<IteratorResult<StreamEvent>> {
  try {
    const first = await events.next();
    if (!signal.aborted) return first;
  } catch (error) {
    if (!signal.aborted) throw error;
  }
  return { done: true, value: undefined };
}

/** Returns the data of the event that ends a stream. A defect is logged, and the client learns only the request id. */
function toErrorData(error: unknown, { id, log }: FastifyRequest): GatewayErrorBody {
  if (error instanceof Unavailable) return { code: 503, message: error.message };
  log.error({ err: error }, 'an event stream failed');
  return { code: 500, message: `Internal server error; the request id is ${id}` };
}
