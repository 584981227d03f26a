import { ChainUnavailable, requireAvailable } from '../../../chain/chain.ts';
import { AGGREGATOR_PROGRAM } from '../../../market/aggregator/program.ts';
import type { Relay } from '../../../common/ports/relay.ts';
import type { FillExecution } from '../../../rfq/index.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { MessageInvalid } from '../../../solana/messages/message.ts';
import {
  addSignatures,
  isSignedBy,
  MAX_TRANSACTION_BYTES,
  parseTransaction,
  type Transaction,
  TransactionInvalid,
  transactionSignature,
} from '../../../solana/messages/transaction.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { type ForwardExecution, forwardedBody } from './forward-execution.ts';
import { ExecuteRefused } from '../errors.ts';
import type { ExecuteBody, ExecuteResponse } from './execute-schema.ts';
import { executeFill, orderWithFill } from './fill-execution.ts';
import { Code, failed, type LandParts, landOrder, swapExecution, unknownLandedAnswer } from './land-order.ts';
import {
  isConfirmed,
  isKnown,
  type SubmittableTransaction,
  statusOf,
} from '../../../transactions/submit-and-confirm.ts';
import type { OpenFills } from './open-fills.ts';
import type { SignedFills } from './signed-fills.ts';
import type { Attempt, Execution } from '../../../transactions/prepared/store.ts';
import type { OrderStore, StoredOrder } from './stored-order.ts';
import { simulatedCost } from '../../../transactions/simulated-cost.ts';
import type { SponsoredAction } from '../../../transactions/sponsor/exposure.ts';
import { type SponsorDependencies, submitSponsored } from '../../../transactions/sponsor/sponsor.ts';

/** What the sponsor pays for. */
const SWAP: SponsoredAction = { program: AGGREGATOR_PROGRAM, noun: 'swap', plural: 'swaps' };

export interface ExecuteParts extends SponsorDependencies, LandParts {
  readonly orders: OrderStore<ExecuteResponse>;
  /** Executes swaps with makers; null where there are none. */
  readonly fills: FillExecution | null;
  readonly openFills: OpenFills;
  readonly signedFills: SignedFills;
  /** Told of a defect that does not keep the request from being answered. */
  readonly onDefect: (where: string, error: unknown) => void;
  /** Null, or absent, where there are no other instances. */
  readonly forwardExecution?: ForwardExecution | null;
}

/**
 * Lands the transaction of an order, once, and says what it moved. The same request again gets the same answer, also
 * while the first is under way.
 * @throws ExecuteRefused when there is no such order and no such transaction, or it is not the order's
 * @throws ChainUnavailable when the chain is out of date before anything was sent
 */
export async function executeSwap(parts: ExecuteParts, body: ExecuteBody): Promise<ExecuteResponse> {
  const order = (await parts.orders.get(body.requestId)) ?? (await orderWithFill(parts, body.requestId));
  if (order === null) return executeUnknown(parts, body);
  const { wire, transaction } = parseSigned(body.signedTransaction);
  if (Buffer.compare(transaction.messageBytes, order.messageBytes) !== 0) {
    const message = 'the message of signedTransaction is not that of the order; sign it as it was given out';
    throw new ExecuteRefused(Code.INVALID_MESSAGE, message);
  }
  const unsigned = checkSignatures(transaction, order) ?? checkHeight(body, order);
  if (unsigned !== null) return unsigned;
  const answer = (await parts.forwardExecution?.(order, body)) ?? null;
  if (answer !== null) return answer;
  if (order.sponsorship !== undefined) {
    return parts.orders.executeOnce(order, (attempt) => landSponsored(parts, order, transaction, attempt));
  }
  const signature = transactionSignature(transaction);
  const { lastValidBlockHeight } = order;
  const landable = { wire, signature, lastValidBlockHeight };
  return parts.orders.executeOnce(order, (attempt) =>
    order.coSigner === undefined
      ? landPaid(parts, order, landable, attempt)
      : executeFill(parts, order, landable),
  );
}

/** Has the sponsor sign as well, and lands it. What is not signed was not sent: the same request may be made again. */
async function landSponsored(
  parts: ExecuteParts,
  order: StoredOrder,
  transaction: Transaction,
  attempt: Attempt,
): Promise<Execution<ExecuteResponse>> {
  const outcome = await submitSponsored(parts, order, transaction, attempt, SWAP);
  if (outcome.kind !== 'withheld') return swapExecution(parts, order, outcome);
  const message = `the sponsor does not sign: ${outcome.reason}`;
  return { final: false, answer: failed(Code.INVALID_TRANSACTION, message) };
}

/**
 * Lands a transaction that the taker or a payer of the integrator's pays for. A payer is not made to spend more than
 * the order stated: what would cost more by now is not sent. A swap that would fail is, as it is for a taker that pays.
 */
async function landPaid(
  parts: ExecuteParts,
  order: StoredOrder,
  transaction: SubmittableTransaction,
  attempt: Attempt,
): Promise<Execution<ExecuteResponse>> {
  const { payer, payerLamports } = order;
  if (payerLamports === undefined) return landOrder(parts, order, transaction);
  requireAvailable(parts.chain);
  // What may have landed costs nothing more, whatever a simulation says of it.
  if (attempt.mayBeOut || (await isKnown(parts.chain, transaction.signature))) {
    return landOrder(parts, order, transaction);
  }
  const cost = await simulatedCost(parts.chain, transaction.wire, payer);
  if ('lamports' in cost && cost.lamports > payerLamports) {
    const message = `nothing was sent: the swap would cost the payer ${payer} ${cost.lamports} lamports by now, and the order stated ${payerLamports}; ask for a new order`;
    return { final: false, answer: failed(Code.INVALID_TRANSACTION, message) };
  }
  await attempt.noteSending();
  return landOrder(parts, order, transaction);
}

/**
 * Answers for an order that is not here, and may have been forgotten: when the chain has its transaction, the answer says
 * so. Nothing is sent. It asks the chain for one status, and for one transaction when that failed.
 * @throws ExecuteRefused when the chain does not have the transaction, as far as it is known by then
 * @throws Unavailable when the chain does not say, or the order may be under way at another instance
 */
async function executeUnknown(parts: ExecuteParts, body: ExecuteBody): Promise<ExecuteResponse> {
  const message = `there is no order ${formatForError(body.requestId)}: it was not given out here, or has run out`;
  const signature = swapSignature(parts, body.signedTransaction);
  if (signature === null) throw new ExecuteRefused(Code.MISSING_ORDER, message);
  const status = await statusOf(parts.chain, signature);
  if (status === 'unanswered') {
    throw new ChainUnavailable(`${message}; the network does not say whether it has its transaction`);
  }
  if (isConfirmed(status)) return unknownLandedAnswer(parts, signature, status);
  if (status !== null)
    return failed(Code.UNKNOWN, `${message}; its transaction is being landed, ask again`, signature);
  if (await parts.orders.mayHaveForgotten()) {
    throw new Unavailable(
      `${message}; the instances have just lost what they share, ask again in some seconds`,
    );
  }
  throw new ExecuteRefused(Code.MISSING_ORDER, `${message}, and its transaction is in no block so far`);
}

/**
 * The signature that the chain would know the transaction by. Null for what is no swap that its fee payer has signed, or
 * that the sponsor would sign for a taker who has.
 */
function swapSignature({ sponsor }: ExecuteParts, base64: string): string | null {
  const transaction = readSigned(base64);
  if (transaction === null) return null;
  const { message, signatures } = transaction;
  const swaps = message.instructions.some(
    ({ programIndex }) => message.staticAccounts[programIndex] === AGGREGATOR_PROGRAM,
  );
  if (!swaps) return null;
  if (isSignedBy(transaction, 0)) return transactionSignature(transaction);
  const sponsored = message.staticAccounts[0] === sponsor?.keypair.address;
  const isUnsigned = signatures[0]?.every((byte) => byte === 0) === true;
  const others = Array.from({ length: message.signers - 1 }, (_, index) => index + 1);
  if (sponsor === null || !sponsored || !isUnsigned || others.length === 0) return null;
  if (!others.every((index) => isSignedBy(transaction, index))) return null;
  // It does not leave: it is told only when it is on the chain already.
  return transactionSignature(parseTransaction(addSignatures(transaction, [sponsor.keypair])));
}

function readSigned(base64: string): Transaction | null {
  try {
    return parseSigned(base64).transaction;
  } catch (error) {
    if (error instanceof ExecuteRefused) return null;
    throw error;
  }
}

/** Executes what other instances send here, where the order's maker is; they learn the answer where all are kept. */
export function handleForwardedExecutions(
  parts: ExecuteParts & { readonly onDefect: (where: string, error: unknown) => void },
  relay: Relay,
): Promise<void> {
  // Also of what cannot be read at all.
  const execute = async (message: string) => void (await executeSwap(parts, forwardedBody(message)));
  return relay.receive((message) => {
    execute(message).catch((error: unknown) => parts.onDefect('an order that another instance sent', error));
  });
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

/** Null when everybody has signed who is to sign before the maker or the sponsor does. @throws ExecuteRefused for a signature that is wrong */
function checkSignatures(transaction: Transaction, order: StoredOrder): ExecuteResponse | null {
  const later = order.sponsorship?.sponsor ?? order.coSigner?.maker;
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
  const lacking = missing.filter((signer) => signer !== later);
  if (lacking.length === 0) return null;
  return failed(Code.NOT_FULLY_SIGNED, `signedTransaction lacks the signature of ${lacking.join(', ')}`);
}

function checkHeight({ lastValidBlockHeight }: ExecuteBody, order: StoredOrder): ExecuteResponse | null {
  if (lastValidBlockHeight == null || String(lastValidBlockHeight) === String(order.lastValidBlockHeight)) {
    return null;
  }
  return failed(
    Code.INVALID_BLOCK_HEIGHT,
    `lastValidBlockHeight must be that of the order, ${order.lastValidBlockHeight}, got ${formatForError(lastValidBlockHeight)}`,
  );
}
