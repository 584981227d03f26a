import { type Chain, ChainUnavailable, type LandedTransaction, requireAvailable } from '../chain/chain.ts';
import { shown } from '../shown.ts';
import { MessageInvalid } from '../solana/message.ts';
import {
  isSignedBy,
  MAX_TRANSACTION_BYTES,
  parseTransaction,
  type Transaction,
  TransactionInvalid,
  transactionSignature,
} from '../solana/transaction.ts';
import { ExecuteRefused } from './errors.ts';
import type { ExecuteBody, ExecuteResponse } from './execute-schema.ts';
import { type Landable, type Landing, land } from './landing.ts';
import type { Execution, OrderStore, StoredOrder } from './order-store.ts';
import { NOTHING_SWAPPED, swapResult } from './swap-result.ts';
import type { Timers } from '../timers.ts';
import { transactionFailure } from './transaction-failure.ts';

export interface ExecuteParts {
  readonly chain: Chain;
  readonly orders: OrderStore<ExecuteResponse>;
  readonly timers: Timers;
}

/** Codes of the answer that are not those of a program. */
const Code = {
  SUCCESS: 0,
  MISSING_ORDER: -1,
  INVALID_SIGNED_TRANSACTION: -2,
  INVALID_MESSAGE: -3,
  FAILED_TO_LAND: -1_000,
  UNKNOWN: -1_001,
  INVALID_TRANSACTION: -1_002,
  NOT_FULLY_SIGNED: -1_003,
  INVALID_BLOCK_HEIGHT: -1_004,
} as const;

/** A confirmed transaction can be read a moment later than its status. */
const READS = 25;
const READ_AGAIN_MS = 200;

/**
 * Lands the transaction of an order, once, and says what it moved. The same request again gets the same answer, also
 * while the first is under way.
 * @throws ExecuteRefused when there is no such order, or the transaction is not the order's
 * @throws ChainUnavailable when the chain is out of date before anything was sent
 */
export async function executeSwap(parts: ExecuteParts, body: ExecuteBody): Promise<ExecuteResponse> {
  const order = await parts.orders.get(body.requestId);
  if (order === null) {
    const message = `there is no order ${shown(body.requestId)}: it was not given out here, or has run out`;
    throw new ExecuteRefused(Code.MISSING_ORDER, message);
  }
  const { wire, transaction } = parseSigned(body.signedTransaction);
  if (Buffer.compare(transaction.messageBytes, order.messageBytes) !== 0) {
    const message = 'the message of signedTransaction is not that of the order; sign it as it was given out';
    throw new ExecuteRefused(Code.INVALID_MESSAGE, message);
  }
  const unsigned = checkSignatures(transaction) ?? checkHeight(body, order);
  if (unsigned !== null) return unsigned;
  const signature = transactionSignature(transaction);
  const { lastValidBlockHeight } = order;
  return parts.orders.executeOnce(order, () =>
    execute(parts, order, { wire, signature, lastValidBlockHeight }),
  );
}

function parseSigned(base64: string): {
  readonly wire: Uint8Array;
  readonly transaction: Transaction;
} {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) {
    throw new ExecuteRefused(Code.INVALID_SIGNED_TRANSACTION, 'signedTransaction is not base64');
  }
  // Bytes of its own: small buffers share one that is larger, which would go along to the network's thread.
  const wire = new Uint8Array(bytes);
  try {
    return { wire, transaction: parseTransaction(wire) };
  } catch (error) {
    if (!(error instanceof TransactionInvalid || error instanceof MessageInvalid)) throw error;
    throw new ExecuteRefused(
      Code.INVALID_SIGNED_TRANSACTION,
      `signedTransaction is not a transaction of at most ${MAX_TRANSACTION_BYTES} bytes: ${error.message}`,
    );
  }
}

/** Null when everybody has signed. @throws ExecuteRefused for a signature that is wrong */
function checkSignatures(transaction: Transaction): ExecuteResponse | null {
  const { signatures, message } = transaction;
  const signers = message.staticAccounts.slice(0, message.signers);
  const missing = signers.filter((_, index) => signatures[index]?.every((byte) => byte === 0));
  const wrong = signers.find((signer, index) => !missing.includes(signer) && !isSignedBy(transaction, index));
  if (wrong !== undefined) {
    throw new ExecuteRefused(
      Code.INVALID_SIGNED_TRANSACTION,
      `signedTransaction has a wrong signature of ${wrong}`,
    );
  }
  if (missing.length === 0) return null;
  return failed(Code.NOT_FULLY_SIGNED, `signedTransaction lacks the signature of ${missing.join(', ')}`);
}

function checkHeight({ lastValidBlockHeight }: ExecuteBody, order: StoredOrder): ExecuteResponse | null {
  if (lastValidBlockHeight === undefined || lastValidBlockHeight === String(order.lastValidBlockHeight)) {
    return null;
  }
  return failed(
    Code.INVALID_BLOCK_HEIGHT,
    `lastValidBlockHeight must be that of the order, ${order.lastValidBlockHeight}, got ${shown(lastValidBlockHeight)}`,
  );
}

async function execute(
  { chain, timers }: ExecuteParts,
  order: StoredOrder,
  transaction: Landable,
): Promise<Execution<ExecuteResponse>> {
  // Before anything was sent, so that the same request can be made again when the network is back.
  requireAvailable(chain);
  const height = chain.blockHeight('confirmed');
  const { signature, lastValidBlockHeight } = transaction;
  const landing = await land(chain, timers, transaction);
  if (landing.kind === 'landed') {
    return { final: true, answer: await landedAnswer({ chain, timers }, order, signature, landing) };
  }
  if (landing.kind === 'expired' && height > lastValidBlockHeight) {
    const message = `the order ran out at block height ${lastValidBlockHeight}, the network is at ${height}`;
    return { final: true, answer: failed(Code.INVALID_BLOCK_HEIGHT, message, signature) };
  }
  return { final: landing.kind !== 'unknown', answer: notLanded(landing, order, signature) };
}

function notLanded(
  landing: Exclude<Landing, { kind: 'landed' }>,
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

async function landedAnswer(
  parts: Pick<ExecuteParts, 'chain' | 'timers'>,
  order: StoredOrder,
  signature: string,
  { status }: Extract<Landing, { kind: 'landed' }>,
): Promise<ExecuteResponse> {
  const landed = await readLanded(parts, signature);
  const slot = status.slot.toString();
  if (status.error !== null) {
    const failure = transactionFailure(status.error, landed?.logs ?? []);
    const answer = failed(failure.code ?? Code.UNKNOWN, failure.message, signature);
    return { ...answer, slot, ...NOTHING_SWAPPED };
  }
  const amounts = landed === null ? {} : swapResult(order, landed);
  return { status: 'Success', signature, slot, code: Code.SUCCESS, ...amounts };
}

/** Null when the network has the status of a transaction but not the transaction. */
async function readLanded(
  { chain, timers }: Pick<ExecuteParts, 'chain' | 'timers'>,
  signature: string,
): Promise<LandedTransaction | null> {
  for (let read = 0; read < READS; read++) {
    const landed = await chain.transaction(signature).catch(ifUnavailable);
    if (landed !== null) return landed;
    await new Promise<void>((resolve) => timers.after(READ_AGAIN_MS, resolve));
  }
  return null;
}

function ifUnavailable(error: unknown): null {
  if (error instanceof ChainUnavailable) return null;
  throw error;
}

function failed(code: number, error: string, signature?: string): ExecuteResponse {
  return { status: 'Failed', code, error, ...(signature === undefined ? {} : { signature }) };
}
