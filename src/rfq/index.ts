import type { Chain } from '../chain/chain.ts';
import type { AccountSource } from '../market/pools/watched-accounts.ts';
import type { Instances } from '../common/ports/instances.ts';
import type { Broadcast } from '../common/ports/relay.ts';
import type { Timers } from '../common/ports/timers.ts';
import { Books, bookVersions } from './books/books.ts';
import { Inventory } from './books/inventory.ts';
import type { LiveBooks } from './books/live-book.ts';
import { exchangeBooks, ownBooksOnly, type ShownBooks } from './cluster/shared-books.ts';
import { Reservations, type ReservedInventory, type SignedClaim } from './books/reservations.ts';
import type { MakerRecord, MakerStore } from './makers/maker.ts';
import type { MakerScoring } from './makers/maker-scoring.ts';
import { type OwnerDuties, type MakerOwners, SOLE_OWNER } from './makers/maker-owners.ts';
import type { LastLook, MakerLink } from './streams/maker-link.ts';
import type { BreakerPolicy } from './makers/maker-state.ts';
import { type MakerTrades, makerTrades } from './makers/maker-trades.ts';
import { Makers } from './makers/makers.ts';
import { type ClusterMakers, clusterMakers } from './cluster/cluster-makers.ts';
import { MigratedFills } from './cluster/migrated-fills.ts';
import { QuoteStreams } from './streams/quote-streams.ts';
import { Quotes } from './books/quotes.ts';
import type { Cluster } from './books/snapshot.ts';
import type { StreamEnd } from './streams/stream.ts';
import { SwapStreams } from './streams/swap-streams.ts';

export { type Beside, BookLiquidity } from './liquidity/book-liquidity.ts';
export { JUPITER_RFQ_V2, SETTLING_SECONDS } from './liquidity/book-venue.ts';
export type { FillRecord, FillRecords } from './fills/fill-records.ts';
export { Recording } from './fills/recording.ts';
export { type FillTerms, fillTermsOf } from './liquidity/fill-terms.ts';
export type { FillVolume, MakerTrades } from './makers/maker-trades.ts';
export { Reservations, type SignedClaim };
export type { FillRequest, Prospects } from './fills/co-signing.ts';
export { claimOf } from './fills/fill.ts';
export { FillExecution, type FillSubmission, type Found, type Submitted } from './fills/fill-execution.ts';
export { FillLog } from './fills/fill-log.ts';
export { Settlement } from './fills/settlement.ts';
export type { MakerOwners as MakerHomes } from './makers/maker-owners.ts';
export { LeasedOwners as SharedHomes } from './cluster/leased-owners.ts';

export interface RfqOptions {
  readonly chain: AccountSource & Pick<Chain, 'genesisHash'>;
  readonly store: MakerStore;
  readonly timers: Timers;
  readonly breaker: BreakerPolicy;
  /** Absent where there are no other instances. */
  readonly others?: {
    readonly homes: MakerOwners;
    readonly instances: Instances;
    readonly broadcast: Broadcast;
  };
  /** Reserves what another process, which may be gone, has reserved of a maker that comes to this one. */
  readonly recall?: (makerId: string, reservations: Reservations) => Promise<void>;
  /** What latencies are measured by, in milliseconds. */
  readonly stopwatch: () => number;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers' side of the market. */
export interface Rfq {
  /** For whoever trades with makers: the books that are here, the way to their makers, and where their conduct is told. */
  readonly books: LiveBooks;
  /** Those, and the books of makers at other instances, for quotes. */
  readonly market: LiveBooks;
  /** What is reserved of the inventory of the makers that are here. */
  readonly reservations: Reservations;
  /** What is reserved of the inventory of all makers. */
  readonly reserved: ReservedInventory;
  readonly link: MakerLink;
  readonly conduct: MakerScoring;
  readonly trades: MakerTrades;
  /** From now on this settles what makers return; without one, no swap waits for a maker. */
  readonly settleBy: (lastLook: LastLook) => void;
  /** For the servers that makers connect to. */
  readonly makers: Makers;
  /** For the operator, who asks any instance. */
  readonly everywhere: ClusterMakers;
  readonly homes: MakerOwners;
  readonly listed: ShownBooks;
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

export async function openRfq({
  chain,
  store,
  timers,
  breaker,
  others,
  recall,
  ...options
}: RfqOptions): Promise<Rfq> {
  const onDefect = (where: string) => (error: unknown) => options.onDefect(where, error);
  const homes = others?.homes ?? SOLE_OWNER;
  const nextVersion = bookVersions();
  const books = new Books(timers, nextVersion);
  const reservations = new Reservations(books, () => timers.now());
  const hasStream = (makerId: string) => swapStreams.isLive(makerId) || quoteStreams.isLive(makerId);
  const makers = await Makers.open({
    store,
    homes,
    timers,
    breaker,
    hasStream,
    recall: async (makerId) => recall?.(makerId, reservations),
    onLost: (makerId) => endStreamsElsewhere(makerId, endStreams),
    onDefect: onDefect('makers'),
  });
  const exchange =
    others === undefined
      ? ownBooksOnly(books, reservations)
      : await exchangeBooks({
          own: books,
          ownReserved: reservations,
          self: others.instances.self,
          broadcast: others.broadcast,
          timers,
          nextVersion,
          onDefect: onDefect('books'),
        });
  const inventory = new Inventory(chain);
  // Every network but devnet is dealt with as mainnet: the embedded one stands in for it.
  const cluster = chain.genesisHash === DEVNET_GENESIS ? 'devnet' : 'mainnet';
  const quotes = new Quotes({ makers, books, inventory, timers, cluster });
  const onGone = (makerId: string) => {
    if (hasStream(makerId)) return;
    inventory.release(makerId);
    makers.disown(makerId);
  };
  const { stopwatch } = options;
  const quoteStreams = new QuoteStreams({
    quotes,
    makers,
    timers,
    stopwatch,
    onDefect: onDefect('quotes'),
    onGone,
  });
  const swapStreams = new SwapStreams(makers, timers, onGone);
  const endStreams = (makerId: string, code: StreamEnd, reason: string) => {
    quoteStreams.end(makerId, code, reason);
    swapStreams.end(makerId, code, reason);
  };
  const moved =
    others === undefined
      ? null
      : new MigratedFills({ ...others, streams: swapStreams, timers, onDefect: onDefect('swaps') });
  homes.serve({
    ...dutiesOf(makers, endStreams, onDefect('makers')),
    moved: (makerId, instance) => moved?.follow(makerId, instance),
  });
  const endAllStreams = () => {
    for (const { record } of makers.all()) {
      endStreams(record.id, 'UNAVAILABLE', 'the service is shutting down; connect again later');
    }
  };
  return {
    books,
    market: exchange.market,
    listed: exchange.market,
    reservations,
    reserved: exchange.reserved,
    link: moved ?? swapStreams,
    conduct: makers.reports,
    trades: makerTrades((makerId, news) => makers.reports.count(makerId, news)),
    everywhere: clusterMakers({ makers, homes, store }),
    makers,
    homes,
    cluster,
    quoteStreams,
    swapStreams,
    endStreams,
    settleBy: (lastLook) => (moved ?? swapStreams).settleBy(lastLook),
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
      exchange.close();
      books.close();
      inventory.close();
      await makers.close();
      await homes.close();
    },
  };
}

/** Ends the streams of a maker that another instance owns. */
function endStreamsElsewhere(makerId: string, endStreams: Rfq['endStreams']): void {
  const reason = 'another stream of the same maker, at another instance, took the place of this one';
  endStreams(makerId, 'ABORTED', reason);
}

/** What other instances ask of this one. */
function dutiesOf(
  makers: Makers,
  endStreams: Rfq['endStreams'],
  onDefect: (error: unknown) => void,
): Omit<OwnerDuties, 'moved'> {
  return {
    giveUp: (makerId) => {
      endStreamsElsewhere(makerId, endStreams);
      return makers.ownership.gone(makerId);
    },
    lose: (makerId) => {
      makers.ownership.drop(makerId);
      endStreamsElsewhere(makerId, endStreams);
    },
    freed: (makerIds) => void makers.reread(makerIds).catch(onDefect),
    told: (makerId, news) => makers.reports.told(makerId, news),
    asked: (makerIds) => makerIds.flatMap((makerId) => makers.atHome(makerId) ?? []),
  };
}
