import {
  type Chain,
  ChainUnavailable,
  type LandedTransaction,
  requireAvailable,
  type SignatureStatus,
} from '../../../chain/chain.ts';
import { type Timers, within } from '../../../common/ports/timers.ts';
import type { ExecuteResponse } from './execute-schema.ts';
import {
  type SubmittableTransaction,
  type SubmissionOutcome,
  submitAndConfirm,
} from '../../../transactions/submit-and-confirm.ts';
import type { Execution, StoredOrder } from './order-store.ts';
import { NOTHING_SWAPPED, swapResult } from './swap-result.ts';
import { transactionFailure } from '../../../transactions/transaction-failure.ts';

export interface LandParts {
  readonly chain: Chain;
  readonly timers: Timers;
  /** Told of each swap that succeeded; absent where nobody counts. */
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

/**
 * A confirmed transaction can be read a moment later than its status. What it moved is waited for so long; that it has
 * landed is known already.
 */
const MAX_READ_MS = 5_000;
const READ_AGAIN_MS = 200;

/** Lands the signed transaction and says what came of it. */
export async function landOrder(
  parts: LandParts,
  order: StoredOrder,
  transaction: SubmittableTransaction,
): Promise<Execution<ExecuteResponse>> {
  const { chain, timers } = parts;
  // Before anything was sent, so that the same request can be made again when the network is back.
  requireAvailable(chain);
  const height = chain.blockHeight('confirmed');
  const { signature, lastValidBlockHeight } = transaction;
  const landing = await submitAndConfirm(chain, timers, transaction);
  if (landing.kind === 'landed') {
    return { final: true, answer: await landedAnswer(parts, order, signature, landing) };
  }
  if (landing.kind === 'expired' && height > lastValidBlockHeight) {
    const message = `the order ran out at block height ${lastValidBlockHeight}, the network is at ${height}`;
    return { final: true, answer: failed(Code.INVALID_BLOCK_HEIGHT, message, signature) };
  }
  const final = landing.kind === 'expired' || (landing.kind === 'rejected' && landing.isFinal);
  return { final, answer: notLanded(landing, order, signature) };
}

function notLanded(
  landing: Exclude<SubmissionOutcome, { kind: 'landed' }>,
  { lastValidBlockHeight }: StoredOrder,
  signature: string,
): ExecuteResponse {
  switch (landing.kind) {
    case 'expired': {
      const message = `the transaction did not land by block height ${lastValidBlockHeight}`;
      return failed(Code.FAILED_TO_LAND, message, signature);
    }
    case 'rejected': {
      const { message } = transactionFailure(landing.error, landing.logs);
      return failed(Code.INVALID_TRANSACTION, `the network refuses the transaction: ${message}`, signature);
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
  const landed = await readLanded(parts, signature);
  const slot = status.slot.toString();
  if (status.error !== null) {
    if (landed !== null) parts.onFailed?.(order, landed);
    return landedFailure(signature, status, landed);
  }
  if (landed === null) return { status: 'Success', signature, slot, code: Code.SUCCESS };
  parts.onSwapped?.(order, landed);
  return { status: 'Success', signature, slot, code: Code.SUCCESS, ...swapResult(order, landed) };
}

/** What a confirmed transaction did whose order nobody remembers: which amounts are the taker's is not known. */
export async function unknownLandedAnswer(
  parts: LandParts,
  signature: string,
  status: SignatureStatus,
): Promise<ExecuteResponse> {
  if (status.error !== null) return landedFailure(signature, status, await readLanded(parts, signature));
  return { status: 'Success', signature, slot: status.slot.toString(), code: Code.SUCCESS };
}

function landedFailure(
  signature: string,
  { error, slot }: SignatureStatus,
  landed: LandedTransaction | null,
): ExecuteResponse {
  const { code, message } = transactionFailure(error, landed?.logs ?? []);
  const answer = failed(code ?? Code.UNKNOWN, message, signature);
  return { ...answer, slot: slot.toString(), ...NOTHING_SWAPPED };
}

/** Null when the network has the status of a transaction, but does not give out the transaction in time. */
async function readLanded(
  { chain, timers }: LandParts,
  signature: string,
): Promise<LandedTransaction | null> {
  const giveUpAt = timers.now() + MAX_READ_MS;
  for (;;) {
    const read = chain.transaction(signature).catch(ifUnavailable);
    const landed = await within(read, giveUpAt - timers.now(), timers);
    if (landed) return landed;
    if (timers.now() + READ_AGAIN_MS >= giveUpAt) return null;
    await new Promise<void>((resolve) => timers.after(READ_AGAIN_MS, resolve));
  }
}

export function ifUnavailable(error: unknown): null {
  if (error instanceof ChainUnavailable) return null;
  throw error;
}

export function failed(code: number, error: string, signature?: string): ExecuteResponse {
  return { status: 'Failed', code, error, ...(signature === undefined ? {} : { signature }) };
}
