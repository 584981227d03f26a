import { randomUUID } from 'node:crypto';
import type { FastifyBaseLogger } from 'fastify';
import type { Chain } from '../chain/chain.ts';
import {
  beginFill,
  endFill,
  fillOfRequest,
  fillsEndedSince,
  type FillRow,
  forgetOldFills,
  signFill,
  unfinishedFills,
} from '../platform/makers/fills.ts';
import {
  BookLiquidity,
  claimOf,
  FillExecution,
  FillLog,
  type FillRecord,
  type FillRecords,
  type MakerTrades,
  Recording,
  type Reservations,
  type Rfq,
  Settlement,
} from '../rfq/index.ts';
import type { RecordedState } from '../rfq/fills/fill-state.ts';
import type { Metrics } from '../common/ports/metrics.ts';
import { orderOf } from '../products/swap/execution/order-text.ts';
import type { Store } from '../store/index.ts';
import { every, type Timers } from '../common/ports/timers.ts';

export interface OpenFillsOptions {
  readonly rfq: Pick<
    Rfq,
    'market' | 'reservations' | 'reserved' | 'link' | 'conduct' | 'trades' | 'settleBy'
  >;
  readonly chain: Pick<Chain, 'clock'>;
  readonly store: Store;
  readonly timers: Timers;
  /** By which makers must have signed. */
  readonly deadlines: Timers;
  readonly logger: Pick<FastifyBaseLogger, 'error'>;
  readonly metrics: Metrics;
}

/** What orders need to trade with makers. */
export interface OpenFills {
  readonly books: BookLiquidity;
  readonly fills: FillExecution;
  readonly reservations: Reservations;
  readonly trades: MakerTrades;
  readonly close: () => void;
}

/** Up to the deadline. */
const LAST_LOOK_BUCKETS = [0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/** Joins the makers' streams, what is promised of their inventory, and the swaps that wait for them. */
export async function openFills({
  rfq,
  chain,
  store,
  timers,
  deadlines,
  logger,
  metrics,
}: OpenFillsOptions): Promise<OpenFills> {
  const now = () => timers.now();
  const chainTime = () => chain.clock().unixTimestamp;
  await forgetOldFills(store, now());
  const { reservations } = rfq;
  const recording = new Recording({
    records: recordsIn(store, now),
    unhealthy: store.unhealthy,
    every,
  });
  const canRecord = () => recording.works;
  const books = new BookLiquidity(rfq.market, rfq.reserved, now, chainTime, canRecord);
  const lastLook = metrics.histogram(
    'sluice_rfq_last_look_seconds',
    'Seconds from the push of a swap until its maker had signed it.',
    LAST_LOOK_BUCKETS,
    ['maker'],
  );
  const onDefect = (error: unknown) =>
    logger.error({ err: error }, 'a swap with a maker could not be recorded');
  const log = new FillLog({ records: recording.records, onDefect });
  const settlement = new Settlement({
    link: rfq.link,
    conduct: rfq.conduct,
    log,
    reservations,
    timers: deadlines,
    newUuid: randomUUID,
    chainTime,
    onDefect,
    noteLastLook: (maker, milliseconds) => lastLook.observe(milliseconds / 1_000, { maker }),
  });
  const fills = new FillExecution({
    settlement,
    log,
    link: rfq.link,
    timers,
    onDefect: (error) =>
      logger.error({ err: error }, 'the end of a swap with a maker could not be found out'),
  });
  rfq.settleBy(settlement);
  const close = () => {
    recording.close();
    books.close();
  };
  return { books, fills, reservations, trades: rfq.trades, close };
}

/** Reserves what another instance, which may be gone, has reserved of a maker that comes to this one. */
export async function recallReservations(
  makerId: string,
  store: Store,
  reservations: Reservations,
  chainTime: bigint,
): Promise<void> {
  for (const { swapUuid, order } of await unfinishedFills(store, makerId)) {
    const { coSigner: terms } = orderOf(order);
    if (terms === undefined) continue;
    // The fill may land during the whole of its last second.
    reservations.recall(claimOf(swapUuid, terms), Number(terms.expireAt - chainTime + 1n) * 1_000);
  }
}

export function recordsIn(store: Store, now: () => number): FillRecords {
  return {
    begin: (record) => beginFill(store, { ...record, state: 'offered' satisfies RecordedState }),
    sign: (swapUuid, signed) =>
      signFill(store, swapUuid, signed, {
        from: 'offered' satisfies RecordedState,
        to: 'landing' satisfies RecordedState,
      }),
    end: (swapUuid, { from, ...end }) => endFill(store, swapUuid, { ...end, endedAt: now() }, from),
    byRequest: async (requestId) => {
      const row = await fillOfRequest(store, requestId);
      return row === null ? null : recordOf(row);
    },
    unfinished: async () => (await unfinishedFills(store)).map(recordOf),
    endedSince: async (since) => (await fillsEndedSince(store, since)).map(recordOf),
  };
}

/** Only states of the market's are ever written. */
function recordOf(row: FillRow): FillRecord {
  return { ...row, state: row.state as RecordedState };
}
