import { createHash } from 'node:crypto';
import type { Address } from '../../solana/address.ts';
import { encodeBase58 } from '../../solana/encoding/base58.ts';
import type { ExchangeCommand, ExchangeOrder, MarketTerms } from '../../exchange/exchange-order.ts';

/** The market that test orders are for. */
export const TEST_MARKET = 'rain-tomorrow';

/** Returns an address that is the same for the same name. */
export function createTestAddress(name: string): Address {
  return encodeBase58(createHash('sha256').update(name).digest()) as Address;
}

/** Returns the command that opens the test market, by default without a house. */
export function createTestMarket(terms: Partial<MarketTerms> = {}): ExchangeCommand {
  const house = { startCents: 50, levelContracts: 0n };
  return { kind: 'open', terms: { marketId: TEST_MARKET, feeBps: 700, house, netYes: 0n, ...terms } };
}

/** What a test says of an order. Contracts are whole ones, prices cents. */
export interface TestOrderTerms {
  readonly owner?: string;
  readonly isYes?: boolean;
  readonly isBuy?: boolean;
  readonly isLimit?: boolean;
  readonly cents?: number;
  readonly contracts?: number;
  readonly budget?: bigint;
  readonly held?: number;
}

/** Returns an order by its name. By default it buys ten yes at up to 50 cents, rests, has an owner of its own and enough money. */
export function createTestOrder(name: string, terms: TestOrderTerms = {}): ExchangeOrder {
  const { owner = `owner of ${name}`, isYes = true, isBuy = true, isLimit = true, cents = 50 } = terms;
  const { contracts = 10, budget = 1_000_000_000n, held = contracts } = terms;
  return {
    address: createTestAddress(name),
    owner: createTestAddress(owner),
    marketId: TEST_MARKET,
    isYes,
    isBuy,
    isLimit,
    limitPrice: BigInt(Math.round(cents * 10_000)),
    contracts: BigInt(Math.round(contracts * 1_000_000)),
    budget: isBuy ? budget : 0n,
    heldContracts: isBuy ? 0n : BigInt(Math.round(held * 1_000_000)),
  };
}

/** Returns the command that brings such an order. */
export function createTestAccept(name: string, terms: TestOrderTerms = {}): ExchangeCommand {
  return { kind: 'accept', order: createTestOrder(name, terms) };
}
