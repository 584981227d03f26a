import { randomInt, randomUUID } from 'node:crypto';
import type { Chain } from '../../chain/chain.ts';
import type { ExecutionStore, ExecutionStoreOptions } from '../../common/ports/execution-store.ts';
import { SYSTEM_TIMERS } from '../../common/ports/timers.ts';
import { SERIALS } from '../build/transaction-message.ts';
import type { DescribeFailure } from '../transaction-failure.ts';
import type { CraftDependencies } from './craft-signed.ts';
import type { ExecuteSignedDependencies } from './execute-signed.ts';
import { openSignedRuns } from './signed-runs.ts';

export interface SignedTransactionsOptions {
  readonly chain: Chain;
  readonly describeFailure: DescribeFailure;
  /** 32 bytes that all instances share, and nobody else knows. */
  readonly sealKey: Uint8Array;
  /** Null without other instances. */
  readonly peers: {
    readonly openExecutionStore: (options: ExecutionStoreOptions) => ExecutionStore;
  } | null;
  /** Called when something failed that no request waits for. */
  readonly onDefect: (error: unknown) => void;
}

/** Opens what makes and lands transactions that wallets sign and pay for themselves. */
export function openSignedTransactions({
  chain,
  describeFailure,
  sealKey,
  peers,
  onDefect,
}: SignedTransactionsOptions): CraftDependencies & ExecuteSignedDependencies {
  // Instances begin to count transactions at different numbers, so that they make none that are alike.
  let serial = randomInt(SERIALS);
  const runs = openSignedRuns({
    openExecutionStore: peers?.openExecutionStore ?? null,
    chain,
    timers: SYSTEM_TIMERS,
    newHolder: randomUUID,
    onDefect,
  });
  return { chain, describeFailure, sealKey, nextSerial: () => serial++, timers: SYSTEM_TIMERS, runs };
}
