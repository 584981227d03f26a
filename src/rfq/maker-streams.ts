import type { Timers } from '../common/ports/timers.ts';
import type { MakerMarket } from './maker-market.ts';
import type { OwnerHandlers } from './makers/maker-owners.ts';
import type { AsyncLastLook } from './streams/maker-link.ts';
import { QuoteStreams } from './streams/quote-streams.ts';
import type { StreamEnd } from './streams/stream.ts';
import type { SwapConnections } from './streams/swap-connections.ts';
import { SwapStreams } from './streams/swap-streams.ts';

export interface MakerStreamsOptions {
  readonly market: Pick<MakerMarket, 'makers' | 'owners' | 'quotes' | 'release'>;
  readonly connections: SwapConnections;
  /** Settles the swaps that makers return. */
  readonly lastLook: AsyncLastLook;
  /** Reads the operator's records again, by which the streams of makers end that were removed. */
  readonly refreshMakers: () => Promise<void>;
  /** Called when a maker has moved to another instance. */
  readonly onMoved: OwnerHandlers['moved'];
  readonly timers: Timers;
  /** Milliseconds of a monotonic clock, which latencies are measured with. */
  readonly stopwatch: () => number;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers' streams to this instance. */
export interface MakerStreams {
  readonly quoteStreams: QuoteStreams;
  readonly swapStreams: SwapStreams;
  /** Whether the maker has a stream to this instance. */
  readonly has: (makerId: string) => boolean;
  /** Ends the streams of a maker. */
  readonly end: (makerId: string, code: StreamEnd, reason: string) => void;
  /** Ends the streams of a maker that another instance owns. */
  readonly endMoved: (makerId: string) => void;
  /** Ends the streams of a maker that the operator removed. */
  readonly endRemoved: (makerId: string) => void;
  /** Ends all streams because the service is shutting down. */
  readonly endAll: () => void;
}

/** Opens the makers' streams, and begins to answer what other instances ask about makers. */
export function openMakerStreams(options: MakerStreamsOptions): MakerStreams {
  const { market, connections, lastLook, refreshMakers, onMoved, timers, stopwatch } = options;
  const { makers, owners, quotes, release } = market;
  const onDefect = (where: string) => (error: unknown) => options.onDefect(where, error);
  const quoteStreams = new QuoteStreams({
    quotes,
    makers,
    timers,
    stopwatch,
    onDefect: onDefect('quotes'),
    onGone: release,
  });
  const swapStreams = new SwapStreams({
    connections,
    makers,
    lastLook,
    timers,
    refreshMakers,
    onGone: release,
  });
  const end = (makerId: string, code: StreamEnd, reason: string) => {
    quoteStreams.end(makerId, code, reason);
    swapStreams.end(makerId, code, reason);
  };
  const endMoved = (makerId: string) =>
    end(
      makerId,
      'ABORTED',
      'another stream of the same maker, at another instance, took the place of this one',
    );
  const giveUp = (makerId: string) => {
    endMoved(makerId);
    return makers.ownership.released(makerId);
  };
  owners.serve({
    giveUp,
    lost: (makerId) => void giveUp(makerId).catch(onDefect('makers')),
    moved: onMoved,
    released: (makerIds) => void makers.reload(makerIds).catch(onDefect('makers')),
    handleReport: (makerId, news) => makers.reports.handleReport(makerId, news),
    readMakers: (makerIds) => makerIds.flatMap((makerId) => makers.owned(makerId) ?? []),
  });
  return {
    quoteStreams,
    swapStreams,
    has: (makerId) => connections.isLive(makerId) || quoteStreams.isLive(makerId),
    end,
    endMoved,
    endRemoved: (makerId) => end(makerId, 'UNAUTHENTICATED', `the operator removed the maker ${makerId}`),
    endAll: () => {
      for (const { record } of makers.all()) {
        end(record.id, 'UNAVAILABLE', 'the service is shutting down; connect again later');
      }
    },
  };
}
