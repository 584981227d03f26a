import type { Chain } from '../../chain/chain.ts';
import type { Timers } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Keypair } from '../../solana/keypair.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../solana/messages/transaction.ts';
import { submitAndRead, type TransactionOutcome } from '../../transactions/submit/submit-and-read.ts';
import type { DescribeFailure, TransactionFailure } from '../../transactions/transaction-failure.ts';
import type { GasCharge } from '../fills/gas-budget.ts';
import type { OrderGas } from '../fills/order-gas.ts';
import { computeCost } from './order-keeper.ts';

export interface ChargedContext {
  readonly chain: Chain;
  readonly timers: Timers;
  readonly describeFailure: DescribeFailure;
  readonly gas: Pick<OrderGas, 'giveBack'>;
}

/** A transaction that the gas wallet pays for. */
export interface ChargedTransaction {
  readonly messageBytes: Uint8Array;
  /** All keys that sign. */
  readonly signers: readonly Keypair[];
  readonly lastValidBlockHeight: bigint;
}

/** How a transaction that was charged for ended. */
export interface EndedSubmission {
  readonly outcome: 'success' | 'failed' | 'expired' | 'unknown';
  /** Why a program or the network refused it. Null after a success, and when it is not known to have been refused. */
  readonly failure: TransactionFailure | null;
  /** What it cost the gas wallet, in lamports; null if that is not known. */
  readonly cost: bigint | null;
}

/**
 * Signs a transaction, sends it until the chain has decided how it ends, and gives back what was charged for it and not spent. A
 * charge whose transaction may still land stays counted.
 */
export async function submitCharged(
  { chain, timers, describeFailure, gas }: ChargedContext,
  { messageBytes, signers, lastValidBlockHeight }: ChargedTransaction,
  charge: GasCharge,
): Promise<EndedSubmission> {
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
  const ended: EndedSubmission = outcome === null ? NOT_SENT : toEndedSubmission(outcome);
  const { cost } = ended;
  if (cost !== null && cost < charge.lamports) gas.giveBack(charge, charge.lamports - cost);
  return ended;
}

const NOT_SENT: EndedSubmission = { outcome: 'expired', failure: null, cost: 0n };

function toEndedSubmission(outcome: TransactionOutcome): EndedSubmission {
  switch (outcome.kind) {
    case 'succeeded':
      return { outcome: 'success', failure: null, cost: computeCost('success', outcome.transaction) };
    case 'failed': {
      const { failure, transaction } = outcome;
      return { outcome: 'failed', failure, cost: computeCost('failed', transaction) };
    }
    case 'expired':
      return NOT_SENT;
    case 'rejected': {
      const { isFinal, failure } = outcome;
      return { outcome: isFinal ? 'failed' : 'unknown', failure, cost: isFinal ? 0n : null };
    }
    case 'unknown':
      return { outcome: 'unknown', failure: null, cost: null };
  }
}
