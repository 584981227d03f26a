import type { Chain } from '../chain/chain.ts';
import type { AccountSource } from '../market/watched-accounts.ts';
import type { Timers } from '../timers.ts';
import { Books } from './books.ts';
import { Inventory } from './inventory.ts';
import type { LiveBooks } from './live-book.ts';
import type { MakerRecord, MakerStore } from './maker.ts';
import type { MakerConduct } from './maker-conduct.ts';
import type { LastLook, MakerLink } from './maker-link.ts';
import type { BreakerPolicy } from './maker-state.ts';
import { type MakerTrades, makerTrades } from './maker-trades.ts';
import { Makers } from './makers.ts';
import { QuoteStreams } from './quote-streams.ts';
import { Quotes } from './quotes.ts';
import type { Cluster } from './snapshot.ts';
import type { StreamEnd } from './stream.ts';
import { SwapStreams } from './swap-streams.ts';

export { type Beside, BookLiquidity } from './book-liquidity.ts';
export { JUPITER_RFQ_V2, SETTLING_SECONDS } from './book-venue.ts';
export type { FillRecord, FillRecords } from './fill-records.ts';
export { type FillTerms, fillTermsOf } from './fill-terms.ts';
export type { FillVolume, MakerTrades } from './maker-trades.ts';
export { Reservations } from './reservations.ts';
export type { CoSigned } from './co-signing.ts';
export { Settlement } from './settlement.ts';

export interface RfqOptions {
  readonly chain: AccountSource & Pick<Chain, 'genesisHash'>;
  readonly store: MakerStore;
  readonly timers: Timers;
  readonly breaker: BreakerPolicy;
  /** What latencies are measured by, in milliseconds. */
  readonly stopwatch: () => number;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers' side of the market. */
export interface Rfq {
  /** For whoever trades with makers: the books, the way to their makers, and where their conduct is told. */
  readonly books: LiveBooks;
  readonly link: MakerLink;
  readonly conduct: MakerConduct;
  readonly trades: MakerTrades;
  /** From now on this settles what makers return; without one, no swap waits for a maker. */
  readonly settleBy: (lastLook: LastLook) => void;
  /** For the servers that makers connect to. */
  readonly makers: Makers;
  readonly listed: Books;
  readonly cluster: Cluster;
  readonly quoteStreams: QuoteStreams;
  readonly swapStreams: SwapStreams;
  /** Takes over the operator's records, as often as they change; streams of makers that were disabled end. */
  readonly take: (records: readonly MakerRecord[]) => void;
  readonly endStreams: (makerId: string, code: StreamEnd, reason: string) => void;
  /** Tells every maker that the service is going. */
  readonly endAllStreams: () => void;
  /** Ends every stream and writes what is to be remembered. */
  readonly close: () => Promise<void>;
}

const DEVNET_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

export async function openRfq({ chain, store, timers, breaker, ...options }: RfqOptions): Promise<Rfq> {
  const onDefect = (where: string) => (error: unknown) => options.onDefect(where, error);
  const makers = await Makers.open({ store, timers, breaker, onDefect: onDefect('makers') });
  const books = new Books(timers);
  const inventory = new Inventory(chain);
  // Every network but devnet is dealt with as mainnet: the embedded one stands in for it.
  const cluster = chain.genesisHash === DEVNET_GENESIS ? 'devnet' : 'mainnet';
  const quotes = new Quotes({ makers, books, inventory, timers, cluster });
  const onGone = (makerId: string) => {
    if (hasStream(makerId)) return;
    inventory.release(makerId);
    makers.disown(makerId);
  };
  const hasStream = (makerId: string) => swapStreams.isLive(makerId) || quoteStreams.isLive(makerId);
  makers.followStreams(hasStream);
  const { stopwatch } = options;
  const quoteStreams = new QuoteStreams({ quotes, makers, stopwatch, onDefect: onDefect('quotes'), onGone });
  const swapStreams = new SwapStreams(makers, timers, onGone);
  const endStreams = (makerId: string, code: StreamEnd, reason: string) => {
    quoteStreams.end(makerId, code, reason);
    swapStreams.end(makerId, code, reason);
  };
  const endAllStreams = () => {
    for (const { record } of makers.all()) {
      endStreams(record.id, 'UNAVAILABLE', 'the service is shutting down; connect again later');
    }
  };
  return {
    ...{
      books,
      listed: books,
      link: swapStreams,
      conduct: makers,
      trades: makerTrades((makerId, change) => makers.count(makerId, change)),
      makers,
      cluster,
      quoteStreams,
      swapStreams,
    },
    ...{ endStreams, settleBy: (lastLook) => swapStreams.settleBy(lastLook) },
    take: (records) => {
      makers.take(records);
      for (const { id, enabled } of records) {
        if (!enabled) endStreams(id, 'PERMISSION_DENIED', `the operator disabled the maker ${id}`);
      }
    },
    endAllStreams,
    close: async () => {
      endAllStreams();
      quotes.close();
      books.close();
      inventory.close();
      await makers.close();
    },
  };
}
