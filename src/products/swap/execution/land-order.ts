import type { Chain, LandedTransaction, SignatureStatus } from '../../../chain/chain.ts';
import type { Timers } from '../../../common/ports/timers.ts';
import type { Execution } from '../../../transactions/prepared/store.ts';
import type { SubmissionOutcome, SubmittableTransaction } from '../../../transactions/submit-and-confirm.ts';
import {
  isFinalOutcome,
  readOutcome,
  submitAndRead,
  type TransactionOutcome,
} from '../../../transactions/submit-and-read.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import type { StoredOrder } from './stored-order.ts';
import { NOTHING_SWAPPED, swapResult } from './swap-result.ts';

export interface LandParts {
  readonly chain: Chain;
  readonly timers: Timers;
  /** Called with each swap that succeeded; absent where nobody counts. */
  readonly onSwapped?: (order: StoredOrder, landed: LandedTransaction) => void;
  /** Called with each swap that is on chain and failed there; absent where nobody asks why. */
  readonly onFailed?: (order: StoredOrder, landed: LandedTransaction) => void;
}

/** Codes of the answer that are not those of a program. */
export const Code = {
  SUCCESS: 0,
  MISSING_ORDER: -1,
  INVALID_SIGNED_TRANSACTION: -2,
  INVALID_MESSAGE: -3,
  MISSING_REQUEST_ID: -4,
  MISSING_SIGNED_TRANSACTION: -5,
  FAILED_TO_LAND: -1_000,
  UNKNOWN: -1_001,
  INVALID_TRANSACTION: -1_002,
  NOT_FULLY_SIGNED: -1_003,
  INVALID_BLOCK_HEIGHT: -1_004,
  MAKER_FAILED_TO_LAND: -2_000,
  MAKER_UNKNOWN: -2_001,
  MAKER_INVALID_TRANSACTION: -2_002,
  QUOTE_EXPIRED: -2_003,
  SWAP_REJECTED: -2_004,
} as const;

/** Submits the signed transaction of an order and says what came of it. */
export async function landOrder(
  parts: LandParts,
  order: StoredOrder,
  transaction: SubmittableTransaction,
): Promise<Execution<ExecuteResponse>> {
  return swapExecution(parts, order, await submitAndRead(parts.chain, parts.timers, transaction));
}

/** What a transaction's outcome means for its order. */
export function swapExecution(
  parts: LandParts,
  order: StoredOrder,
  outcome: TransactionOutcome,
): Execution<ExecuteResponse> {
  return { final: isFinalOutcome(outcome), answer: answerOf(parts, order, outcome) };
}

function answerOf(parts: LandParts, order: StoredOrder, outcome: TransactionOutcome): ExecuteResponse {
  const { signature } = outcome;
  const { lastValidBlockHeight } = order;
  switch (outcome.kind) {
    case 'succeeded': {
      const { transaction } = outcome;
      if (transaction === null) return swapped(outcome);
      parts.onSwapped?.(order, transaction);
      return { ...swapped(outcome), ...swapResult(order, transaction) };
    }
    case 'failed':
      if (outcome.transaction !== null) parts.onFailed?.(order, outcome.transaction);
      return failedOnChain(outcome);
    case 'expired': {
      if (outcome.height > lastValidBlockHeight) {
        const message = `the order ran out at block height ${lastValidBlockHeight}, the network is at ${outcome.height}`;
        return failed(Code.INVALID_BLOCK_HEIGHT, message, signature);
      }
      const message = `the transaction did not land by block height ${lastValidBlockHeight}`;
      return failed(Code.FAILED_TO_LAND, message, signature);
    }
    case 'rejected': {
      const message = `the network refuses the transaction: ${outcome.failure.message}`;
      return failed(Code.INVALID_TRANSACTION, message, signature);
    }
    case 'unknown': {
      const message = 'the network does not answer; whether the swap was made is not known, ask again';
      return failed(Code.UNKNOWN, message, signature);
    }
  }
}

/** What a confirmed transaction did. */
export async function landedAnswer(
  parts: LandParts,
  order: StoredOrder,
  signature: string,
  { status }: Extract<SubmissionOutcome, { kind: 'landed' }>,
): Promise<ExecuteResponse> {
  return answerOf(parts, order, await readOutcome(parts.chain, parts.timers, signature, status));
}

/** What a confirmed transaction did whose order nobody remembers: which amounts are the taker's is not known. */
export async function unknownLandedAnswer(
  { chain, timers }: LandParts,
  signature: string,
  status: SignatureStatus,
): Promise<ExecuteResponse> {
  // Nothing is to be said of a success but that, so it need not be read.
  if (status.error === null) return swapped({ signature, slot: status.slot });
  const outcome = await readOutcome(chain, timers, signature, status);
  return outcome.kind === 'failed' ? failedOnChain(outcome) : swapped(outcome);
}

function swapped({
  signature,
  slot,
}: {
  readonly signature: string;
  readonly slot: bigint;
}): ExecuteResponse {
  return { status: 'Success', signature, slot: slot.toString(), code: Code.SUCCESS };
}

function failedOnChain({
  signature,
  slot,
  failure: { code, message },
}: Extract<TransactionOutcome, { kind: 'failed' }>): ExecuteResponse {
  const answer = failed(code ?? Code.UNKNOWN, message, signature);
  return { ...answer, slot: slot.toString(), ...NOTHING_SWAPPED };
}

export function failed(code: number, error: string, signature?: string): ExecuteResponse {
  return { status: 'Failed', code, error, ...(signature === undefined ? {} : { signature }) };
}
