import type { Address } from '../../solana/address.ts';
import { isStablecoin } from '../../solana/known-tokens.ts';
import { type Bps, bps } from '../../solana/units.ts';
import { createTrailingPlan } from '../legs.ts';
import type { ExitPair, PricedLeg, PricePlan, SinglePlan, TriggerCondition } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import { NEVER } from '../waiting-order.ts';
import type { PriceOrderRequest, RequestedPrices } from './order-request.ts';

/** What the checks of orders know about prices. */
export interface PriceKnowledge {
  /** Whether a mint has a price that triggers and floors can rely on. */
  readonly hasPrice: (mint: Address) => boolean;
  /** Returns US dollars for one whole token; null without a price that can be relied on. */
  readonly priceOf: (mint: Address) => number | null;
}

const LEAST_TRAILING_BPS = 50;
const MOST_TRAILING_BPS = 9_000;

/** The fields that orders of a kind do not have. */
const FOREIGN_FIELDS: Readonly<Record<PricePlan['kind'], readonly (keyof RequestedPrices)[]>> = {
  single: ['tpPriceUsd', 'tpSlippageBps', 'slPriceUsd', 'slSlippageBps'],
  oco: ['triggerPriceUsd', 'trailingBps', 'slippageBps'],
  otoco: ['trailingBps'],
};

/** @throws OrderRefused when a field is given that orders of the kind do not have */
export function refuseForeignFields(kind: PricePlan['kind'], given: RequestedPrices): void {
  const foreign = FOREIGN_FIELDS[kind].find((field) => given[field] !== null);
  if (foreign === undefined) return;
  throw new OrderRefused('invalid', `${foreign} must be omitted when orderType is '${kind}'`, foreign);
}

/**
 * Checks what a request says about its order.
 *
 * @param outputAccount - The second account of the vault that the deposit opens; null for a kind that has none.
 * @throws OrderRefused with a sentence for the client
 */
export function checkPricePlan(
  request: PriceOrderRequest,
  knowledge: PriceKnowledge,
  outputAccount: Address | null,
): PricePlan {
  const { kind, triggerMint } = request;
  refuseForeignFields(kind, request);
  switch (kind) {
    case 'single':
      return checkSingle(request, knowledge);
    case 'oco': {
      if (request.condition !== null) {
        throw new OrderRefused(
          'invalid',
          "triggerCondition must be omitted when orderType is 'oco'",
          'triggerCondition',
        );
      }
      const pair = checkPair(request);
      checkTriggerMint(request, knowledge);
      return { kind, triggerMint, ...pair };
    }
    case 'otoco': {
      const condition = requireCondition(request);
      const entry = checkLeg('triggerPriceUsd', request.triggerPriceUsd, 'slippageBps', request.slippageBps);
      const pair = checkPair(request);
      checkTriggerMint(request, knowledge);
      if (outputAccount === null) throw new Error('an otoco order needs an account for what it buys');
      return { kind, triggerMint, condition, ...entry, outputAccount, ...pair };
    }
  }
}

function checkSingle(request: PriceOrderRequest, knowledge: PriceKnowledge): SinglePlan {
  const { triggerMint, triggerPriceUsd, trailingBps, slippageBps } = request;
  const condition = requireCondition(request);
  if ((triggerPriceUsd === null) === (trailingBps === null)) {
    throw new OrderRefused('invalid', 'exactly one of triggerPriceUsd or trailingBps must be set');
  }
  if (trailingBps === null) {
    const leg = checkLeg('triggerPriceUsd', triggerPriceUsd, 'slippageBps', slippageBps);
    checkTriggerMint(request, knowledge);
    return { kind: 'single', triggerMint, condition, ...leg, trailing: null };
  }
  const distance = checkTrailingBps(trailingBps);
  const side = condition === 'below' ? 'inputMint' : 'outputMint';
  if (triggerMint !== request[side]) {
    throw new OrderRefused(
      'invalid',
      `triggerMint of a trailing order must be ${side} when triggerCondition is '${condition}', got ${triggerMint}`,
      'triggerMint',
    );
  }
  refuseStableTrigger(triggerMint);
  const watermark = requireMarketPrice(knowledge, triggerMint);
  const slippage = checkSlippage('slippageBps', slippageBps);
  return createTrailingPlan({ triggerMint, condition, slippageBps: slippage }, { bps: distance, watermark });
}

function requireCondition({ condition }: PriceOrderRequest): TriggerCondition {
  if (condition !== null) return condition;
  throw new OrderRefused(
    'invalid field',
    'Invalid option: expected one of "above"|"below"',
    'triggerCondition',
  );
}

function checkPair(given: RequestedPrices): ExitPair {
  const { tpPriceUsd, tpSlippageBps, slPriceUsd, slSlippageBps } = given;
  const takeProfit = checkLeg('tpPriceUsd', tpPriceUsd, 'tpSlippageBps', tpSlippageBps);
  const stopLoss = checkLeg('slPriceUsd', slPriceUsd, 'slSlippageBps', slSlippageBps);
  requireProfitAboveLoss({ takeProfit, stopLoss });
  return { takeProfit, stopLoss };
}

/** @throws OrderRefused when the profit would be taken below the price at which the loss is stopped */
export function requireProfitAboveLoss({ takeProfit, stopLoss }: ExitPair): void {
  if (takeProfit.triggerPrice > stopLoss.triggerPrice) return;
  throw new OrderRefused(
    'invalid',
    `tpPriceUsd must be greater than slPriceUsd, got ${takeProfit.triggerPrice} and ${stopLoss.triggerPrice}`,
    'tpPriceUsd',
  );
}

function checkLeg(
  priceField: string,
  price: number | null,
  slippageField: string,
  slippage: number | null,
): PricedLeg {
  return {
    triggerPrice: checkPrice(priceField, price),
    slippageBps: checkSlippage(slippageField, slippage),
  };
}

/** @throws OrderRefused when it is not a price */
export function checkPrice(field: string, price: number | null): number {
  if (price === null) {
    throw new OrderRefused('invalid field', 'Invalid input: expected number, received undefined', field);
  }
  if (Number.isFinite(price) && price > 0) return price;
  throw new OrderRefused('invalid', `${field} must be a number of US dollars above 0, got ${price}`);
}

/** @throws OrderRefused when it is no slippage */
export function checkSlippage(field: string, slippage: number | null): Bps | null {
  if (slippage === null) return null;
  if (Number.isInteger(slippage) && slippage >= 0 && slippage <= 10_000) return bps(slippage);
  throw new OrderRefused('invalid', `${field} must be a whole number from 0 to 10000, got ${slippage}`);
}

/** @throws OrderRefused when a trigger cannot trail at the distance */
export function checkTrailingBps(distance: number): Bps {
  const isInRange = distance >= LEAST_TRAILING_BPS && distance <= MOST_TRAILING_BPS;
  if (Number.isInteger(distance) && isInRange) return bps(distance);
  throw new OrderRefused(
    'invalid',
    `trailingBps must be a whole number from ${LEAST_TRAILING_BPS} to ${MOST_TRAILING_BPS}, got ${distance}`,
    'trailingBps',
  );
}

/** @throws OrderRefused when the token has no price */
export function requireMarketPrice({ priceOf, hasPrice }: PriceKnowledge, mint: Address): number {
  const price = hasPrice(mint) ? priceOf(mint) : null;
  if (price !== null && price > 0 && Number.isFinite(price)) return price;
  throw new OrderRefused('invalid', 'Market price is unavailable for trailing order');
}

/** Checks the end of an order. @throws OrderRefused when it is no time in the future */
export function checkEnd(expiresAt: number, now: number): number {
  if (!Number.isInteger(expiresAt) || expiresAt > NEVER) {
    throw new OrderRefused(
      'invalid',
      `expiresAt must be a whole number of Unix milliseconds, got ${expiresAt}`,
    );
  }
  if (expiresAt > now) return expiresAt;
  throw new OrderRefused(
    'invalid',
    `expiresAt must be in the future, in Unix milliseconds: got ${expiresAt}, and it is ${now}`,
  );
}

/** @throws OrderRefused when the price of a mint cannot trigger an order between two others */
export function checkTriggerMint(
  {
    triggerMint,
    inputMint,
    outputMint,
  }: { readonly triggerMint: Address; readonly inputMint: Address; readonly outputMint: Address },
  { hasPrice }: Pick<PriceKnowledge, 'hasPrice'>,
): void {
  if (triggerMint !== inputMint && triggerMint !== outputMint) {
    throw new OrderRefused('invalid', `triggerMint must be inputMint or outputMint, got ${triggerMint}`);
  }
  refuseStableTrigger(triggerMint);
  if (hasPrice(triggerMint)) return;
  throw new OrderRefused(
    'invalid',
    `Trigger mint is not supported: ${triggerMint} has no price that can be relied on now`,
  );
}

function refuseStableTrigger(mint: Address): void {
  if (isStablecoin(mint)) throw new OrderRefused('invalid', 'Trigger mint is not supported');
}
