import { Readable } from 'node:stream';
import type { Timers } from '../../common/ports/timers.ts';
import type { StreamEvent } from '../../products/endpoint.ts';
import { formatEvent, KEEP_ALIVE, formatRetry } from './event-text.ts';

export interface EventBodyOptions {
  readonly first: IteratorResult<StreamEvent>;
  readonly events: AsyncIterator<StreamEvent>;
  /** Returns the data of the event `error` that ends the stream. */
  readonly dataOfError: (error: unknown) => unknown;
  /** Called once, when the stream has ended or its client has left. */
  readonly onEnd: () => void;
  /** Milliseconds after which an idle stream sends a comment, and after which a client that takes nothing is let go. */
  readonly keepAliveMs: number;
  /** Milliseconds after which the stream ends, so that the client asks again with its key. */
  readonly lifetimeMs: number;
  /** Milliseconds after which the client should open an ended stream again. */
  readonly retryMs: number;
  readonly timers: Pick<Timers, 'after'>;
}

/**
 * The body of an event stream. It asks for the next event when the client has taken the one before, so at most one waits
 * here, however slowly the client reads.
 */
export class EventBody extends Readable {
  readonly #options: EventBodyOptions;
  #cancelKeepAlive: () => void = () => undefined;
  readonly #cancelLifetime: () => void;
  #isAsking = false;
  #isWanted = false;
  #hasEnded = false;

  constructor(options: EventBodyOptions) {
    super({ highWaterMark: 1 });
    this.#options = options;
    this.#cancelLifetime = options.timers.after(options.lifetimeMs, () => this.finish());
    this.push(formatRetry(options.retryMs));
    this.#take(options.first);
  }

  /** Ends the stream after what was sent so far. */
  finish(): void {
    if (this.#hasEnded) return;
    this.#end();
    this.push(null);
  }

  override _read(): void {
    this.#isWanted = true;
    if (!this.#isAsking && !this.#hasEnded) void this.#ask();
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#end();
    callback(error);
  }

  async #ask(): Promise<void> {
    this.#isAsking = true;
    try {
      const next = await this.#options.events.next();
      this.#isAsking = false;
      this.#take(next);
    } catch (error) {
      this.#isAsking = false;
      if (this.#hasEnded) return;
      this.push(formatEvent({ name: 'error', data: this.#options.dataOfError(error) }));
      this.finish();
    }
  }

  #take({ done, value }: IteratorResult<StreamEvent>): void {
    if (this.#hasEnded) return;
    if (done === true) {
      this.finish();
      return;
    }
    this.#send(formatEvent(value));
  }

  #send(text: string): void {
    this.#isWanted = false;
    this.push(text);
    this.#expectReading();
  }

  /** Comments keep the connection alive until the next event. A client that takes nothing for that long is let go. */
  #expectReading(): void {
    this.#cancelKeepAlive();
    this.#cancelKeepAlive = this.#options.timers.after(this.#options.keepAliveMs, () => {
      if (this.#isWanted) this.#send(KEEP_ALIVE);
      else this.destroy();
    });
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#cancelKeepAlive();
    this.#cancelLifetime();
    this.#options.onEnd();
    // An iterator that waits ends by its signal; what it does after that concerns no client.
    Promise.resolve(this.#options.events.return?.()).catch(() => undefined);
  }
}
