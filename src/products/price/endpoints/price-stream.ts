import { Type } from 'typebox';
import { named, RefusalJson } from '../../named-schema.ts';
import { type Address, parseAddress } from '../../../solana/address.ts';
import type { MarketData } from '../../../market-data/market-data.ts';
import type { Trade } from '../../../market-data/trades/trade.ts';
import { EXAMPLE_MINTS } from '../../example-values.ts';
import { defineEndpoint, EventStream, type StreamEvent } from '../../endpoint.ts';
import { RequestRefused } from '../../../common/request-refused.ts';
import { defineQuery } from '../../parameters/parameter.ts';
import { ids } from './ids.ts';
import type { PriceServices } from './services.ts';

const QUERY = defineQuery({ ids: ids(50) });
/** The most trades that wait for a client. If there are more, the oldest are dropped, and their number is sent. */
const MAX_WAITING_TRADES = 1_000;

const StreamedPrice = named(
  'StreamedPrice',
  Type.Object({
    usdPrice: Type.Number(),
    blockId: Type.Union([Type.Integer(), Type.Null()]),
  }),
);
export type StreamedPriceJson = Type.Static<typeof StreamedPrice>;

const StreamedTrade = named(
  'StreamedTrade',
  Type.Object({
    pool: Type.Union([Type.String(), Type.Null()], {
      description: 'Null when a market maker filled the swap.',
    }),
    venue: Type.String(),
    inputMint: Type.String(),
    inputAmount: Type.String({ description: 'Base units that the trader paid.' }),
    outputMint: Type.String(),
    outputAmount: Type.String({ description: 'Base units that the trader received.' }),
    usdVolume: Type.Union([Type.Number(), Type.Null()]),
    trader: Type.Union([Type.String(), Type.Null()]),
    signature: Type.Union([Type.String(), Type.Null()]),
    blockId: Type.Integer(),
    timestamp: Type.Integer({ description: 'Unix seconds.' }),
    isRoundTrip: Type.Union([Type.Boolean(), Type.Null()]),
    isSandwich: Type.Union([Type.Boolean(), Type.Null()]),
  }),
);
export type StreamedTradeJson = Type.Static<typeof StreamedTrade>;

const MissedTrades = named('MissedTrades', Type.Object({ trades: Type.Integer() }));

export const priceStream = defineEndpoint({
  method: 'GET',
  path: '/price/v3/stream',
  operationId: 'StreamPrices',
  example: { query: { ids: EXAMPLE_MINTS.sol } },
  summary: 'Prices and trades as they happen',
  description:
    'Server-sent events. The first one, `prices`, has the prices of all mints that have one. Each later `prices` has those that changed; a client that reads slowly gets the newest only. Each `trade` is a swap of one of the mints; if more than 1,000 wait for the client, the oldest are left out, and `missed` says how many.',
  streams: true,
  credits: 1,
  query: QUERY.schema,
  responses: {
    200: Type.Union([Type.Record(Type.String(), StreamedPrice), StreamedTrade, MissedTrades]),
    400: RefusalJson,
  },
  handle: ({ marketData }: PriceServices, { query }) => {
    const mints = QUERY.reader(query)('ids').flatMap((id) => parseAddress(id) ?? []);
    if (mints.length === 0)
      throw new RequestRefused('ids must hold at least one mint; none of them is an address');
    return new EventStream((signal) => new PriceSubscription(marketData, mints).events(signal));
  },
});

/** The events that wait for one client. */
class PriceSubscription {
  readonly #marketData: MarketData;
  readonly #mints: readonly Address[];
  readonly #changed: Set<Address>;
  readonly #sent = new Map<Address, StreamedPriceJson>();
  #trades: Trade[] = [];
  #newestTrade: Trade | null = null;
  #missed = 0;
  #wake: () => void = () => undefined;

  constructor(marketData: MarketData, mints: readonly Address[]) {
    this.#marketData = marketData;
    this.#mints = mints;
    this.#changed = new Set(mints);
  }

  async *events(signal: AbortSignal): AsyncGenerator<StreamEvent> {
    const stop = this.#marketData.watch(this.#mints, (mint, trade) => this.#onChange(mint, trade));
    const onAbort = () => this.#wake();
    signal.addEventListener('abort', onAbort);
    try {
      yield { name: 'prices', data: this.#takePrices() };
      while (!signal.aborted) {
        const prices = this.#takePrices();
        if (Object.keys(prices).length > 0) yield { name: 'prices', data: prices };
        if (this.#missed > 0) yield { name: 'missed', data: { trades: this.#takeMissed() } };
        const trade = this.#trades.shift();
        if (trade !== undefined) yield { name: 'trade', data: toStreamedTradeJson(trade) };
        else if (this.#changed.size === 0) await this.#more(signal);
      }
    } finally {
      stop();
      signal.removeEventListener('abort', onAbort);
    }
  }

  #onChange(mint: Address, trade: Trade | null): void {
    this.#changed.add(mint);
    // A trade between two of the client's mints is reported for both of them.
    if (trade !== null && trade !== this.#newestTrade) {
      this.#newestTrade = trade;
      this.#trades.push(trade);
      if (this.#trades.length > MAX_WAITING_TRADES) {
        this.#trades.shift();
        this.#missed++;
      }
    }
    this.#wake();
  }

  #takePrices(): Record<string, StreamedPriceJson> {
    const prices: Record<string, StreamedPriceJson> = {};
    for (const mint of this.#changed) {
      const price = this.#marketData.price(mint);
      if (price === null) continue;
      const blockId = price.slot === null ? null : Number(price.slot);
      const sent = this.#sent.get(mint);
      if (sent?.usdPrice === price.usdPrice && sent.blockId === blockId) continue;
      const json = { usdPrice: price.usdPrice, blockId };
      this.#sent.set(mint, json);
      prices[mint] = json;
    }
    this.#changed.clear();
    return prices;
  }

  #takeMissed(): number {
    const missed = this.#missed;
    this.#missed = 0;
    return missed;
  }

  #more(signal: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve;
      if (signal.aborted) resolve();
    });
  }
}

function toStreamedTradeJson({
  pool,
  venue,
  paid,
  received,
  dollars,
  trader,
  signature,
  slot,
  time,
  ...flags
}: Trade): StreamedTradeJson {
  return {
    pool,
    venue,
    inputMint: paid.mint,
    inputAmount: String(paid.amount),
    outputMint: received.mint,
    outputAmount: String(received.amount),
    usdVolume: dollars,
    trader,
    signature,
    blockId: Number(slot),
    timestamp: time,
    isRoundTrip: flags.isRoundTrip,
    isSandwich: flags.isSandwich,
  };
}
