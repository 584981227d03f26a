import type { AdaptiveFeeConstants } from '../program/oracle.ts';
import type { Address } from '../../../solana/address.ts';

/** One position of a planned pool: from a number of ticks below the price to as many above. */
export interface PlannedRange {
  /** How far the range reaches from the price on each side, in ticks: about a hundredth of a percent each. */
  readonly reach: number;
  /** Whole US dollars on each side, at the prices of the genesis. */
  readonly depth: bigint;
  /** Whether the position is the first one of a bundle. Default: it has a token of its own. */
  readonly isBundled?: boolean;
}

/** A concentrated-liquidity pool of the genesis: the plan from which its accounts are written. */
export interface PlannedWhirlpool {
  /** Symbols, in any order. */
  readonly pair: readonly [string, string];
  readonly tickSpacing: number;
  readonly ranges: readonly PlannedRange[];
  /** Whether its tick arrays have the dynamic form, as current clients create them. */
  readonly dynamicArrays?: boolean;
  /** Absent: the fee is that of the tick spacing's tier. */
  readonly adaptiveFee?: PlannedAdaptiveFee;
}

/** A fee tier whose fee rises with volatility above that of the tick spacing. */
export interface PlannedAdaptiveFee {
  readonly feeTierIndex: number;
  readonly constants: AdaptiveFeeConstants;
}

/** Orca's configuration on mainnet, so that the pools stand at the addresses that they have there. */
export const WHIRLPOOLS_CONFIG = '2LecshUwdy9xi7meFgHtFJQNSKk4KdTrcpvaB56dP2NQ' as Address;

/** Ten-thousandths of each fee, for pools of the configuration. */
export const WHIRLPOOL_PROTOCOL_FEE_RATE = 1300;

/** Fee tiers as they stand on mainnet: millionths of the input by tick spacing. */
export const WHIRLPOOL_FEE_TIERS: readonly (readonly [tickSpacing: number, feeRate: number])[] = [
  [1, 100],
  [2, 200],
  [4, 400],
  [8, 500],
  [16, 1600],
  [64, 3000],
  [96, 6500],
  [128, 10_000],
  [256, 20_000],
  [32_896, 10_000],
];

/** A reach beyond every price: the whole range. */
export const EVERYWHERE = 1_000_000;

/** The order is part of the genesis: append only. */
export const PLANNED_WHIRLPOOLS: readonly PlannedWhirlpool[] = [
  {
    pair: ['SOL', 'USDC'],
    tickSpacing: 4,
    ranges: [
      { reach: 60, depth: 400_000n },
      { reach: 400, depth: 2_000_000n },
      { reach: 2_000, depth: 5_000_000n },
      { reach: EVERYWHERE, depth: 1_000_000n },
    ],
  },
  {
    pair: ['SOL', 'USDC'],
    tickSpacing: 64,
    ranges: [
      { reach: 1_000, depth: 1_000_000n },
      { reach: 6_000, depth: 2_000_000n },
    ],
  },
  {
    pair: ['USDC', 'USDT'],
    tickSpacing: 1,
    ranges: [
      { reach: 2, depth: 4_000_000n },
      { reach: 10, depth: 4_000_000n },
      { reach: 200, depth: 1_000_000n },
    ],
  },
  {
    pair: ['JitoSOL', 'SOL'],
    tickSpacing: 1,
    ranges: [
      { reach: 5, depth: 3_000_000n },
      { reach: 40, depth: 4_000_000n },
      { reach: 400, depth: 1_000_000n },
    ],
  },
  {
    pair: ['BONK', 'SOL'],
    tickSpacing: 64,
    ranges: [
      { reach: 1_500, depth: 300_000n },
      { reach: 8_000, depth: 700_000n },
      { reach: EVERYWHERE, depth: 200_000n },
    ],
    dynamicArrays: true,
  },
  // A Token-2022 mint with a transfer fee.
  {
    pair: ['BERN', 'SOL'],
    tickSpacing: 128,
    ranges: [
      { reach: 6_000, depth: 60_000n },
      { reach: 3_000, depth: 500n, isBundled: true },
    ],
  },
  {
    pair: ['WIF', 'SOL'],
    tickSpacing: 64,
    ranges: [
      { reach: 1_500, depth: 300_000n },
      { reach: 8_000, depth: 500_000n },
    ],
    adaptiveFee: {
      feeTierIndex: 1_025,
      constants: {
        filterPeriod: 30,
        decayPeriod: 600,
        reductionFactor: 5_000,
        controlFactor: 4_000,
        maxVolatility: 350_000,
        tickGroupSize: 64,
        majorSwapTicks: 64,
      },
    },
  },
  {
    pair: ['JupUSD', 'USDC'],
    tickSpacing: 1,
    ranges: [
      { reach: 2, depth: 4_000_000n },
      { reach: 10, depth: 4_000_000n },
      { reach: 200, depth: 1_000_000n },
    ],
  },
];
