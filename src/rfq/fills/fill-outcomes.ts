import { Code, createSwapFailure, type ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { AttemptEnd } from '../../transactions/prepared/store.ts';
import type { StoredOrder } from '../../swaps/orders/stored-order.ts';
import { toExecutionResult } from '../../swaps/orders/order-outcome.ts';
import { isFinalOutcome, type TransactionOutcome } from '../../transactions/submit/submit-and-read.ts';
import type { CoSigningRefusalCode, FillRefusal } from './prospects/co-signing.ts';

/** How a fill stands for its taker. If it is not final, the swap may or may not have been made. */
export type FillAnswer = AttemptEnd<ExecutionResult>;

/** The code of a fill that was not executed, by reason. */
const REFUSAL_CODES: Readonly<Record<CoSigningRefusalCode, number>> = {
  expired: Code.QUOTE_EXPIRED,
  rejected: Code.SWAP_REJECTED,
  failed: Code.MAKER_UNKNOWN,
  known: Code.MAKER_UNKNOWN,
};

/** Swaps with makers have codes of their own for how their submission ends. */
const SUBMISSION_CODES: ReadonlyMap<number, number> = new Map([
  [Code.FAILED_TO_LAND, Code.MAKER_FAILED_TO_LAND],
  [Code.UNKNOWN, Code.MAKER_UNKNOWN],
  [Code.INVALID_TRANSACTION, Code.MAKER_INVALID_TRANSACTION],
]);

/** Added to the reason of a refusal with an unknown outcome, once its transaction can no longer land. */
const ENDED = ', and its transaction can no longer land';

/**
 * Returns what the taker learns of a fill that was not executed.
 * @param signature - The taker's, by which the chain knows the transaction; null if the maker pays and signs first.
 */
export function toRefusedResult({ refused, reason }: FillRefusal, signature: string | null): ExecutionResult {
  return createSwapFailure(REFUSAL_CODES[refused], reason, signature);
}

/**
 * Updates a result of `toRefusedResult`, which may be a recorded one, to what is known now: if `isOver`, an unknown outcome
 * becomes a swap that did not land; otherwise, a swap that did not land becomes an unknown outcome.
 * @param isOver - Whether the transaction can no longer land.
 */
export function updateRefusedResult(result: ExecutionResult, isOver: boolean): ExecutionResult {
  if (result.kind === 'succeeded') return result;
  const { code, reason, signature } = result;
  if (isOver && code === Code.MAKER_UNKNOWN) {
    return createSwapFailure(Code.MAKER_FAILED_TO_LAND, `${reason}${ENDED}`, signature);
  }
  if (!isOver && code === Code.MAKER_FAILED_TO_LAND) {
    return createSwapFailure(Code.MAKER_UNKNOWN, reason.replace(ENDED, ''), signature);
  }
  return result;
}

/** Returns what the taker learns of a fill whose transaction was submitted or found on chain. */
export function toSubmittedResult(order: StoredOrder, outcome: TransactionOutcome): ExecutionResult {
  const result = toExecutionResult(order, outcome);
  if (result.kind === 'succeeded') return result;
  const code = toSubmissionCode(result.code, outcome);
  return { ...result, code };
}

function toSubmissionCode(code: number, outcome: TransactionOutcome): number {
  // The runtime failed it on chain, and no program. That is known, and asking again changes nothing.
  if (outcome.kind === 'failed' && code === Code.UNKNOWN) return Code.MAKER_INVALID_TRANSACTION;
  // The transaction is still being sent: another node may accept what one refuses for now.
  if (!isFinalOutcome(outcome)) return Code.MAKER_UNKNOWN;
  return SUBMISSION_CODES.get(code) ?? code;
}
