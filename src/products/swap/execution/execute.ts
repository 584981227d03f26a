import { ChainUnavailable } from '../../../chain/chain.ts';
import { AGGREGATOR_PROGRAM } from '../../../market/aggregator/program.ts';
import type { MessageTransport } from '../../../common/ports/message-transport.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { MessageInvalid, parseMessage } from '../../../solana/messages/message.ts';
import {
  addSignatures,
  encodeTransaction,
  isSignedBy,
  MAX_TRANSACTION_BYTES,
  parseTransaction,
  type Transaction,
  TransactionInvalid,
  transactionSignature,
} from '../../../solana/messages/transaction.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { type ExecutionRequest, type ForwardExecution, readForwardedRequest } from './forward-execution.ts';
import type { MakerFills } from './fills/maker-fills.ts';
import type { WebhookFills, WebhookOrder } from './fills/webhook-fills.ts';
import { differenceOf } from '../../../rfq/order-engine/similar-fill.ts';
import {
  Code,
  type ExecutionRefused,
  type ExecutionResult,
  failed,
  refused,
  type SwapFailed,
} from './execution-result.ts';
import { resultOfUnknown, type SubmitDependencies, swapExecution } from './submit-order.ts';
import {
  isConfirmed,
  type SubmittableTransaction,
  statusOf,
} from '../../../transactions/submit/submit-and-confirm.ts';
import type { Attempt, Execution } from '../../../transactions/prepared/store.ts';
import type { OrderStore, StoredOrder } from './stored-order.ts';
import { submitPaid } from '../../../transactions/submit/submit-paid.ts';
import type { SponsorPolicy } from '../../../transactions/sponsor/exposure.ts';
import { type SponsorDependencies, submitSponsored } from '../../../transactions/sponsor/sponsor.ts';

/** Which transactions the sponsor pays for. */
const SPONSORED: SponsorPolicy = {
  programs: new Set([AGGREGATOR_PROGRAM]),
  calls: { min: 1, max: 1 },
  noun: 'swap',
  plural: 'swaps',
};

/** What executing orders needs. */
export interface ExecuteDependencies extends SponsorDependencies, SubmitDependencies {
  readonly orders: OrderStore<ExecutionResult>;
  /** Null where no makers trade. */
  readonly makerFills: MakerFills | null;
  /** Null or absent where no makers are asked by webhook. */
  readonly webhookFills?: WebhookFills | null;
  /** Called when something failed that the client need not know about; the request is still answered. */
  readonly onDefect: (where: string, error: unknown) => void;
  /** Forwards orders to the instance that owns their maker. Null or absent if there are no other instances. */
  readonly forwardExecution?: ForwardExecution | null;
}

/**
 * Lands the transaction of an order, once. The same request again gets the same result, also while the first one is in
 * flight.
 * @param request - The order's request id, and its transaction with every signature that the client can give.
 * @returns what the swap moved, or why it was not made; a refusal if there is no such order and no such transaction, or if
 * the transaction is not the order's
 * @throws ChainUnavailable if the chain is out of date before anything was sent
 *
 * @example
 * ```ts
 * import { type ExecuteDependencies, executeSwap } from './execute.ts';
 *
 * async function isSwapped(swap: ExecuteDependencies, requestId: string, base64: string): Promise<boolean> {
 *   const outcome = await executeSwap(swap, { requestId, signedTransaction: base64 });
 *   return outcome.kind === 'succeeded';
 * }
 * ```
 */
export async function executeSwap(
  dependencies: ExecuteDependencies,
  request: ExecutionRequest,
): Promise<ExecutionResult | ExecutionRefused> {
  const order =
    (await dependencies.orders.get(request.requestId)) ??
    (await dependencies.makerFills?.orderOf(request.requestId)) ??
    (await dependencies.webhookFills?.orderOf(request.requestId));
  if (order == null) return executeUnknown(dependencies, request);
  const signed = parseSigned(request.signedTransaction);
  if (signed.kind === 'refused') return signed;
  const { wire, transaction } = signed;
  if (order.webhookFill !== undefined) {
    const { webhookFill } = order;
    return executeWithWebhook(dependencies, request, { ...order, webhookFill }, transaction);
  }
  if (Buffer.compare(transaction.messageBytes, order.messageBytes) !== 0) {
    const message = 'the message of signedTransaction is not that of the order; sign it as it was given out';
    return refused(Code.INVALID_MESSAGE, message);
  }
  const problem = checkSignatures(transaction, order) ?? checkHeight(request, order);
  if (problem !== null) return problem;
  const forwarded = (await dependencies.forwardExecution?.(order, request)) ?? null;
  if (forwarded !== null) return forwarded;
  if (order.sponsorship !== undefined) {
    return dependencies.orders.executeOnce(order, (attempt) =>
      landSponsored(dependencies, order, transaction, attempt),
    );
  }
  const signature = transactionSignature(transaction);
  const { lastValidBlockHeight } = order;
  const submittable = { wire, signature, lastValidBlockHeight };
  return dependencies.orders.executeOnce(order, (attempt) =>
    order.coSigner === undefined
      ? landPaid(dependencies, order, submittable, attempt)
      : landWithMaker(dependencies, order, submittable),
  );
}

/**
 * Has the webhook maker sign and land the swap. Wallets may change the compute budget and the blockhash and append
 * assertions, so the messages are compared by what they do.
 */
async function executeWithWebhook(
  { webhookFills, orders }: ExecuteDependencies,
  request: ExecutionRequest,
  order: WebhookOrder,
  transaction: Transaction,
): Promise<ExecutionResult | ExecutionRefused> {
  const difference = differenceOf(transaction.message, parseMessage(order.messageBytes));
  if (difference !== null) {
    const message = `the message of signedTransaction is not that of the order: ${difference}`;
    return refused(Code.INVALID_MESSAGE, message);
  }
  const signature = transaction.signatures[TAKER_INDEX];
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    return failed(Code.NOT_FULLY_SIGNED, `signedTransaction lacks the signature of ${order.taker}`);
  }
  if (!isSignedBy(transaction, TAKER_INDEX)) {
    const message = `signedTransaction has a wrong signature of ${order.taker}`;
    return refused(Code.INVALID_SIGNED_TRANSACTION, message);
  }
  const problem = checkHeight(request, order);
  if (problem !== null) return problem;
  // Any signature in the maker's place is dropped.
  const offered = encodeTransaction([null, signature], transaction.messageBytes);
  return orders.executeOnce(order, async () => {
    if (webhookFills != null) return webhookFills.execute(order, offered);
    return { final: true, answer: failed(Code.SWAP_REJECTED, 'no makers are asked by webhook here') };
  });
}

/** The maker pays for the transaction and signs first, so the taker is the second signer. */
const TAKER_INDEX = 1;

/** Has the maker sign the order as well, and lands it. */
async function landWithMaker(
  { makerFills }: ExecuteDependencies,
  order: StoredOrder,
  transaction: SubmittableTransaction,
): Promise<Execution<ExecutionResult>> {
  if (makerFills !== null) return makerFills.execute(order, transaction);
  return { final: true, answer: failed(Code.SWAP_REJECTED, 'no makers are connected here') };
}

/**
 * Has the sponsor sign the order as well, and lands it. If the sponsor does not sign, nothing is sent, and the client
 * may ask again.
 */
async function landSponsored(
  dependencies: ExecuteDependencies,
  order: StoredOrder,
  transaction: Transaction,
  attempt: Attempt,
): Promise<Execution<ExecutionResult>> {
  const outcome = await submitSponsored(dependencies, order, transaction, attempt, SPONSORED);
  if (outcome.kind !== 'withheld') return swapExecution(dependencies, order, outcome);
  const message = `the sponsor does not sign: ${outcome.reason}`;
  return { final: false, answer: failed(Code.INVALID_TRANSACTION, message) };
}

/** Lands a transaction that the taker or the integrator's own payer pays for. */
async function landPaid(
  dependencies: ExecuteDependencies,
  order: StoredOrder,
  transaction: SubmittableTransaction,
  attempt: Attempt,
): Promise<Execution<ExecutionResult>> {
  const outcome = await submitPaid(dependencies, order, transaction, attempt, 'swap');
  if (outcome.kind !== 'too-expensive') return swapExecution(dependencies, order, outcome);
  const { payer, lamports, stated } = outcome;
  const message = `nothing was sent: the swap would cost the payer ${payer} ${lamports} lamports by now, and the order stated ${stated}; ask for a new order`;
  return { final: false, answer: failed(Code.INVALID_TRANSACTION, message) };
}

/**
 * Looks on the chain for the transaction of an order that is not stored here, because it may have been forgotten. Nothing
 * is sent. This costs one status, and one transaction if that failed.
 * @returns a refusal if the chain does not have the transaction
 * @throws Unavailable if the chain does not say, or if another instance may be executing the order
 */
async function executeUnknown(
  dependencies: ExecuteDependencies,
  request: ExecutionRequest,
): Promise<ExecutionResult | ExecutionRefused> {
  const message = `there is no order ${formatForError(request.requestId)}: it was not given out here, or has run out`;
  const signature = swapSignature(dependencies, request.signedTransaction);
  if (signature === null) return refused(Code.MISSING_ORDER, message);
  const status = await statusOf(dependencies.chain, signature);
  if (status === 'unanswered') {
    throw new ChainUnavailable(`${message}; the network does not say whether it has its transaction`);
  }
  if (isConfirmed(status)) return resultOfUnknown(dependencies, signature, status);
  if (status !== null)
    return failed(Code.UNKNOWN, `${message}; its transaction is being landed, ask again`, signature);
  if (await dependencies.orders.mayHaveForgotten()) {
    throw new Unavailable(
      `${message}; the instances have just lost what they share, ask again in some seconds`,
    );
  }
  return refused(Code.MISSING_ORDER, `${message}, and its transaction is in no block so far`);
}

/**
 * @returns the signature by which the chain knows the transaction; null unless it is a swap that its fee payer has
 *   signed, or that all signers except the sponsor have signed
 */
function swapSignature({ sponsor }: ExecuteDependencies, base64: string): string | null {
  const signed = parseSigned(base64);
  if (signed.kind === 'refused') return null;
  const { transaction } = signed;
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
  // The signed transaction is not disclosed. The client sees its signature only if the chain has it already.
  return transactionSignature(parseTransaction(addSignatures(transaction, [sponsor.keypair])));
}

/** Executes the orders that other instances forward to this one, which owns their makers. The results are in the shared store. */
export function handleForwardedExecutions(
  dependencies: ExecuteDependencies & { readonly onDefect: (where: string, error: unknown) => void },
  transport: MessageTransport,
): Promise<void> {
  // A message that cannot be parsed is reported as well. The other instance has checked each request, so none is
  // refused here.
  const execute = async (message: string) => {
    const outcome = await executeSwap(dependencies, readForwardedRequest(message));
    if (outcome.kind === 'refused') throw new Error(outcome.reason);
  };
  return transport.receive((message) => {
    execute(message).catch((error: unknown) =>
      dependencies.onDefect('an order that another instance sent', error),
    );
  });
}

/** The bytes of a transaction, and the parsed transaction. */
interface SignedTransaction {
  readonly kind: 'parsed';
  readonly wire: Uint8Array;
  readonly transaction: Transaction;
}

function parseSigned(base64: string): SignedTransaction | ExecutionRefused {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) {
    return refused(Code.INVALID_SIGNED_TRANSACTION, 'signedTransaction is not base64');
  }
  // A copy, because small buffers share a larger one, which would be sent to the network's thread as a whole.
  const wire = new Uint8Array(bytes);
  try {
    return { kind: 'parsed', wire, transaction: parseTransaction(wire) };
  } catch (error) {
    if (!(error instanceof TransactionInvalid || error instanceof MessageInvalid)) throw error;
    return refused(
      Code.INVALID_SIGNED_TRANSACTION,
      `signedTransaction is not a transaction of at most ${MAX_TRANSACTION_BYTES} bytes: ${error.message}`,
    );
  }
}

/**
 * @returns null if all wallets have signed that sign before the maker or the sponsor; a failure if a signature is
 *   missing, and a refusal if one is wrong
 */
function checkSignatures(transaction: Transaction, order: StoredOrder): SwapFailed | ExecutionRefused | null {
  const later = order.sponsorship?.sponsor ?? order.coSigner?.maker;
  const { signatures, message } = transaction;
  const signers = message.staticAccounts.slice(0, message.signers);
  const missing = signers.filter((_, index) => signatures[index]?.every((byte) => byte === 0));
  const wrong = signers.find((signer, index) => !missing.includes(signer) && !isSignedBy(transaction, index));
  if (wrong !== undefined) {
    return refused(Code.INVALID_SIGNED_TRANSACTION, `signedTransaction has a wrong signature of ${wrong}`);
  }
  const lacking = missing.filter((signer) => signer !== later);
  if (lacking.length === 0) return null;
  return failed(Code.NOT_FULLY_SIGNED, `signedTransaction lacks the signature of ${lacking.join(', ')}`);
}

function checkHeight({ lastValidBlockHeight }: ExecutionRequest, order: StoredOrder): SwapFailed | null {
  if (lastValidBlockHeight == null || String(lastValidBlockHeight) === String(order.lastValidBlockHeight)) {
    return null;
  }
  return failed(
    Code.INVALID_BLOCK_HEIGHT,
    `lastValidBlockHeight must be that of the order, ${order.lastValidBlockHeight}, got ${formatForError(lastValidBlockHeight)}`,
  );
}
