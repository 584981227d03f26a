import type { Address } from '../solana/address.ts';
import { randomUUID } from 'node:crypto';
import type { Chain } from '../chain/chain.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { repeatEvery, type Timers } from '../common/ports/timers.ts';
import type { WatchedAccountSource } from '../market/pools/watched-accounts.ts';
import type { LiveBooks } from './books/live-book.ts';
import type { Reservations, ReservedInventory } from './books/reservations.ts';
import type { SnapshotCluster } from './books/snapshot.ts';
import { type ClusterMakers, createClusterMakers } from './cluster/cluster-makers.ts';
import type { BookListing } from './cluster/shared-books.ts';
import { openSwapRouting } from './cluster/swap-routing.ts';
import type { FillExecution } from './fills/fill-execution.ts';
import type { FillRecords } from './fills/fill-records.ts';
import { openFills } from './fills/open-fills.ts';
import { recallReservations } from './fills/recalled-reservations.ts';
import type { BookLiquidity } from './liquidity/book-liquidity.ts';
import { openMakerMarket, type RfqPeers } from './maker-market.ts';
import { type MakerStreams, openMakerStreams } from './maker-streams.ts';
import type { MakerRecord, MakerStore } from './makers/maker.ts';
import type { MakerOwners } from './makers/maker-owners.ts';
import type { MakerScoring } from './makers/maker-scoring.ts';
import type { BreakerPolicy } from './makers/maker-state.ts';
import { type MakerTrades, createMakerTrades } from './makers/maker-trades.ts';
import type { Makers } from './makers/makers.ts';
import { createMakerMeters, type MakerMeters } from './makers/maker-meters.ts';
import type { MakerLink } from './streams/maker-link.ts';
import type { QuoteStreams } from './streams/quote-streams.ts';
import type { StreamEnd } from './streams/stream.ts';
import { SwapConnections } from './streams/swap-connections.ts';
import type { SwapStreams } from './streams/swap-streams.ts';
import type { RemoteHealthCheck } from '../common/ports/health-check.ts';

export { Reservations, type SignedClaim } from './books/reservations.ts';
export { FillExecution } from './fills/fill-execution.ts';
export { FillLog } from './fills/fill-log.ts';
export type { FillRecord, FillRecords, WebhookFillRecord, WebhookFillRecords } from './fills/fill-records.ts';
export { Settlement } from './fills/settlement.ts';
export { type WebhookEntry, type WebhookStore, Webhooks } from './webhooks/webhooks.ts';
export {
  BookLiquidity,
  MAX_CLOCK_DIFFERENCE_MS,
} from './liquidity/book-liquidity.ts';
export { JUPITER_RFQ_V2 } from './liquidity/book-venue.ts';
export type { RfqPeers } from './maker-market.ts';
export type { MakerOwners } from './makers/maker-owners.ts';
export type { FillVolume, MakerTrades } from './makers/maker-trades.ts';

export interface RfqOptions {
  readonly chain: WatchedAccountSource & Pick<Chain, 'genesisHash' | 'clock'>;
  /** Keeps what is remembered of makers across restarts. */
  readonly store: MakerStore;
  /** Keeps the fills. */
  readonly records: FillRecords;
  /** Checks that the records can be written. */
  readonly unhealthy: RemoteHealthCheck;
  readonly timers: Timers;
  /** Measures the deadlines of makers. It may give them more time while this process is paused. */
  readonly deadlines: Timers;
  readonly breaker: BreakerPolicy;
  /** Null if this is the only instance. */
  readonly peers: RfqPeers | null;
  readonly metrics: Metrics;
  /** What is counted of makers of both kinds. Default: it is registered with `metrics`. */
  readonly meters?: MakerMeters;
  /** The price of an atom of a mint in US dollars, as market data has it, for warnings; null if unknown. Default: none is known. */
  readonly dollarsPerAtom?: (mint: Address) => number | null;
  /**
   * Called when the store showed that a maker was removed: reads the operator's records again. The maker's streams end
   * afterwards, also if this fails. Default: nothing is read.
   */
  readonly refreshMakers?: () => Promise<void>;
  /** Milliseconds of a monotonic clock, which latencies are measured with. */
  readonly stopwatch: () => number;
  /** Called when something failed in the background. */
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers' side of the market. */
export interface Rfq {
  /** The order books of makers at this instance. */
  readonly ownBooks: LiveBooks;
  /** The order books of makers at all instances, with what makers are shown of them. */
  readonly allBooks: LiveBooks & BookListing;
  /** The reserved inventory of makers at all instances. */
  readonly reserved: ReservedInventory;
  /** The order books as liquidity for the router. */
  readonly liquidity: BookLiquidity;
  /** Executes takers' orders against makers. */
  readonly fills: FillExecution;
  /** Counts what orders and landed fills say about makers. */
  readonly trades: MakerTrades;
  /** Reserved inventory of makers at this instance. */
  readonly reservations: Reservations;
  /** Sends makers their swaps and the results. */
  readonly link: MakerLink;
  readonly scoring: MakerScoring;
  readonly makers: Makers;
  /** The makers of all instances, for the operator. */
  readonly clusterMakers: ClusterMakers;
  readonly owners: MakerOwners;
  /** The network whose name the makers' snapshots must carry. */
  readonly cluster: SnapshotCluster;
  readonly quoteStreams: QuoteStreams;
  readonly swapStreams: SwapStreams;
  /** The open swap streams, to send on them. */
  readonly swapConnections: SwapConnections;
  /** Applies the operator's records after each change; ends the streams of makers that were disabled. */
  readonly setRecords: (records: readonly MakerRecord[]) => void;
  /** Ends the streams of makers that the operator removed, gives up what they have not signed, and forgets them. */
  readonly removeMakers: (makerIds: readonly string[]) => void;
  /** Ends the streams of one maker. */
  readonly endStreams: (makerId: string, code: StreamEnd, reason: string) => void;
  /** Ends all streams because the service is shutting down. */
  readonly endAllStreams: () => void;
  /** Ends every stream and writes what is still unwritten. */
  readonly close: () => Promise<void>;
}

/**
 * Opens the makers' side of the market: the order books that makers stream, and the fills against them.
 * @throws Error if the store cannot be read
 */
export async function openRfq(options: RfqOptions): Promise<Rfq> {
  const { chain, store, records, timers, peers, metrics, breaker, stopwatch, onDefect } = options;
  const { refreshMakers = async () => {} } = options;
  const chainTime = () => chain.clock().unixTimestamp;
  const closing = new AbortController();
  const market = await openMakerMarket({
    chain,
    store,
    timers,
    breaker,
    peers,
    recall: async (makerId, reservations) => {
      if (peers === null) return;
      await recallReservations(makerId, {
        records,
        reservations,
        chainTime: chainTime(),
        timers,
        closing: closing.signal,
        onDefect: (error) => onDefect('recalled reservations', error),
      });
    },
    hasStream: (makerId) => streams.has(makerId),
    onLost: (makerId, isRemoved) => {
      if (!isRemoved) return streams.endMoved(makerId);
      const removedAs = makers.get(makerId)?.record.createdAt;
      // Its key must be refused before its streams end, so that it cannot come back.
      refreshMakers()
        .catch((error: unknown) => onDefect('makers', error))
        .finally(() => {
          // Another maker that was added under the same id may have streams by now.
          if (makers.get(makerId)?.record.createdAt === removedAs) streams.endRemoved(makerId);
        });
    },
    ...(options.dollarsPerAtom === undefined ? {} : { dollarsPerAtom: options.dollarsPerAtom }),
    onDefect,
  });
  const { makers, owners } = market;
  const connections = new SwapConnections(timers);
  const routing = openSwapRouting({
    connections,
    owners,
    requests: peers?.requests ?? null,
    timers,
    onDefect: (error) => onDefect('swaps', error),
  });
  const { link } = routing;
  const fills = openFills({
    market: market.allBooks,
    reservations: market.reservations,
    reserved: market.reserved,
    link,
    scoring: makers.reports,
    records,
    unhealthy: options.unhealthy,
    timers,
    deadlines: options.deadlines,
    every: repeatEvery,
    newUuid: randomUUID,
    findWallet: (makerId) => makers.get(makerId)?.record.address ?? null,
    chainTime,
    meters: options.meters ?? createMakerMeters(metrics),
    onDefect,
  });
  const { lastLook, onMoved } = routing.receive(fills.settlement);
  const streams: MakerStreams = openMakerStreams({
    market,
    connections,
    lastLook,
    refreshMakers,
    onMoved,
    timers,
    stopwatch,
    onDefect,
  });
  return {
    ownBooks: market.ownBooks,
    allBooks: market.allBooks,
    reserved: market.reserved,
    liquidity: fills.liquidity,
    fills: fills.execution,
    trades: createMakerTrades((makerId, news) => makers.reports.count(makerId, news)),
    reservations: market.reservations,
    link,
    scoring: makers.reports,
    makers,
    clusterMakers: createClusterMakers({ makers, owners, store }),
    owners,
    cluster: market.cluster,
    quoteStreams: streams.quoteStreams,
    swapStreams: streams.swapStreams,
    swapConnections: connections,
    setRecords: (given) => {
      makers.setRecords(given);
      for (const record of given) {
        const { id, enabled } = record;
        if (!enabled) streams.end(id, 'PERMISSION_DENIED', `the operator disabled the maker ${id}`);
        market.quotes.restrict(record);
      }
    },
    removeMakers: (makerIds) => {
      for (const id of makerIds) {
        streams.endRemoved(id);
        fills.settlement.withdrawMaker(id);
        market.quotes.remove(id);
        makers.remove(id);
      }
    },
    endStreams: streams.end,
    endAllStreams: streams.endAll,
    close: async () => {
      closing.abort();
      fills.close();
      streams.endAll();
      await market.close();
    },
  };
}
