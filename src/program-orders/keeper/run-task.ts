import type { Chain } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { AGGREGATOR_PROGRAM } from '../../protocol/venue/aggregator-program.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../solana/messages/transaction.ts';
import { submitAndRead, type TransactionOutcome } from '../../transactions/submit/submit-and-read.ts';
import type { DescribeFailure, TransactionFailure } from '../../transactions/transaction-failure.ts';
import type { GasCharge } from '../../waiting-orders/fills/gas-budget.ts';
import { computeCost } from '../../waiting-orders/keeper/order-keeper.ts';
import type { OrderGas } from '../../waiting-orders/fills/order-gas.ts';
import type { PlannedTask } from './plan/order-plan.ts';
import type { OrderWait } from './plan/order-put-off.ts';

/** The aggregator's error when a route pays less than its threshold. */
const SLIPPAGE_EXCEEDED = 6_001;

export interface TaskContext {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
  readonly gas: OrderGas;
}

/** How a transaction with an order ended. */
export interface EndedTask {
  readonly outcome: 'success' | 'failed' | 'expired' | 'unknown';
  /** Why the order has to wait; null after a success. */
  readonly reason: OrderWait | null;
  /** What it cost the gas wallet, in lamports; null if that is not known. */
  readonly cost: bigint | null;
}

/**
 * Signs a planned transaction, sends it until the chain has decided how it ends, and gives back what was charged for it and not
 * spent. A charge whose transaction may still land stays counted.
 */
export async function runTask(
  { chain, timers, describeFailure, gas }: TaskContext,
  { messageBytes, signers, lastValidBlockHeight }: PlannedTask,
  charge: GasCharge,
): Promise<EndedTask> {
  const wire = signTransaction(messageBytes, signers);
  const signature = getTransactionSignature(parseTransaction(wire));
  const transaction = { wire, signature, lastValidBlockHeight };
  const outcome = await submitAndRead({ chain, timers, describeFailure }, transaction).catch(
    (error: unknown) => {
      // The network was found to be out of date before anything was sent.
      if (error instanceof Unavailable) return null;
      throw error;
    },
  );
  const ended: EndedTask = outcome === null ? NOT_SENT : toEndedTask(outcome);
  const { cost } = ended;
  if (cost !== null && cost < charge.lamports) gas.giveBack(charge, charge.lamports - cost);
  return ended;
}

const NOT_SENT: EndedTask = { outcome: 'expired', reason: 'unavailable', cost: 0n };

function toEndedTask(outcome: TransactionOutcome): EndedTask {
  switch (outcome.kind) {
    case 'succeeded':
      return { outcome: 'success', reason: null, cost: computeCost('success', outcome.transaction) };
    case 'failed': {
      const cost = computeCost('failed', outcome.transaction);
      return { outcome: 'failed', reason: toReason(outcome.failure), cost };
    }
    case 'expired':
      return { outcome: 'expired', reason: 'unavailable', cost: 0n };
    case 'rejected':
      return {
        outcome: outcome.isFinal ? 'failed' : 'unknown',
        reason: toReason(outcome.failure),
        cost: outcome.isFinal ? 0n : null,
      };
    case 'unknown':
      return { outcome: 'unknown', reason: 'unavailable', cost: null };
  }
}

function toReason({ code, program }: TransactionFailure): OrderWait {
  return program === AGGREGATOR_PROGRAM && code === SLIPPAGE_EXCEEDED ? 'price' : 'refused';
}
