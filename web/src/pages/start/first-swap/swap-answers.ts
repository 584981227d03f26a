import { UnreadableError } from '../../../api/call.ts';

/** The fields of `GET /swap/v2/order` that are used here. */
export interface OrderAnswer {
  readonly requestId: string;
  /** Base64. Empty when it could not be made; null without a taker. */
  readonly transaction: string | null;
  readonly outAmount: string;
  readonly router: string;
  readonly routePlan: readonly { readonly swapInfo: { readonly label: string } }[];
  readonly errorMessage?: string;
  readonly details?: string;
}

/** The fields of `POST /swap/v2/execute` that are used here. */
export interface ExecuteAnswer {
  readonly status: 'Success' | 'Failed';
  readonly signature?: string;
  readonly code: number;
  readonly error?: string;
  readonly totalInputAmount?: string;
  readonly totalOutputAmount?: string;
}

/** Returns a quote whose amount and venues can be shown. @throws UnreadableError if the answer has none */
export function checkQuote(answer: unknown): OrderAnswer {
  const quote = answer as OrderAnswer | null;
  if (!isAmount(quote?.outAmount) || !Array.isArray(quote?.routePlan)) throw new UnreadableError('the order');
  return quote;
}

/**
 * Returns an order that can be signed. One without a transaction says why, and need not have an amount.
 * @throws UnreadableError if the answer is no order; Error with the reason if it has no transaction
 */
export function checkOrder(answer: unknown): OrderAnswer {
  const order = answer as OrderAnswer | null;
  if (typeof order === 'object' && order !== null && !order.transaction)
    throw new Error(order.details ?? order.errorMessage ?? 'The order has no transaction.');
  return checkQuote(answer);
}

/** Returns an execution whose amounts can be shown if it went through. @throws UnreadableError if the answer is another */
export function checkExecution(answer: unknown): ExecuteAnswer {
  const execution = answer as ExecuteAnswer | null;
  if (typeof execution !== 'object' || execution === null) throw new UnreadableError('the execution');
  const amounts = [execution.totalInputAmount, execution.totalOutputAmount];
  if (execution.status === 'Success' && !amounts.every((amount) => amount === undefined || isAmount(amount)))
    throw new UnreadableError('the execution');
  return execution;
}

function isAmount(text: unknown): boolean {
  return typeof text === 'string' && /^\d{1,20}$/.test(text);
}
