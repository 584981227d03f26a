import type { Chain } from '../../chain/chain.ts';
import type { ExecutionStore, ExecutionStoreOptions } from '../../common/ports/execution-store.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { parsePlain, serializePlain } from '../../common/plain-data.ts';
import { MemoryPreparedStore } from '../prepared/memory-prepared-store.ts';
import { getPreparedStoreOptions, SharedPreparedStore } from '../prepared/shared-prepared-store.ts';
import type { PreparedStore, PreparedTransaction } from '../prepared/store.ts';
import type { SignedResult } from './execute-signed.ts';

/** Ensures that each transaction that a wallet has signed is executed by one instance at a time, and answered once. */
export type SignedRuns = Pick<PreparedStore<PreparedTransaction, SignedResult>, 'executeOnce' | 'settled'>;

export interface SignedRunsOptions {
  /** Null without other instances. */
  readonly openExecutionStore: ((options: ExecutionStoreOptions) => ExecutionStore) | null;
  readonly chain: Pick<Chain, 'blockHeight'>;
  readonly timers: Timers;
  readonly newHolder: () => string;
  readonly onDefect: (error: unknown) => void;
}

/** Executions that run at a time, and answers that are remembered. */
const CAPACITY = 10_000;
const WHAT = 'transactions of wallets';
const SHARED_RUNS = getPreparedStoreOptions(
  'signed',
  'Transactions of wallets cannot be executed at the moment; try again in a second',
);

export function openSignedRuns({
  openExecutionStore,
  chain,
  timers,
  newHolder,
  onDefect,
}: SignedRunsOptions): SignedRuns {
  const height = () => chain.blockHeight('confirmed');
  if (openExecutionStore === null) {
    return new MemoryPreparedStore({ capacity: CAPACITY, what: WHAT, timers, height });
  }
  return new SharedPreparedStore<PreparedTransaction, SignedResult>({
    executions: openExecutionStore(SHARED_RUNS),
    answers: { write: serializePlain, read: (text) => parsePlain(text) as SignedResult },
    what: WHAT,
    capacity: CAPACITY,
    height,
    timers,
    newHolder,
    onDefect,
  });
}
