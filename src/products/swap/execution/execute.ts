import type { MessageTransport } from '../../../common/ports/message-transport.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { parseMessage } from '../../../solana/messages/message.ts';
import {
  encodeTransaction,
  isSignedBy,
  type Transaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import { type ExecutionRequest, type ForwardExecution, readForwardedRequest } from './forward-execution.ts';
import type { MakerFills } from '../../../rfq/fills/maker-fills.ts';
import type { WebhookFills } from '../../../rfq/fills/webhook/webhook-fills.ts';
import { findDifference } from './similar-fill.ts';
import {
  Code,
  type ExecutionRefused,
  type ExecutionResult,
  createSwapFailure,
  createExecutionRefusal,
  type SwapFailed,
} from '../../../swaps/orders/execution-result.ts';
import { checkSignatures, parseSigned } from './signed-transaction.ts';
import { toSwapExecution } from '../../../swaps/orders/order-outcome.ts';
import type { SubmittableTransaction } from '../../../transactions/submit/submit-and-confirm.ts';
import type { Attempt, AttemptEnd } from '../../../transactions/prepared/store.ts';
import type {
  CoSignedOrder,
  OrderStore,
  StoredOrder,
  WebhookOrder,
} from '../../../swaps/orders/stored-order.ts';
import { lookUpUnknownOrder } from './unknown-order.ts';
import type { SubmissionDependencies } from '../../../transactions/submit/submit-and-read.ts';
import { submitPaid } from '../../../transactions/submit/submit-paid.ts';
import { SPONSORED_SWAPS } from './sponsored-swaps.ts';
import { type SponsorDependencies, submitSponsored } from '../../../transactions/sponsor/sponsor.ts';

export interface ExecuteDependencies extends SponsorDependencies, SubmissionDependencies {
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
 * @param onOrder - Called with the order, if there is one. Default: nothing is called.
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
  onOrder?: (order: StoredOrder) => void,
): Promise<ExecutionResult | ExecutionRefused> {
  const order =
    (await dependencies.orders.get(request.requestId)) ??
    (await dependencies.makerFills?.orderOf(request.requestId)) ??
    (await dependencies.webhookFills?.orderOf(request.requestId));
  if (order == null) return lookUpUnknownOrder(dependencies, request);
  onOrder?.(order);
  const signed = parseSigned(request.signedTransaction);
  if (signed.kind === 'refused') return signed;
  const { wire, transaction } = signed;
  if (order.webhookFill !== undefined) {
    const { webhookFill } = order;
    return executeWithWebhook(dependencies, request, { ...order, webhookFill }, transaction);
  }
  if (Buffer.compare(transaction.messageBytes, order.messageBytes) !== 0) {
    const message = 'the message of signedTransaction is not that of the order; sign it as it was given out';
    return createExecutionRefusal(Code.INVALID_MESSAGE, message);
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
  const signature = getTransactionSignature(transaction);
  const { lastValidBlockHeight, coSigner } = order;
  const submittable = { wire, signature, lastValidBlockHeight, isPaidByOthers: true };
  return dependencies.orders.executeOnce(order, (attempt) =>
    coSigner === undefined
      ? landPaid(dependencies, order, submittable, attempt)
      : landWithMaker(dependencies, { ...order, coSigner }, submittable),
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
  const difference = findDifference(transaction.message, parseMessage(order.messageBytes));
  if (difference !== null) {
    const message = `the message of signedTransaction is not that of the order: ${difference}`;
    return createExecutionRefusal(Code.INVALID_MESSAGE, message);
  }
  const signature = transaction.signatures[TAKER_INDEX];
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    return createSwapFailure(
      Code.NOT_FULLY_SIGNED,
      `signedTransaction lacks the signature of ${order.taker}`,
    );
  }
  if (!isSignedBy(transaction, TAKER_INDEX)) {
    const message = `signedTransaction has a wrong signature of ${order.taker}`;
    return createExecutionRefusal(Code.INVALID_SIGNED_TRANSACTION, message);
  }
  const problem = checkHeight(request, order);
  if (problem !== null) return problem;
  // Any signature in the maker's place is dropped.
  const offered = encodeTransaction([null, signature], transaction.messageBytes);
  return orders.executeOnce(order, async () => {
    if (webhookFills != null) return webhookFills.execute(order, offered);
    return {
      final: true,
      answer: createSwapFailure(Code.SWAP_REJECTED, 'no makers are asked by webhook here'),
    };
  });
}

/** The maker pays for the transaction and signs first, so the taker is the second signer. */
const TAKER_INDEX = 1;

/** Has the maker sign the order as well, and lands it. */
async function landWithMaker(
  { makerFills }: ExecuteDependencies,
  order: CoSignedOrder,
  transaction: SubmittableTransaction,
): Promise<AttemptEnd<ExecutionResult>> {
  if (makerFills !== null) return makerFills.execute(order, transaction);
  return { final: true, answer: createSwapFailure(Code.SWAP_REJECTED, 'no makers are connected here') };
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
): Promise<AttemptEnd<ExecutionResult>> {
  const outcome = await submitSponsored(dependencies, order, transaction, attempt, SPONSORED_SWAPS);
  if (outcome.kind !== 'withheld') return toSwapExecution(order, outcome);
  const message = `the sponsor does not sign: ${outcome.reason}`;
  return { final: false, answer: createSwapFailure(Code.INVALID_TRANSACTION, message) };
}

/** Lands a transaction that the taker or the integrator's own payer pays for. */
async function landPaid(
  dependencies: ExecuteDependencies,
  order: StoredOrder,
  transaction: SubmittableTransaction,
  attempt: Attempt,
): Promise<AttemptEnd<ExecutionResult>> {
  const outcome = await submitPaid(dependencies, order, transaction, attempt, 'swap');
  if (outcome.kind !== 'too-expensive') return toSwapExecution(order, outcome);
  const { payer, lamports, stated } = outcome;
  const message = `nothing was sent: the swap would cost the payer ${payer} ${lamports} lamports by now, and the order stated ${stated}; ask for a new order`;
  return { final: false, answer: createSwapFailure(Code.INVALID_TRANSACTION, message) };
}

/** Executes the orders that other instances forward to this one, which owns their makers. The results are in the shared store. */
export function handleForwardedExecutions(
  dependencies: ExecuteDependencies,
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

function checkHeight({ lastValidBlockHeight }: ExecutionRequest, order: StoredOrder): SwapFailed | null {
  if (lastValidBlockHeight == null || String(lastValidBlockHeight) === String(order.lastValidBlockHeight)) {
    return null;
  }
  return createSwapFailure(
    Code.INVALID_BLOCK_HEIGHT,
    `lastValidBlockHeight must be that of the order, ${order.lastValidBlockHeight}, got ${formatForError(lastValidBlockHeight)}`,
  );
}
