import type { Address } from '../../solana/address.ts';
import { findTokenByMint } from '../../solana/known-tokens.ts';
import { bps } from '../../solana/units.ts';
import { OrderRefused } from '../order-refused.ts';
import type { SinglePlan, TriggerCondition } from '../order-plan.ts';
import type { OrderTransaction, WaitingOrder } from '../waiting-order.ts';
import type { DepositTerms } from './deposit-craft.ts';

/** An order over one price, as a client asks for it. */
export interface PriceOrderRequest {
  /** The wallet that has signed in. */
  readonly wallet: Address;
  /** The wallet that the request names. */
  readonly userPubkey: Address;
  readonly depositRequestId: string;
  /** Base64. */
  readonly depositSignedTx: string;
  readonly inputMint: Address;
  readonly inputAmount: bigint;
  readonly outputMint: Address;
  readonly triggerMint: Address;
  readonly condition: TriggerCondition;
  /** US dollars for one whole token of the trigger mint; null if it is not given. */
  readonly triggerPriceUsd: number | null;
  /** Null if it is not given. */
  readonly trailingBps: number | null;
  /** Null leaves it to the service. */
  readonly slippageBps: number | null;
  /** Unix milliseconds. */
  readonly expiresAt: number;
}

/** What is checked of an order before anything is signed. */
export interface CheckedOrder {
  readonly plan: SinglePlan;
  readonly expiresAt: number;
}

/** The latest time that a `Date` can hold. */
const LATEST = 8_640_000_000_000_000;

/** @throws OrderRefused when the request names another wallet than the one that has signed in */
export function requireOwnWallet(wallet: Address, named: Address): void {
  if (wallet === named) return;
  throw new OrderRefused('not the owner', 'Forbidden: userPubkey must match authenticated user');
}

/**
 * Checks what a request says about its order.
 *
 * @param now - Unix milliseconds.
 * @throws OrderRefused with a sentence for the client
 */
export function checkOrder(
  request: PriceOrderRequest,
  { now, hasPrice }: { readonly now: number; readonly hasPrice: (mint: Address) => boolean },
): CheckedOrder {
  const { triggerMint, condition, slippageBps, expiresAt } = request;
  const triggerPrice = checkTriggerPrice(request);
  checkTriggerMint(request, hasPrice);
  if (!Number.isInteger(expiresAt) || expiresAt > LATEST) {
    throw new OrderRefused(
      'invalid',
      `expiresAt must be a whole number of Unix milliseconds, got ${expiresAt}`,
    );
  }
  if (expiresAt <= now) {
    throw new OrderRefused(
      'invalid',
      `expiresAt must be in the future, in Unix milliseconds: got ${expiresAt}, and it is ${now}`,
    );
  }
  if (slippageBps !== null && !(Number.isInteger(slippageBps) && slippageBps >= 0 && slippageBps <= 10_000)) {
    throw new OrderRefused(
      'invalid',
      `slippageBps must be a whole number from 0 to 10000, got ${slippageBps}`,
    );
  }
  const slippage = slippageBps === null ? null : bps(slippageBps);
  return {
    plan: { kind: 'single', triggerMint, condition, triggerPrice, slippageBps: slippage, trailing: null },
    expiresAt,
  };
}

function checkTriggerPrice({ triggerPriceUsd, trailingBps }: PriceOrderRequest): number {
  if ((triggerPriceUsd === null) === (trailingBps === null)) {
    throw new OrderRefused('invalid', 'exactly one of triggerPriceUsd or trailingBps must be set');
  }
  if (triggerPriceUsd === null) throw new OrderRefused('invalid', 'Trailing orders are not enabled');
  if (Number.isFinite(triggerPriceUsd) && triggerPriceUsd > 0) return triggerPriceUsd;
  throw new OrderRefused(
    'invalid',
    `triggerPriceUsd must be a number of US dollars above 0, got ${triggerPriceUsd}`,
  );
}

function checkTriggerMint(
  { triggerMint, inputMint, outputMint }: PriceOrderRequest,
  hasPrice: (mint: Address) => boolean,
): void {
  if (triggerMint !== inputMint && triggerMint !== outputMint) {
    throw new OrderRefused('invalid', `triggerMint must be inputMint or outputMint, got ${triggerMint}`);
  }
  const isStable = findTokenByMint(triggerMint)?.tags.includes('stablecoin') ?? false;
  if (isStable) throw new OrderRefused('invalid', 'Trigger mint is not supported');
  if (hasPrice(triggerMint)) return;
  throw new OrderRefused(
    'invalid',
    `Trigger mint is not supported: ${triggerMint} has no price that can be relied on now`,
  );
}

/** @throws OrderRefused when the order is about something else than what was crafted */
export function checkAgainstDeposit(request: PriceOrderRequest, terms: DepositTerms): void {
  const pairs = [
    ['inputMint', request.inputMint, terms.inputMint],
    ['outputMint', request.outputMint, terms.outputMint],
    ['inputAmount', request.inputAmount, terms.amount],
  ] as const;
  for (const [name, given, crafted] of pairs) {
    if (given !== crafted) {
      throw new OrderRefused(
        'invalid',
        `${name} does not match the deposit: it was crafted with ${crafted}, got ${given}`,
      );
    }
  }
}

/** Whether a request asks again for an order that was created before. */
export function isSameOrder(
  request: PriceOrderRequest,
  order: WaitingOrder,
  deposit: Pick<OrderTransaction, 'inputAmount'>,
): boolean {
  const { plan } = order;
  return (
    plan.kind === 'single' &&
    request.inputMint === order.inputMint &&
    request.outputMint === order.outputMint &&
    request.inputAmount === deposit.inputAmount &&
    request.triggerMint === plan.triggerMint &&
    request.condition === plan.condition &&
    request.triggerPriceUsd === plan.triggerPrice &&
    request.trailingBps === null &&
    request.slippageBps === plan.slippageBps &&
    request.expiresAt === order.expiresAt
  );
}
