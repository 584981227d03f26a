import { requireAvailable } from '../chain/chain.ts';
import type { Relay } from '../ports/relay.ts';
import type { Settlement } from '../rfq/index.ts';
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
import { type ExecuteAtHome, sentBody } from './elsewhere.ts';
import { ExecuteRefused } from './errors.ts';
import type { ExecuteBody, ExecuteResponse } from './execute-schema.ts';
import { executeFill, orderWithFill } from './fill-execution.ts';
import { Code, failed, landOrder } from './land-order.ts';
import { isKnown, type Landable } from './landing.ts';
import type { Attempt, Execution, OrderStore, StoredOrder } from './order-store.ts';
import { simulatedCost } from './simulated-cost.ts';
import { landSponsored, type SponsorParts } from './sponsor/sponsor.ts';

export interface ExecuteParts extends SponsorParts {
  readonly orders: OrderStore<ExecuteResponse>;
  /** Has makers sign; null where there are none. */
  readonly settlement: Settlement | null;
  /** Told of a defect that does not keep the request from being answered. */
  readonly onDefect: (where: string, error: unknown) => void;
  /** Null, or absent, where there are no other instances. */
  readonly executeAtHome?: ExecuteAtHome | null;
}

/**
 * Lands the transaction of an order, once, and says what it moved. The same request again gets the same answer, also
 * while the first is under way.
 * @throws ExecuteRefused when there is no such order, or the transaction is not the order's
 * @throws ChainUnavailable when the chain is out of date before anything was sent
 */
export async function executeSwap(parts: ExecuteParts, body: ExecuteBody): Promise<ExecuteResponse> {
  const order = (await parts.orders.get(body.requestId)) ?? (await orderWithFill(parts, body.requestId));
  if (order === null) {
    const message = `there is no order ${shown(body.requestId)}: it was not given out here, or has run out`;
    throw new ExecuteRefused(Code.MISSING_ORDER, message);
  }
  const { wire, transaction } = parseSigned(body.signedTransaction);
  if (Buffer.compare(transaction.messageBytes, order.messageBytes) !== 0) {
    const message = 'the message of signedTransaction is not that of the order; sign it as it was given out';
    throw new ExecuteRefused(Code.INVALID_MESSAGE, message);
  }
  const unsigned = checkSignatures(transaction, order) ?? checkHeight(body, order);
  if (unsigned !== null) return unsigned;
  const answer = (await parts.executeAtHome?.(order, body)) ?? null;
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

/**
 * Lands a transaction that the taker or a payer of the integrator's pays for. A payer is not made to spend more than
 * the order stated: what would cost more by now is not sent. A swap that would fail is, as it is for a taker that pays.
 */
async function landPaid(
  parts: ExecuteParts,
  order: StoredOrder,
  transaction: Landable,
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

/** Executes what other instances send here, where the order's maker is; they learn the answer where all are kept. */
export function takeFromElsewhere(
  parts: ExecuteParts & { readonly onDefect: (where: string, error: unknown) => void },
  relay: Relay,
): Promise<void> {
  // Also of what cannot be read at all.
  const execute = async (message: string) => void (await executeSwap(parts, sentBody(message)));
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
    `lastValidBlockHeight must be that of the order, ${order.lastValidBlockHeight}, got ${shown(lastValidBlockHeight)}`,
  );
}
