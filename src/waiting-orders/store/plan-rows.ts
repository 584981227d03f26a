import { address } from '../../solana/address.ts';
import { type Bps, bps } from '../../solana/units.ts';
import { computeTrailingTrigger } from '../legs.ts';
import {
  type ExitPair,
  PLAN_KINDS,
  type OrderPlan,
  type PricedLeg,
  type PricePlan,
  type RecurringPlan,
  type SinglePlan,
  TRIGGER_CONDITIONS,
} from '../order-plan.ts';
import type { waitingOrders } from './order-tables.ts';

export type OrderRow = typeof waitingOrders.$inferSelect;

type PlanColumn =
  | 'kind'
  | 'triggerMint'
  | 'condition'
  | 'triggerPrice'
  | 'slippageBps'
  | 'trailingBps'
  | 'watermark'
  | 'takeProfitPrice'
  | 'takeProfitSlippageBps'
  | 'stopLossPrice'
  | 'stopLossSlippageBps'
  | 'outputAccount'
  | 'roundCount'
  | 'intervalMs'
  | 'beginAt'
  | 'minPrice'
  | 'maxPrice'
  | 'earnMint';
export type PlanColumns = Pick<OrderRow, PlanColumn>;

const NO_PLAN: Omit<PlanColumns, 'kind'> = {
  triggerMint: null,
  condition: null,
  triggerPrice: null,
  slippageBps: null,
  trailingBps: null,
  watermark: null,
  takeProfitPrice: null,
  takeProfitSlippageBps: null,
  stopLossPrice: null,
  stopLossSlippageBps: null,
  outputAccount: null,
  roundCount: null,
  intervalMs: null,
  beginAt: null,
  minPrice: null,
  maxPrice: null,
  earnMint: null,
};

/** Returns the columns of a plan. Those that it does not have are null. */
export function toPlanColumns(plan: OrderPlan): PlanColumns {
  const { kind } = plan;
  switch (plan.kind) {
    case 'single': {
      const { triggerMint, condition, triggerPrice, slippageBps, trailing } = plan;
      const priced =
        trailing === null ? { triggerPrice } : { trailingBps: trailing.bps, watermark: trailing.watermark };
      return { ...NO_PLAN, kind, triggerMint, condition, slippageBps, ...priced };
    }
    case 'oco':
      return { ...NO_PLAN, kind, triggerMint: plan.triggerMint, ...toPairColumns(plan) };
    case 'otoco': {
      const { triggerMint, condition, triggerPrice, slippageBps, outputAccount } = plan;
      const entry = { triggerMint, condition, triggerPrice, slippageBps, outputAccount };
      return { ...NO_PLAN, kind, ...entry, ...toPairColumns(plan) };
    }
    default:
      return { ...NO_PLAN, kind, ...toRoundColumns(plan) };
  }
}

function toPairColumns({ takeProfit, stopLoss }: ExitPair) {
  return {
    takeProfitPrice: takeProfit.triggerPrice,
    takeProfitSlippageBps: takeProfit.slippageBps,
    stopLossPrice: stopLoss.triggerPrice,
    stopLossSlippageBps: stopLoss.slippageBps,
  };
}

function toRoundColumns({ rounds, intervalMs, beginAt, band, earnMint }: RecurringPlan) {
  return {
    roundCount: rounds,
    intervalMs,
    beginAt,
    triggerMint: band?.triggerMint ?? null,
    minPrice: band?.minPrice ?? null,
    maxPrice: band?.maxPrice ?? null,
    earnMint,
  };
}

/**
 * Reads the plan of an order from its row.
 *
 * @throws Error when the row is not as this program writes it
 */
export function readPlan(row: OrderRow): OrderPlan {
  const kind = readName(PLAN_KINDS, row.kind);
  if (kind === 'time_based' || kind === 'price_conditional') return readRecurringPlan(kind, row);
  return readPricePlan(kind, row);
}

function readPricePlan(kind: PricePlan['kind'], row: OrderRow): PricePlan {
  const triggerMint = address(readPresent(row, 'triggerMint'));
  switch (kind) {
    case 'single':
      return { kind, triggerMint, ...readSingle(row) };
    case 'oco':
      return { kind, triggerMint, ...readPair(row) };
    case 'otoco':
      return {
        kind,
        triggerMint,
        condition: readName(TRIGGER_CONDITIONS, readPresent(row, 'condition')),
        ...readLeg(row, 'triggerPrice', 'slippageBps'),
        outputAccount: address(readPresent(row, 'outputAccount')),
        ...readPair(row),
      };
  }
}

function readSingle(row: OrderRow): Omit<SinglePlan, 'kind' | 'triggerMint'> {
  const condition = readName(TRIGGER_CONDITIONS, readPresent(row, 'condition'));
  if (row.trailingBps === null) {
    return { condition, ...readLeg(row, 'triggerPrice', 'slippageBps'), trailing: null };
  }
  const trailing = { bps: bps(row.trailingBps), watermark: readPrice(row, 'watermark') };
  return {
    condition,
    triggerPrice: computeTrailingTrigger(condition, trailing),
    slippageBps: readBps(row.slippageBps),
    trailing,
  };
}

function readPair(row: OrderRow): ExitPair {
  return {
    takeProfit: readLeg(row, 'takeProfitPrice', 'takeProfitSlippageBps'),
    stopLoss: readLeg(row, 'stopLossPrice', 'stopLossSlippageBps'),
  };
}

type PriceColumn =
  | 'triggerPrice'
  | 'watermark'
  | 'takeProfitPrice'
  | 'stopLossPrice'
  | 'minPrice'
  | 'maxPrice';
type BpsColumn = 'slippageBps' | 'takeProfitSlippageBps' | 'stopLossSlippageBps';

function readLeg(row: OrderRow, price: PriceColumn, slippage: BpsColumn): PricedLeg {
  return { triggerPrice: readPrice(row, price), slippageBps: readBps(row[slippage]) };
}

function readRecurringPlan(kind: RecurringPlan['kind'], row: OrderRow): RecurringPlan {
  const band =
    row.triggerMint === null
      ? null
      : {
          triggerMint: address(row.triggerMint),
          minPrice: row.minPrice === null ? null : readPrice(row, 'minPrice'),
          maxPrice: row.maxPrice === null ? null : readPrice(row, 'maxPrice'),
        };
  return {
    kind,
    rounds: readPresent(row, 'roundCount'),
    intervalMs: readPresent(row, 'intervalMs'),
    beginAt: readPresent(row, 'beginAt'),
    band,
    earnMint: row.earnMint === null ? null : address(row.earnMint),
  };
}

function readPrice(row: OrderRow, column: PriceColumn): number {
  const price = readPresent(row, column);
  if (price > 0 && price < Infinity) return price;
  throw new Error(`the ${column} of the order ${row.id} is ${price}`);
}

function readBps(value: number | null): Bps | null {
  return value === null ? null : bps(value);
}

function readPresent<Column extends PlanColumn>(
  row: OrderRow,
  column: Column,
): NonNullable<PlanColumns[Column]> {
  const value = row[column];
  if (value === null || value === undefined) throw new Error(`the order ${row.id} has no ${column}`);
  return value;
}

export function readName<Name extends string>(names: readonly Name[], text: string): Name {
  const found = names.find((name) => name === text);
  if (found === undefined) throw new Error(`${JSON.stringify(text)} is none of ${names.join(', ')}`);
  return found;
}
