import type { Timers } from '../../common/ports/timers.ts';
import type { Ack, MakerQuotes } from '../books/quotes.ts';
import type { Makers } from '../makers/makers.ts';
import type { Snapshot } from '../books/snapshot.ts';
import type { OutgoingStream, StreamEnd } from './stream.ts';
import { StreamRate } from './stream-rate.ts';

/** The service's side of a quote stream, with flow control. */
export interface QuoteOutgoing extends OutgoingStream<Ack> {
  /** Stops reading snapshots until `resume`. Snapshots that were read already are still delivered. */
  readonly pause: () => void;
  readonly resume: () => void;
}

/** The maker's side of an open stream. */
export interface QuoteStream {
  /** @param at - When the snapshot was received, in milliseconds of `performance.now()`. */
  readonly received: (snapshot: Snapshot, at: number) => void;
  /** Called when the stream is gone, whichever side ended it. */
  readonly closed: () => void;
}

export interface QuoteStreamsOptions {
  readonly quotes: MakerQuotes;
  readonly makers: Pick<Makers, 'acknowledged'>;
  readonly timers: Pick<Timers, 'now'>;
  /** Milliseconds of a monotonic clock, which latencies are measured with. */
  readonly stopwatch: () => number;
  readonly onDefect: (error: unknown) => void;
  /** Called when a maker's quote stream is gone. */
  readonly onGone: (makerId: string) => void;
}

/**
 * The makers' quote streams, one per maker: a newer stream replaces the older one. The snapshots of a stream are
 * answered one after another, in their order.
 */
export class QuoteStreams {
  readonly #options: QuoteStreamsOptions;
  readonly #streams = new Map<string, QuoteOutgoing>();
  readonly #rate: StreamRate;

  constructor(options: QuoteStreamsOptions) {
    this.#options = options;
    this.#rate = new StreamRate(options.timers, 'quote');
  }

  /** How many streams are open. */
  get size(): number {
    return this.#streams.size;
  }

  isLive(makerId: string): boolean {
    return this.#streams.has(makerId);
  }

  /** Returns the number of acks that the maker's connection has not accepted yet. */
  unread(makerId: string): number {
    return this.#streams.get(makerId)?.unread() ?? 0;
  }

  /**
   * Opens a maker's quote stream. If the maker has opened too many streams recently, `outgoing` is ended and every
   * snapshot is ignored.
   *
   * @example
   * ```ts
   * import type { Snapshot } from '../books/snapshot.ts';
   * import type { QuoteOutgoing, QuoteStreams } from './quote-streams.ts';
   *
   * function answer(streams: QuoteStreams, outgoing: QuoteOutgoing, snapshots: readonly Snapshot[]): void {
   *   const stream = streams.open('maker-1', outgoing);
   *   for (const snapshot of snapshots) stream.received(snapshot, performance.now());
   *   stream.closed();
   * }
   * ```
   */
  open(makerId: string, outgoing: QuoteOutgoing): QuoteStream {
    const refusal = this.#rate.refusal(makerId);
    if (refusal !== null) {
      outgoing.end('RESOURCE_EXHAUSTED', refusal);
      return { received: () => undefined, closed: () => undefined };
    }
    const before = this.#streams.get(makerId);
    this.#streams.set(makerId, outgoing);
    before?.end('ABORTED', 'another quote stream of the same maker took the place of this one');
    const waiting: { readonly snapshot: Snapshot; readonly at: number }[] = [];
    let busy = false;
    const isCurrent = () => this.#streams.get(makerId) === outgoing;
    const answerAll = async (first: Promise<Ack>, at: number) => {
      busy = true;
      outgoing.pause();
      try {
        this.#send(makerId, outgoing, await first, at);
        for (let next = waiting.shift(); next !== undefined && isCurrent(); next = waiting.shift()) {
          this.#send(makerId, outgoing, await this.#options.quotes.receive(makerId, next.snapshot), next.at);
        }
      } catch (error) {
        this.#options.onDefect(error);
        outgoing.end('UNAVAILABLE', 'the service failed to judge a snapshot; open the stream again');
      } finally {
        busy = false;
        outgoing.resume();
      }
    };
    return {
      received: (snapshot, at) => {
        if (!isCurrent()) return;
        if (busy) {
          waiting.push({ snapshot, at });
          return;
        }
        const ack = this.#options.quotes.receive(makerId, snapshot);
        if (ack instanceof Promise) void answerAll(ack, at);
        else this.#send(makerId, outgoing, ack, at);
      },
      closed: () => this.#close(makerId, outgoing),
    };
  }

  /** Ends the maker's stream, if it has one. */
  end(makerId: string, code: StreamEnd, reason: string): void {
    const stream = this.#streams.get(makerId);
    if (stream === undefined) return;
    this.#close(makerId, stream);
    stream.end(code, reason);
  }

  #close(makerId: string, outgoing: QuoteOutgoing): void {
    if (this.#streams.get(makerId) !== outgoing) return;
    this.#streams.delete(makerId);
    this.#options.onGone(makerId);
  }

  #send(makerId: string, outgoing: QuoteOutgoing, ack: Ack, at: number): void {
    outgoing.send(ack);
    this.#options.makers.acknowledged(makerId, this.#options.stopwatch() - at);
  }
}
