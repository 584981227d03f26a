import { type ExactJson, ExactNumber, isExactList } from '../../../../base/exact-json.ts';
import { parseFixed } from '../../../../base/fixed-point.ts';
import { getItems } from '../../../../base/read-json.ts';

/** One price of an order book of a market, with the contracts that are wanted or offered there. */
export interface BookLevel {
  /** Of one yes contract, in billionths of a dollar. */
  readonly price: bigint;
  /** In millionths of a contract. */
  readonly contracts: bigint;
}

/** The order book of a market, for yes contracts: from the best price on. */
export interface BookView {
  readonly bids: readonly BookLevel[];
  /** Whoever bids for a no contract offers a yes contract for what is left of a dollar. */
  readonly asks: readonly BookLevel[];
}

/** What one contract pays if its side wins, in billionths of a dollar. */
const ONE_DOLLAR = 1_000_000_000n;
/** Digits of contracts behind the point. */
export const CONTRACT_DECIMALS = 6;
/** Levels of each side that are shown at most. A contract has 99 prices in cents, and tenths of them. */
const MAX_LEVELS = 1_000;

/** Reads the answer of `GET /prediction/v1/orderbook/{marketId}`. Levels without a price of a contract are left out. */
export function parseBook(answer: ExactJson): BookView {
  const bids = readLevels(answer, 'yes_dollars');
  const asks = readLevels(answer, 'no_dollars').map(({ price, contracts }) => ({
    price: ONE_DOLLAR - price,
    contracts,
  }));
  return {
    bids: bids.toSorted((one, other) => compare(other.price, one.price)),
    asks: asks.toSorted((one, other) => compare(one.price, other.price)),
  };
}

function readLevels(answer: ExactJson, name: string): readonly BookLevel[] {
  return getItems(answer, name)
    .slice(0, MAX_LEVELS)
    .flatMap((level) => {
      if (!isExactList(level)) return [];
      const price = toFixed(level[0], 9);
      const contracts = toFixed(level[1], CONTRACT_DECIMALS);
      const isLevel =
        price !== null && contracts !== null && price > 0n && price < ONE_DOLLAR && contracts > 0n;
      return isLevel ? [{ price, contracts }] : [];
    });
}

function toFixed(value: ExactJson | undefined, places: number): bigint | null {
  if (value instanceof ExactNumber) return parseFixed(value.source, places);
  return typeof value === 'string' ? parseFixed(value, places) : null;
}

function compare(one: bigint, other: bigint): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
