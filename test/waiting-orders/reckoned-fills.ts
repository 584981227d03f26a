import type { LandedTransaction } from '../../src/chain/landed-transactions.ts';
import type { Address } from '../../src/solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../src/solana/program-addresses.ts';
import type { FloorLimits } from '../../src/waiting-orders/fills/floor.ts';
import { isRecurring, type OrderLeg } from '../../src/waiting-orders/order-plan.ts';
import type { OrderTransaction, WaitingOrder } from '../../src/waiting-orders/waiting-order.ts';
import { isWorth, type ShareRates } from './reckoned-shares.ts';
import type { OrderWishes } from './trading-wallet.ts';
import { areRounds, type WantedEdit, type WantedPrices, type WantedRounds } from './wanted-orders.ts';

/** A fill that succeeded, by the chain. */
export interface ReckonedFill {
  readonly transaction: OrderTransaction;
  readonly landed: LandedTransaction;
  /** Atoms that left the account that it sold from. */
  readonly sold: bigint;
  /** Atoms that the account held before, without what strangers had sent. */
  readonly held: bigint;
}

/** Prices that one leg of an order may have waited for, of all that the wallet ever asked for. */
interface LegWish {
  readonly condition: 'above' | 'below';
  readonly prices: readonly number[];
  /** Slippages that the wallet named; null leaves it to the service. */
  readonly slippages: readonly (number | null)[];
}

const ALL_BPS = 10_000;
/** The slippage of an order that stops a loss, or buys above a price, where its wallet names none. */
const PROTECTIVE_BPS = 2_000;
/** Processes measure the clock of the database, and may be apart by a little. */
const CLOCKS_APART_MS = 50;
/** Of a trailed price, which is computed with fractions. */
const ROUNDING = 1e-9;

/** Returns what is wrong with the fills of one order, the oldest first. */
export function checkFills(
  order: WaitingOrder,
  fills: readonly ReckonedFill[],
  { wanted, edits }: OrderWishes,
  rates: ShareRates,
): readonly string[] {
  if (areRounds(wanted)) return checkRounds(order, fills, wanted, rates);
  return [
    ...fills.flatMap((fill) => checkPrice(order, fill, wanted, edits)),
    ...checkLegs(order, fills),
    ...fills.flatMap(({ transaction: { createdAt, number } }) =>
      createdAt < Math.max(wanted.expiresAt, ...edits.map(({ expiresAt }) => expiresAt ?? 0)) &&
      (createdAt < order.expiresAt ||
        (order.editedAt !== null && createdAt <= order.editedAt + CLOCKS_APART_MS))
        ? []
        : [`fill ${number} was made after the order had expired`],
    ),
  ];
}

/** Returns the most that a fill of a leg may pay less than its reference, by all that the wallet ever asked for. */
export function findMostSlippage(
  wishes: OrderWishes | null,
  leg: OrderLeg | null,
  inputMint: Address,
  { floorBps, maxFloorBps }: FloorLimits,
): number {
  if (wishes === null || areRounds(wishes.wanted)) return floorBps;
  const { condition, slippages } = findLegWish(leg, wishes.wanted, wishes.edits);
  const isProtective = (inputMint === WRAPPED_SOL_MINT) === (condition === 'below');
  const named = slippages.map((slippage) => slippage ?? (isProtective ? PROTECTIVE_BPS : 0));
  return Math.min(Math.max(...named, floorBps), maxFloorBps);
}

/** Returns what the wallet wished of a leg, at any time. */
function findLegWish(leg: OrderLeg | null, wanted: WantedPrices, edits: readonly WantedEdit[]): LegWish {
  const all = [wanted, ...edits];
  const given = <T>(values: readonly (T | null)[]) => values.filter((value) => value !== null);
  if (leg === 'take_profit') {
    const prices = given(all.map(({ tpPriceUsd }) => tpPriceUsd));
    return { condition: 'above', prices, slippages: all.map(({ tpSlippageBps }) => tpSlippageBps) };
  }
  if (leg === 'stop_loss') {
    const prices = given(all.map(({ slPriceUsd }) => slPriceUsd));
    return { condition: 'below', prices, slippages: all.map(({ slSlippageBps }) => slSlippageBps) };
  }
  return {
    condition: wanted.condition ?? 'above',
    prices: given(all.map(({ triggerPriceUsd }) => triggerPriceUsd)),
    slippages: all.map(({ slippageBps }) => slippageBps),
  };
}

/** A fill after the last change has to have waited for what the order says now, and others for something that was asked for. */
function checkPrice(
  order: WaitingOrder,
  { transaction: { leg, number, triggeredPrice, createdAt } }: ReckonedFill,
  wanted: WantedPrices,
  edits: readonly WantedEdit[],
): readonly string[] {
  const { condition, prices } = findLegWish(leg, wanted, edits);
  const possible = wanted.trailingBps === null ? prices : listTrailed(order, wanted, edits);
  const isCurrent = order.editedAt !== null && createdAt > order.editedAt + CLOCKS_APART_MS;
  const current = isCurrent || edits.length === 0 ? readCurrent(order, leg) : null;
  const allowed = current === null ? possible : [current];
  if (current !== null && wanted.trailingBps === null && !prices.includes(current)) {
    return [`its leg ${leg} waits for ${current}, which the wallet has never asked for`];
  }
  const isReached = (price: number) =>
    triggeredPrice !== null && (condition === 'above' ? triggeredPrice >= price : triggeredPrice <= price);
  return allowed.some(isReached) ? [] : [`fill ${number} of ${leg} was triggered at ${triggeredPrice}`];
}

/** The price of a leg as the store has it. */
function readCurrent({ plan }: WaitingOrder, leg: OrderLeg | null): number | null {
  if (isRecurring(plan)) return null;
  if (leg === 'take_profit' && plan.kind !== 'single') return plan.takeProfit.triggerPrice;
  if (leg === 'stop_loss' && plan.kind !== 'single') return plan.stopLoss.triggerPrice;
  return plan.kind === 'oco' ? null : plan.triggerPrice;
}

/** The prices that follow from the best watermark, at all distances. */
function listTrailed(
  { plan }: WaitingOrder,
  wanted: WantedPrices,
  edits: readonly WantedEdit[],
): readonly number[] {
  const trailing = plan.kind === 'single' ? plan.trailing : null;
  if (trailing === null) return [];
  const distances = [wanted, ...edits].flatMap(({ trailingBps }) => trailingBps ?? []);
  const sign = wanted.condition === 'below' ? -1 : 1;
  return distances.map(
    (bps) => trailing.watermark * ((ALL_BPS + sign * bps) / ALL_BPS) * (1 - sign * ROUNDING),
  );
}

/** No exit is filled before its entry is, in whole, and nothing after one leg has sold everything. */
function checkLegs({ plan, inputAmount }: WaitingOrder, fills: readonly ReckonedFill[]): readonly string[] {
  const differences: string[] = [];
  let entered = 0n;
  let left: bigint | null = null;
  for (const { transaction, sold, held } of fills) {
    const { leg, number } = transaction;
    const isExit = leg === 'take_profit' || leg === 'stop_loss';
    if (isExit !== (plan.kind === 'oco' || (plan.kind === 'otoco' && entered >= inputAmount))) {
      differences.push(`fill ${number} is of ${leg} while ${entered} of ${inputAmount} atoms were sold`);
    }
    if (leg === 'entry') entered += sold;
    else {
      if (left !== null && left <= 0n)
        differences.push(`fill ${number} of ${leg} was made after everything was sold`);
      left = held - sold;
    }
  }
  return differences;
}

/** Every round sells its part, one in each interval, and the last one what is left. */
function checkRounds(
  order: WaitingOrder,
  fills: readonly ReckonedFill[],
  { orderCount, intervalSeconds, beginFillAt, minPriceUsd, maxPriceUsd }: WantedRounds,
  rates: ShareRates,
): readonly string[] {
  const { state, inputAmount, rounds, createdAt } = order;
  const part = inputAmount / BigInt(orderCount);
  const counted = state === 'fill_success' ? orderCount : Math.min(fills.length, orderCount - 1);
  const differences =
    rounds?.filled === counted ? [] : [`${rounds?.filled} rounds are counted, not ${counted}`];
  let due = beginFillAt ?? createdAt;
  for (const [index, { transaction, sold, held }] of fills.entries()) {
    const { number, leg, round, triggeredPrice } = transaction;
    const isLast = index + 1 >= orderCount;
    if (leg !== 'round' || round !== Math.min(index + 1, orderCount)) {
      differences.push(`fill ${number} is of the round ${round} of ${leg}, and not ${index + 1}`);
    }
    const isPart = isWorth(order, sold, part, rates);
    if (!isLast && !isPart) differences.push(`round ${index + 1} sold ${sold} atoms, and not ${part}`);
    if (isLast && isPart && held > sold) {
      differences.push(`the last round has left ${held - sold} atoms`);
    }
    if (transaction.createdAt < due - CLOCKS_APART_MS) {
      differences.push(`round ${index + 1} was filled at ${transaction.createdAt}, and is due at ${due}`);
    }
    due = transaction.createdAt + intervalSeconds * 1_000;
    if (minPriceUsd !== null && !(Number(triggeredPrice ?? Number.NaN) >= minPriceUsd)) {
      differences.push(`round ${index + 1} was filled at ${triggeredPrice}, below ${minPriceUsd}`);
    }
    if (maxPriceUsd !== null && !(Number(triggeredPrice ?? Number.NaN) <= maxPriceUsd)) {
      differences.push(`round ${index + 1} was filled at ${triggeredPrice}, above ${maxPriceUsd}`);
    }
  }
  return differences;
}
