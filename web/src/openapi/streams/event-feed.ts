import { JsonLineParser } from './json-lines.ts';
import { ServerSentEventParser } from './server-sent-events.ts';

/** One event of a stream, whatever the form of the stream is. */
export interface FeedEvent {
  /** Null for a line of JSON, which has no type. */
  readonly type: string | null;
  readonly data: string;
}

/** An event of more characters cannot be kept, let alone read. */
const MAX_EVENT_LENGTH = 4_000_000;

/** Parses the events of a stream from its pieces. */
export class EventFeed {
  readonly #events: ServerSentEventParser | null;
  readonly #lines = new JsonLineParser();
  /** The characters since the last event. */
  #length = 0;

  /** @param isServerSent - Whether the stream has server-sent events; otherwise it has lines of JSON. */
  constructor(isServerSent: boolean) {
    this.#events = isServerSent ? new ServerSentEventParser() : null;
  }

  /**
   * Returns the events that a piece has completed.
   * @throws Error if the stream sends more than an event may have, without ending it
   */
  read(piece: string): readonly FeedEvent[] {
    const events = this.#parse(piece);
    this.#length = events.length > 0 ? 0 : this.#length + piece.length;
    if (this.#length > MAX_EVENT_LENGTH)
      throw new Error('The stream has sent 4 million characters without the end of an event.');
    return events;
  }

  /** Returns what is left when the stream has ended. */
  end(): readonly FeedEvent[] {
    return this.#events === null ? this.#lines.end().map(toLineEvent) : [];
  }

  #parse(piece: string): readonly FeedEvent[] {
    if (this.#events === null) return this.#lines.read(piece).map(toLineEvent);
    return this.#events.read(piece).map(({ type, data }) => ({ type, data }));
  }
}

function toLineEvent(data: string): FeedEvent {
  return { type: null, data };
}
