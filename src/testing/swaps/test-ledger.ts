import { NO_METRICS } from '../../common/ports/metrics.ts';
import { SYSTEM_TIMERS, type Timers } from '../../common/ports/timers.ts';
import { listDays } from '../../platform/traffic/log/log-tables.ts';
import type { LogDatabase } from '../../store/log/log-database.ts';
import { migrateLog } from '../../store/log/log-migrate.ts';
import { address } from '../../solana/address.ts';
import { bps } from '../../solana/units.ts';
import type { GivenOrder } from '../../swaps/ledger/given-order.ts';
import { OrderLedger, type OrderLedgerOptions } from '../../swaps/ledger/order-ledger.ts';
import type { StoredOrder } from '../../swaps/orders/stored-order.ts';
import { openTestLog, type STORES } from '../store/test-store.ts';
import { TEST_LOG_MIGRATIONS } from '../store/test-tables.ts';

export interface TestLedger {
  readonly database: LogDatabase;
  /** Opens a ledger over the same database. Its clock is the database's too. A defect is thrown. */
  readonly open: (options?: Partial<OrderLedgerOptions>) => OrderLedger;
  readonly cleanUp: () => Promise<void>;
}

/** Opens an empty database for ledgers. */
export async function openTestLedger(
  kind: (typeof STORES)[number] = 'sqlite',
  timers: Timers = SYSTEM_TIMERS,
): Promise<TestLedger> {
  const test = await openTestLog(kind);
  await migrateLog(test.log, TEST_LOG_MIGRATIONS, { at: 0, listDays: listDays(kind) });
  return {
    database: test.log,
    open: (options = {}) =>
      new OrderLedger({
        database: { ...test.log, now: async () => timers.now() },
        days: 184,
        timers,
        metrics: NO_METRICS,
        onDefect: (error) => {
          throw error;
        },
        ...options,
      }),
    cleanUp: test.cleanUp,
  };
}

export const TAKER = address('5v2Vd71VoJ1wZhz1PkhTY48mrJwS6wF4LfvDbYPnJ3bc');
export const SOL = address('So11111111111111111111111111111111111111112');
export const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** An order of 0.1 SOL for USDC, of the organisation `o1`, in which no maker takes part. */
export function createGivenOrder(requestId: string, order: Partial<GivenOrder> = {}): GivenOrder {
  return {
    requestId,
    caller: { kind: 'organisation', id: 'o1' },
    request: {
      inputMint: SOL,
      outputMint: USDC,
      amount: 100_000_000n,
      swapMode: 'ExactIn',
      taker: TAKER,
      receiver: null,
    },
    router: 'metis',
    payment: { payer: TAKER, by: 'taker' },
    quote: {
      outAmount: 20_000_000n,
      slippageBps: bps(50),
      fees: { mint: USDC, platformBps: bps(0), platformAmount: 0n, gasBps: bps(0) },
    },
    makerId: null,
    bids: [],
    ...order,
  };
}

/** The same order as it waits for its signature. */
export function createWaitingOrder(requestId: string, order: Partial<StoredOrder> = {}): StoredOrder {
  return {
    requestId,
    messageBytes: new Uint8Array(),
    lastValidBlockHeight: 900n,
    taker: TAKER,
    payer: TAKER,
    router: 'metis',
    inputMint: SOL,
    outputMint: USDC,
    receiver: null,
    tipLamports: 0n,
    ...order,
  };
}
