import { defineAccountLayout, type DecodedLayout } from '../lending-base/account-layout.ts';

/**
 * The totals and prices of one token. Rates, the fee and utilisations are basis points, and prices have 12 decimals.
 * Amounts with interest are raw, and all others are atoms. Source: the public IDL `liquidity`.
 */
export const RESERVE = defineAccountLayout('token reserve', '15123b8778141f0c', {
  mint: 'address',
  vault: 'address',
  borrowRate: 'u16',
  feeOnInterest: 'u16',
  lastUtilization: 'u16',
  /** Unix seconds. */
  lastUpdateTimestamp: 'u64',
  supplyExchangePrice: 'u64',
  borrowExchangePrice: 'u64',
  maxUtilization: 'u16',
  totalSupplyWithInterest: 'u64',
  totalSupplyInterestFree: 'u64',
  totalBorrowWithInterest: 'u64',
  totalBorrowInterestFree: 'u64',
  totalClaimAmount: 'u64',
  /** The protocol that announced incoming tokens, followed by the time and the balance of the vault at that time. */
  interactingProtocol: 'address',
  interactingTimestamp: 'u64',
  interactingBalance: 'u64',
});
export type Reserve = DecodedLayout<typeof RESERVE>;

/** The curve of a token's borrow rate. Version 1 has one kink, and version 2 has two. Version 0 was never configured. */
export const RATE_MODEL = defineAccountLayout('rate model', '5e03cbdb6b8904a2', {
  mint: 'address',
  version: 'u8',
  rateAtZero: 'u16',
  kink1Utilization: 'u16',
  rateAtKink1: 'u16',
  rateAtMax: 'u16',
  kink2Utilization: 'u16',
  rateAtKink2: 'u16',
});
export type RateModel = DecodedLayout<typeof RATE_MODEL>;

/** A protocol's supply of one token. `amount` and the limits are raw when `withInterest` is set. */
export const SUPPLY_POSITION = defineAccountLayout('user supply position', 'cadb88763db11592', {
  protocol: 'address',
  mint: 'address',
  withInterest: 'flag',
  amount: 'u64',
  /** The amount that must stay supplied, as of the last operation. 0 while the supply is below the base limit. */
  withdrawalLimit: 'u64',
  /** Never changed, because no public program is known that sets it. */
  decayAmount: 'u64',
  /** Unix seconds. */
  lastUpdate: 'u64',
  /** Basis points. */
  expandPercent: 'u16',
  /** Seconds. */
  expandDuration: 'u32',
  decayDuration: 'u32',
  baseWithdrawalLimit: 'u64',
  status: 'u8',
});
export type SupplyPosition = DecodedLayout<typeof SUPPLY_POSITION>;

/** A protocol's debt in one token. `amount` and the ceilings are raw when `withInterest` is set. */
export const BORROW_POSITION = defineAccountLayout('user borrow position', '497e417bdc7ec518', {
  protocol: 'address',
  mint: 'address',
  withInterest: 'flag',
  amount: 'u64',
  /** The maximum debt, as of the last operation. */
  debtCeiling: 'u64',
  lastUpdate: 'u64',
  expandPercent: 'u16',
  expandDuration: 'u32',
  baseDebtCeiling: 'u64',
  maxDebtCeiling: 'u64',
  status: 'u8',
});
export type BorrowPosition = DecodedLayout<typeof BORROW_POSITION>;

/** The status of a position. Only an active one can be operated. */
export const PositionStatus = { ACTIVE: 0, PAUSED: 1, NOT_CONFIGURED: 2 } as const;

/** The account that owns all reserves. While `locked` is set, nothing can be operated. */
export const LIQUIDITY_ACCOUNT = defineAccountLayout('liquidity', '36fcf9e289ac793a', {
  authority: 'address',
  revenueCollector: 'address',
  locked: 'flag',
  bump: 'u8',
});
