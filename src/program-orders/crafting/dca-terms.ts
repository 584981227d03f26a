import { DCA_MIN_FREQUENCY } from '../../protocols/jupiter-dca/dca-schedule.ts';
import type { DcaTerms } from '../../protocols/jupiter-dca/dca-instructions.ts';
import type { Address } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { formatWorth } from './format-worth.ts';
import { createImpossibleOrder, type ImpossibleOrder } from './impossible-order.ts';
import { computeDcaOutputBounds, type DcaPriceRange, type RequestNumber } from './dca-price-bounds.ts';

/** An order as it is asked for. */
export interface DcaOrderRequest extends DcaPriceRange {
  readonly user: Address;
  readonly inputMint: Address;
  readonly outputMint: Address;
  /** Atoms of the input, for all cycles. */
  readonly inAmount: RequestNumber;
  readonly numberOfOrders: RequestNumber;
  /** Seconds between two cycles. */
  readonly interval: RequestNumber;
  /** The Unix second of the first cycle. Null or 0 for now. */
  readonly startAt: RequestNumber | null;
}

/** What is known of the tokens of an order, and of the time. */
export interface DcaKnowledge {
  readonly inputDecimals: number;
  readonly outputDecimals: number;
  /** Unix second of the network. */
  readonly now: bigint;
  /** Returns the US dollars that an amount is worth; null without a price for that. */
  readonly worthInDollars: (mint: Address, atoms: bigint) => number | null;
}

const LEAST_ORDERS = 2n;
const YEAR_SECONDS = 31_536_000n;
/** A start that is earlier is no mistake of a clock. */
const LONGEST_AGO_SECONDS = 86_400n;
/** US dollars that the whole order must be worth, and each of its cycles. */
const MINIMUM_DOLLARS = 100;
const MINIMUM_CYCLE_DOLLARS = 50;

/** Checks what is asked for, and returns the terms of the order, or why there are none. */
export function checkDcaTerms(request: DcaOrderRequest, knowledge: DcaKnowledge): DcaTerms | ImpossibleOrder {
  const inAmount = parseWhole('inAmount', request.inAmount, 1n, U64_MAX);
  if (typeof inAmount !== 'bigint') return inAmount;
  const orders = parseWhole('numberOfOrders', request.numberOfOrders, LEAST_ORDERS, U64_MAX);
  if (typeof orders !== 'bigint') return orders;
  const cycleFrequency = parseWhole('interval', request.interval, DCA_MIN_FREQUENCY, YEAR_SECONDS);
  if (typeof cycleFrequency !== 'bigint') return cycleFrequency;
  const startAt = parseStart(request.startAt, knowledge.now);
  if (startAt !== undefined && typeof startAt !== 'bigint') return startAt;
  const inAmountPerCycle = inAmount / orders;
  const unworthy = checkWorth(request.inputMint, inAmount, inAmountPerCycle, knowledge);
  if (unworthy !== null) return unworthy;
  if (inAmount / inAmountPerCycle !== orders) {
    return createImpossibleOrder(
      `inAmount ${inAmount} cannot be divided into ${orders} equal orders: of ${inAmountPerCycle} each, there would be ${inAmount / inAmountPerCycle}`,
    );
  }
  const bounds = computeDcaOutputBounds(request, { ...knowledge, amount: inAmountPerCycle });
  if ('kind' in bounds) return bounds;
  return { inAmount, inAmountPerCycle, cycleFrequency, startAt, ...bounds };
}

function parseWhole(
  name: string,
  value: RequestNumber,
  least: bigint,
  most: bigint,
): bigint | ImpossibleOrder {
  const isWhole = typeof value === 'bigint' || Number.isInteger(value);
  const whole = isWhole ? BigInt(value) : least - 1n;
  if (whole >= least && whole <= most) return whole;
  return createImpossibleOrder(`${name} must be a whole number from ${least} to ${most}, got ${value}`);
}

/** Returns undefined for an order that starts at once, as the program takes a start of 0. */
function parseStart(startAt: RequestNumber | null, now: bigint): bigint | ImpossibleOrder | undefined {
  if (startAt === null || Number(startAt) === 0) return undefined;
  return parseWhole('startAt', startAt, now - LONGEST_AGO_SECONDS, now + YEAR_SECONDS);
}

function checkWorth(
  mint: Address,
  inAmount: bigint,
  inAmountPerCycle: bigint,
  { worthInDollars }: DcaKnowledge,
): ImpossibleOrder | null {
  const [dollars, dollarsPerCycle] = [worthInDollars(mint, inAmount), worthInDollars(mint, inAmountPerCycle)];
  if (dollars === null || dollarsPerCycle === null) {
    return createImpossibleOrder(`inputMint ${mint} is not traded: no pool is deep enough to value it`);
  }
  if (dollars < MINIMUM_DOLLARS) {
    return createImpossibleOrder(
      `Order is valued at ${formatInUsdc(dollars)}, minimum is ${formatInUsdc(MINIMUM_DOLLARS)}`,
    );
  }
  if (dollarsPerCycle < MINIMUM_CYCLE_DOLLARS) {
    return createImpossibleOrder(
      `Each order valued at ${formatInUsdc(dollarsPerCycle)}, minimum is ${formatInUsdc(MINIMUM_CYCLE_DOLLARS)}`,
    );
  }
  return null;
}

function formatInUsdc(dollars: number): string {
  return `${formatWorth(dollars, (rounded) => rounded.toFixed(2))} USDC`;
}
