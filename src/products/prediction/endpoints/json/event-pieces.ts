import type { Work } from '../../../../common/work/work.ts';
import { getEventProvider } from '../../../../predictions/lists/event-lists.ts';
import type { TradedVolume } from '../../../../predictions/lists/prediction-lists.ts';
import type {
  PredictionEvent,
  PredictionEvents,
  PredictionExchange,
} from '../../../../predictions/prediction.ts';
import { type EventJsonSources, toEventJson } from './event-json.ts';

export interface EventPiecesOptions extends EventJsonSources {
  readonly events: Pick<PredictionEvents, 'findMarket' | 'onChange'>;
  readonly exchange: EventJsonSources['exchange'] & Pick<PredictionExchange, 'onChange'>;
  /** Returns the time of the chain in Unix seconds. */
  readonly now: () => number;
}

interface Piece {
  readonly bytes: Buffer;
  readonly event: PredictionEvent;
  readonly volume: TradedVolume;
  /** Unix seconds from which on the text is another one, because something opens, begins or closes. */
  readonly changesAt: number;
}

/** Pieces of a list that one turn of the event loop copies. */
const PIECES_PER_UNIT = 8;
const [COMMA, NOTHING] = [Buffer.from(','), Buffer.from('')];

/**
 * The JSON of events, which is kept as bytes until something in it changes: the event, a price, what was traded, or the time
 * at which something opens, begins or closes. Lists are put together from it.
 */
export class EventPieces {
  readonly #options: EventPiecesOptions;
  readonly #plain = new Map<string, Piece>();
  readonly #withMarkets = new Map<string, Piece>();
  readonly #stops: readonly (() => void)[];

  constructor(options: EventPiecesOptions) {
    this.#options = options;
    const forget = (eventId: string) => {
      this.#plain.delete(eventId);
      this.#withMarkets.delete(eventId);
    };
    this.#stops = [
      options.events.onChange(forget),
      options.exchange.onChange((marketId) => {
        const market = options.events.findMarket(marketId);
        if (market !== null) this.#withMarkets.delete(market.eventId);
      }),
    ];
  }

  close(): void {
    for (const stop of this.#stops) stop();
  }

  /** Returns the JSON of an event. */
  get(event: PredictionEvent, hasMarkets: boolean): Buffer {
    const { lists, now } = this.#options;
    // The prices of forecasts change with their feed and the time.
    const isKept = !hasMarkets || getEventProvider(event) !== 'bisonfi';
    const pieces = hasMarkets ? this.#withMarkets : this.#plain;
    const known = pieces.get(event.eventId);
    const volume = lists.volumeOfEvent(event.eventId);
    const at = now();
    if (
      known !== undefined &&
      known.event === event &&
      at < known.changesAt &&
      isSame(known.volume, volume)
    ) {
      return known.bytes;
    }
    const json = toEventJson(this.#options, event, { now: at, volume, hasMarkets });
    const bytes = Buffer.from(JSON.stringify(json));
    if (isKept) pieces.set(event.eventId, { bytes, event, volume, changesAt: findNextChange(event, at) });
    return bytes;
  }

  /**
   * Puts a list together.
   * @param head - What stands before the items, such as `{"data":[`.
   * @param tail - What stands after them.
   */
  async list(
    events: readonly PredictionEvent[],
    hasMarkets: boolean,
    { head, tail, work }: { readonly head: string; readonly tail: string; readonly work: Work },
  ): Promise<Buffer> {
    const parts: Buffer[] = [Buffer.from(head)];
    for (const [index, event] of events.entries()) {
      const turn = index % PIECES_PER_UNIT === 0 ? work.take(1) : null;
      if (turn !== null) await turn;
      parts.push(index === 0 ? NOTHING : COMMA, this.get(event, hasMarkets));
    }
    parts.push(Buffer.from(tail));
    return Buffer.concat(parts);
  }
}

function isSame(one: TradedVolume, other: TradedVolume): boolean {
  return one.total === other.total && one.day === other.day;
}

function findNextChange({ beginAt, closeAt, markets }: PredictionEvent, now: number): number {
  let next = Number.POSITIVE_INFINITY;
  const consider = (time: number) => {
    if (time > now && time < next) next = time;
  };
  if (beginAt !== null) consider(beginAt);
  consider(closeAt);
  for (const market of markets) {
    consider(market.openAt);
    consider(market.closeAt);
  }
  return next;
}
