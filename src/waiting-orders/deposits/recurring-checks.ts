import type { Address } from '../../solana/address.ts';
import { isStablecoin } from '../../solana/known-tokens.ts';
import type { EarnProgram } from '../earning/earn-program.ts';
import type { PriceBand, RecurringPlan } from '../order-plan.ts';
import { OrderRefused } from '../order-refused.ts';
import { computeRoundAmount } from '../rounds.ts';
import { EARNING_REFUSED, requireEarnMint } from './earn-checks.ts';
import type { RecurringOrderRequest } from './order-request.ts';
import { checkPrice, checkTriggerMint, type PriceKnowledge } from './price-checks.ts';

/** US dollars that a round must be worth. */
const MINIMUM_ROUND_DOLLARS = 10;
/** How much less a round may be worth, because the price moves between the deposit and the order. */
const TOLERANCE_DOLLARS = 0.2;
const LEAST_ROUNDS = 2;
const LEAST_INTERVAL_SECONDS = 60;
const MOST_INTERVAL_SECONDS = 31_536_000;
const DAY_MS = 86_400_000;
const LATEST_BEGIN_DAYS = 30;

export interface RecurringKnowledge extends Pick<PriceKnowledge, 'hasPrice'> {
  /** Unix milliseconds. */
  readonly now: number;
  /** Returns the US dollars that an amount is worth; null without a price for that. */
  readonly worthInDollars: (mint: Address, atoms: bigint) => number | null;
  readonly earn: Pick<EarnProgram, 'find'>;
}

/**
 * Checks what a request says about its recurring order.
 *
 * @param amount - Atoms that arrive in the vault.
 * @throws OrderRefused with a sentence for the client
 */
export function checkRecurringPlan(
  request: RecurringOrderRequest,
  amount: bigint,
  knowledge: RecurringKnowledge,
): RecurringPlan {
  const { kind, orderCount, intervalSeconds } = request;
  checkWhole('orderCount', orderCount, LEAST_ROUNDS, Number.MAX_SAFE_INTEGER);
  checkWhole('intervalSeconds', intervalSeconds, LEAST_INTERVAL_SECONDS, MOST_INTERVAL_SECONDS);
  if (request.inputMint === request.outputMint) {
    throw new OrderRefused('invalid', 'Input mint and output mint cannot be the same');
  }
  const band = checkBand(request, knowledge);
  const earnMint = checkEarning(request, knowledge.earn);
  const beginAt = checkBegin(request.beginFillAt, knowledge.now);
  checkRoundWorth(request, computeRoundAmount(amount, orderCount), knowledge);
  return { kind, rounds: orderCount, intervalMs: intervalSeconds * 1_000, beginAt, band, earnMint };
}

function checkWhole(field: string, value: number, least: number, most: number): void {
  const refuse = (message: string) => new OrderRefused('invalid field', message, field);
  if (!Number.isInteger(value)) throw refuse('Invalid input: expected int, received number');
  if (value < least) throw refuse(`Too small: expected number to be >=${least}`);
  if (value > most) throw refuse(`Too big: expected number to be <=${most}`);
}

function checkBand(request: RecurringOrderRequest, knowledge: RecurringKnowledge): PriceBand | null {
  const { kind, minPriceUsd, maxPriceUsd, triggerMint, inputMint, outputMint } = request;
  const isBounded = minPriceUsd !== null || maxPriceUsd !== null;
  if (kind === 'time_based') {
    if (!isBounded) return null;
    throw new OrderRefused(
      'invalid field',
      'Time-based orders cannot set minPriceUsd or maxPriceUsd',
      'orderType',
    );
  }
  if (!isBounded) {
    throw new OrderRefused(
      'invalid field',
      'Price-conditional orders must have at least minPriceUsd or maxPriceUsd set',
      'orderType',
    );
  }
  if (triggerMint === null) {
    throw new OrderRefused(
      'invalid field',
      'Price-conditional orders must specify a triggerMint',
      'triggerMint',
    );
  }
  if (isStablecoin(inputMint) && isStablecoin(outputMint)) {
    throw new OrderRefused('invalid', 'Mint pair is not supported');
  }
  checkTriggerMint({ triggerMint, inputMint, outputMint }, knowledge);
  const minPrice = minPriceUsd === null ? null : checkPrice('minPriceUsd', minPriceUsd);
  const maxPrice = maxPriceUsd === null ? null : checkPrice('maxPriceUsd', maxPriceUsd);
  if (minPrice !== null && maxPrice !== null && minPrice > maxPrice) {
    throw new OrderRefused(
      'invalid',
      `minPriceUsd must not be greater than maxPriceUsd, got ${minPrice} and ${maxPrice}`,
      'minPriceUsd',
    );
  }
  return { triggerMint, minPrice, maxPrice };
}

function checkEarning(request: RecurringOrderRequest, earn: Pick<EarnProgram, 'find'>): Address | null {
  if (!request.earns) {
    if (request.earnMint === null) return null;
    throw new OrderRefused('invalid', 'jlMint must be omitted when jlEnabled is false', 'jlMint');
  }
  if (request.kind !== 'time_based') throw new OrderRefused('invalid', EARNING_REFUSED.kind, 'jlEnabled');
  return requireEarnMint(earn, request, 'jlEnabled');
}

function checkBegin(beginFillAt: number | null, now: number): number {
  if (beginFillAt === null) return now;
  if (!(beginFillAt >= now)) throw new OrderRefused('invalid', 'Begin fill time must be in the future');
  if (beginFillAt <= now + LATEST_BEGIN_DAYS * DAY_MS) return beginFillAt;
  throw new OrderRefused(
    'invalid',
    `Begin fill time cannot be more than ${LATEST_BEGIN_DAYS} days in the future`,
  );
}

/** A value just below the minimum must not be shown as the minimum, so it is rounded down. */
function checkRoundWorth(
  { inputMint }: RecurringOrderRequest,
  amount: bigint,
  { worthInDollars }: RecurringKnowledge,
): void {
  const dollars = worthInDollars(inputMint, amount);
  if (dollars === null) {
    throw new OrderRefused(
      'invalid',
      `inputMint ${inputMint} is not traded: no pool is deep enough to value it`,
    );
  }
  if (dollars >= MINIMUM_ROUND_DOLLARS - TOLERANCE_DOLLARS) return;
  const shown = (Math.floor(dollars * 100) / 100).toFixed(2);
  throw new OrderRefused(
    'invalid',
    `Each order must be at least ${MINIMUM_ROUND_DOLLARS} USD (current value: ${shown} USD)`,
  );
}
