import type { RemoteHealthCheck } from '../../common/ports/health-check.ts';
import type { Timers } from '../../common/ports/timers.ts';
import type { Address } from '../../solana/address.ts';
import type { LiveBooks } from '../books/live-book.ts';
import type { Reservations, ReservedInventory } from '../books/reservations.ts';
import { BookLiquidity } from '../liquidity/book-liquidity.ts';
import type { MakerScoring } from '../makers/maker-scoring.ts';
import type { MakerMeters } from '../makers/maker-meters.ts';
import type { MakerLink } from '../streams/maker-link.ts';
import { FillExecution } from './fill-execution.ts';
import { FillLog } from './fill-log.ts';
import type { FillRecords } from './fill-records.ts';
import { RecordingHealth } from './recording-health.ts';
import { Settlement } from './settlement.ts';

export interface FillsOptions {
  /** The order books of makers at all instances. */
  readonly market: LiveBooks;
  /** Reserved inventory of makers at this instance. */
  readonly reservations: Reservations;
  /** Reserved inventory of makers at all instances. */
  readonly reserved: ReservedInventory;
  readonly link: MakerLink;
  readonly scoring: MakerScoring;
  readonly records: FillRecords;
  /** Checks that the records can be written. */
  readonly unhealthy: RemoteHealthCheck;
  readonly timers: Timers;
  /** Measures the deadlines of makers. */
  readonly deadlines: Timers;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  readonly newUuid: () => string;
  /** Returns the wallet of the maker that has the id now; null if there is none. */
  readonly findWallet: (makerId: string) => Address | null;
  /** Unix seconds by the chain's clock. */
  readonly chainTime: () => bigint;
  readonly meters: MakerMeters;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** What takers' orders need to trade with makers. */
export interface Fills {
  readonly liquidity: BookLiquidity;
  readonly settlement: Settlement;
  readonly execution: FillExecution;
  readonly close: () => void;
}

/** Opens everything between a taker's order and a maker's stream. */
export function openFills(options: FillsOptions): Fills {
  const { market, reservations, reserved, link, meters } = options;
  const { timers, deadlines, every, newUuid, findWallet, chainTime, records, unhealthy } = options;
  const onDefect = (where: string) => (error: unknown) => options.onDefect(where, error);
  const recording = new RecordingHealth({ records, unhealthy, every });
  const canRecord = () => recording.works;
  const liquidity = new BookLiquidity(market, reserved, () => timers.now(), chainTime, canRecord);
  const log = new FillLog({ records: recording.records, onDefect: onDefect('fill records') });
  const settlement = new Settlement({
    link,
    scoring: countSwaps(options.scoring, meters),
    log,
    reservations,
    timers: deadlines,
    newUuid,
    findWallet,
    chainTime,
    onDefect: onDefect('last look'),
    noteLastLook: (maker, milliseconds) => {
      meters.lastLook.observe(milliseconds / 1_000, { maker });
      meters.calls.add({ maker, call: 'swap', outcome: 'accepted' });
    },
  });
  const execution = new FillExecution({ settlement, log, link, timers, onDefect: onDefect('fill results') });
  return {
    liquidity,
    settlement,
    execution,
    close: () => {
      recording.close();
      liquidity.close();
    },
  };
}

/** Counts the swaps that makers did not sign, in the words of webhooks. */
function countSwaps(scoring: MakerScoring, { calls }: MakerMeters): MakerScoring {
  return {
    filled: (maker, swapUuid) => scoring.filled(maker, swapUuid),
    missed: (maker, swapUuid) => {
      calls.add({ maker, call: 'swap', outcome: 'unanswered' });
      return scoring.missed(maker, swapUuid);
    },
    tampered: (maker, swapUuid, sent, returned) => {
      calls.add({ maker, call: 'swap', outcome: 'rejected' });
      return scoring.tampered(maker, swapUuid, sent, returned);
    },
  };
}
