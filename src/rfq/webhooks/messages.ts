import { formatForError } from '../../common/format-for-error.ts';
import { parseAddress, type Address } from '../../solana/address.ts';
import { parseSignature } from '../../solana/messages/signature.ts';
import { U64_MAX } from '../../solana/units.ts';
import type { SwapAnswer, WebhookQuote, WebhookRecord, WebhookRequest } from './webhook.ts';

/**
 * The most micro-lamports per compute unit that a maker may ask for, so that a typing error does not empty its wallet.
 */
const MAX_PRICE = 1_000_000_000;
/** The reasons that the public interface names. */
const REASONS = [
  'insufficientBalance',
  'insufficientBalanceForAtaCreation',
  'signatureVerificationFailed',
  'botActivityDetected',
];
const MAX_REASON_LENGTH = 200;
const MAX_TOKENS = 10_000;
/** The most bytes of a list of tokens: enough for ten thousand addresses. */
export const MAX_TOKENS_BYTES = 512 * 1_024;

/** The body of `POST {base}/quote`. */
export function encodeQuoteBody(request: WebhookRequest): Uint8Array {
  const { requestId, quoteId, tokenIn, tokenOut, amount, quoteType, feeBps, taker } = request;
  const { receiver, suggestedPrice } = request;
  const price = suggestedPrice === null ? {} : { suggestedPrioritizationFees: Number(suggestedPrice) };
  return encodeBody({
    requestId,
    quoteId,
    tokenIn,
    tokenOut,
    amount: amount.toString(),
    quoteType,
    protocol: 'v1',
    feeBps,
    ...(taker === null ? {} : { taker, ...price }),
    ...(receiver === null ? {} : { receiver }),
  });
}

/** The body of `POST {base}/swap`. */
export function encodeSwapBody(requestId: string, quoteId: string, wire: Uint8Array): Uint8Array {
  return encodeBody({ requestId, quoteId, transaction: Buffer.from(wire).toString('base64') });
}

function encodeBody(body: object): Uint8Array {
  return Buffer.from(JSON.stringify(body));
}

/**
 * Reads a maker's answer to a quote request.
 * Returns the quote, or what is wrong with the answer, as a sentence; null if the maker does not repeat the receiver. It
 * then follows the older rules of the public toolkit, by which it would not sign the swap.
 */
export function readQuote(
  body: string,
  request: WebhookRequest,
  { makerId, address }: WebhookRecord,
): WebhookQuote | { readonly problem: string } | null {
  const answer = parseBodyObject(body);
  if (answer === null) return { problem: 'the answer is not a JSON object' };
  const echoed = {
    requestId: request.requestId,
    quoteId: request.quoteId,
    tokenIn: request.tokenIn,
    tokenOut: request.tokenOut,
    maker: address,
  };
  for (const [field, expected] of Object.entries(echoed)) {
    if (answer[field] !== expected) return { problem: differs(field, expected, answer[field]) };
  }
  if (plainWord(answer.quoteType) !== plainWord(request.quoteType)) {
    return { problem: differs('quoteType', request.quoteType, answer.quoteType) };
  }
  if (plainWord(answer.protocol) !== 'v1') return { problem: differs('protocol', 'v1', answer.protocol) };
  const { receiver } = request;
  if (receiver !== null && answer.receiver !== receiver) {
    if (answer.receiver === undefined || answer.receiver === null) return null;
    return { problem: differs('receiver', receiver, answer.receiver) };
  }
  const amounts = { amountIn: atoms(answer.amountIn), amountOut: atoms(answer.amountOut) };
  for (const [field, amount] of Object.entries(amounts)) {
    if (amount === null) {
      return { problem: `${field} must be a whole number of atoms as text, got ${shown(answer[field])}` };
    }
  }
  const { amountIn, amountOut } = amounts as { amountIn: bigint; amountOut: bigint };
  const fixed = request.quoteType === 'exactIn' ? 'amountIn' : 'amountOut';
  if ((fixed === 'amountIn' ? amountIn : amountOut) !== request.amount) {
    return { problem: differs(fixed, request.amount.toString(), answer[fixed]) };
  }
  const price = parseSuggestedPrice(answer.prioritizationFeeToUse);
  if (price === undefined) {
    const got = shown(answer.prioritizationFeeToUse);
    return { problem: `prioritizationFeeToUse must be a whole number up to ${MAX_PRICE}, got ${got}` };
  }
  return { makerId, maker: address, amountIn, amountOut, computeUnitPrice: price };
}

/** Reads a maker's answer to a swap. Only an unambiguous answer counts as accepted or rejected. */
export function readSwapAnswer(status: number, body: string, quoteId: string): SwapAnswer {
  const unanswered = (problem: string): SwapAnswer => ({ kind: 'unanswered', problem });
  if (status !== 200) return unanswered(`the answer has the status ${status}`);
  const answer = parseBodyObject(body);
  if (answer === null) return unanswered('the answer is not a JSON object');
  if (answer.quoteId !== quoteId) return unanswered(differs('quoteId', quoteId, answer.quoteId));
  const { state } = answer;
  if (state === 'accepted') {
    const { txSignature } = answer;
    const isSignature = typeof txSignature === 'string' && parseSignature(txSignature) !== null;
    return { kind: 'accepted', signature: isSignature ? txSignature : null };
  }
  if (state === 'rejected') return { kind: 'rejected', reason: freeText(answer.rejectionReason) };
  if (typeof state === 'object' && state !== null && 'rejectedWithReason' in state) {
    const reason = state.rejectedWithReason;
    const known = REASONS.find((each) => each === reason);
    return { kind: 'rejected', reason: known ?? 'botActivityDetected' };
  }
  return unanswered(`state must be accepted or rejected, got ${shown(state)}`);
}

/** Reads the answer of `GET {base}/tokens`. Null if it is not an array of addresses. */
export function readTokens(body: string): ReadonlySet<Address> | null {
  const list = parsed(body);
  if (!Array.isArray(list) || list.length > MAX_TOKENS) return null;
  const mints = new Set<Address>();
  for (const entry of list) {
    const mint = typeof entry === 'string' ? parseAddress(entry) : null;
    if (mint === null) return null;
    mints.add(mint);
  }
  return mints;
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body) as unknown;
  } catch {
    return undefined;
  }
}

function parseBodyObject(body: string): Readonly<Record<string, unknown>> | null {
  const value = parsed(body);
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : null;
}

/**
 * Makers write the same word as `exactIn`, `ExactIn` or `exact_in`. All forms are accepted, as by the public service.
 */
function plainWord(value: unknown): string | null {
  return typeof value === 'string' ? value.replaceAll('_', '').toLowerCase() : null;
}

function atoms(value: unknown): bigint | null {
  if (typeof value !== 'string' || !/^\d{1,20}$/.test(value)) return null;
  const amount = BigInt(value);
  return amount > 0n && amount <= U64_MAX ? amount : null;
}

/** Undefined for a value that is neither absent nor a price. */
function parseSuggestedPrice(value: unknown): bigint | null | undefined {
  if (value === undefined || value === null) return null;
  const isPrice = typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_PRICE;
  return isPrice ? BigInt(value) : undefined;
}

/** A maker's free text, without control characters. */
function freeText(value: unknown): string {
  if (typeof value !== 'string' || value.trim() === '') return 'no reason was given';
  return value.replace(/[\p{Cc}\p{Cf}]/gu, ' ').slice(0, MAX_REASON_LENGTH);
}

function differs(field: string, expected: string, got: unknown): string {
  return `${field} must be ${expected}, got ${shown(got)}`;
}

function shown(value: unknown): string {
  return formatForError(value);
}
