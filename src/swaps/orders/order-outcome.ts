import type { SignatureStatus } from '../../chain/chain.ts';
import type { AttemptEnd } from '../../transactions/prepared/store.ts';
import {
  isFinalOutcome,
  readOutcome,
  type SubmissionDependencies,
  type TransactionOutcome,
} from '../../transactions/submit/submit-and-read.ts';
import {
  Code,
  type ExecutionResult,
  createSwapFailure,
  type SwapFailed,
  type SwapSucceeded,
} from './execution-result.ts';
import type { StoredOrder } from './stored-order.ts';
import { computeSwappedAmounts } from './swapped-amounts.ts';

/** Maps the outcome of a transaction to the result of its order. */
export function toSwapExecution(
  order: StoredOrder,
  outcome: TransactionOutcome,
): AttemptEnd<ExecutionResult> {
  return { final: isFinalOutcome(outcome), answer: toExecutionResult(order, outcome) };
}

/** Maps the outcome of a transaction to the result of its order, which is not final if the outcome is not. */
export function toExecutionResult(order: StoredOrder, outcome: TransactionOutcome): ExecutionResult {
  const { signature } = outcome;
  const { lastValidBlockHeight } = order;
  switch (outcome.kind) {
    case 'succeeded': {
      const { transaction } = outcome;
      if (transaction === null) return createSwapSuccess(outcome);
      return { ...createSwapSuccess(outcome), amounts: computeSwappedAmounts(order, transaction) };
    }
    case 'failed':
      return createChainFailure(outcome);
    case 'expired': {
      if (outcome.height > lastValidBlockHeight) {
        const message = `the order ran out at block height ${lastValidBlockHeight}, the network is at ${outcome.height}`;
        return createSwapFailure(Code.INVALID_BLOCK_HEIGHT, message, signature);
      }
      const message = `the transaction did not land by block height ${lastValidBlockHeight}`;
      return createSwapFailure(Code.FAILED_TO_LAND, message, signature);
    }
    case 'rejected': {
      const message = `the network refuses the transaction: ${outcome.failure.message}`;
      return createSwapFailure(Code.INVALID_TRANSACTION, message, signature);
    }
    case 'unknown': {
      const message = 'the network does not answer; whether the swap was made is not known, ask again';
      return createSwapFailure(Code.UNKNOWN, message, signature);
    }
  }
}

/**
 * Reads what a confirmed transaction did whose order is no longer stored. Which of its amounts are the taker's is
 * unknown.
 */
export async function readUnknownOrderResult(
  dependencies: SubmissionDependencies,
  signature: string,
  status: SignatureStatus,
): Promise<ExecutionResult> {
  // The result of a success has no field that only the transaction could provide.
  if (status.error === null) return createSwapSuccess({ signature, slot: status.slot });
  const outcome = await readOutcome(dependencies, signature, status);
  return outcome.kind === 'failed' ? createChainFailure(outcome) : createSwapSuccess(outcome);
}

function createSwapSuccess({
  signature,
  slot,
}: {
  readonly signature: string;
  readonly slot: bigint;
}): SwapSucceeded {
  return { kind: 'succeeded', signature, slot, amounts: null };
}

function createChainFailure({
  signature,
  slot,
  failure: { code, message },
}: Extract<TransactionOutcome, { kind: 'failed' }>): SwapFailed {
  return { ...createSwapFailure(code ?? Code.UNKNOWN, message, signature), slot };
}
