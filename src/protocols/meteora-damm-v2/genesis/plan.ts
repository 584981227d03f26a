import { type BaseFee, BaseFeeMode, CollectFeeMode } from '../program/layout.ts';

/** A DAMM v2 pool of the genesis: the plan from which its accounts are written. */
export interface PlannedMeteoraPool {
  /** Symbols of token A and token B. */
  readonly pair: readonly [string, string];
  /** The fee as documentation names it. */
  readonly fee: string;
  readonly baseFee: BaseFee;
  /** Whether a fee that follows volatility is added. */
  readonly dynamic: boolean;
  readonly collectFeeMode: number;
  /** Ten-thousandths of the liquidity's part of the fee that stay in the reserves. */
  readonly compoundingBps: number;
  /** The factor by which the square root of the price may rise or fall within the range; null for the whole range. */
  readonly sqrtReach: bigint | null;
  /** Whole US dollars on each side, at the prices of the genesis. */
  readonly depth: bigint;
}

const constant = (rate: bigint): BaseFee => ({
  cliff: rate,
  mode: BaseFeeMode.TIME_LINEAR,
  periods: 0,
  middle: 0n,
  last: 0n,
});

/** The order is part of the genesis: append only. */
export const PLANNED_METEORA_POOLS: readonly PlannedMeteoraPool[] = [
  {
    pair: ['SOL', 'USDC'],
    fee: '0.25%, and with volatility',
    baseFee: constant(2_500_000n),
    dynamic: true,
    collectFeeMode: CollectFeeMode.OUTPUT,
    compoundingBps: 0,
    sqrtReach: null,
    depth: 3_000_000n,
  },
  {
    pair: ['JUP', 'USDC'],
    fee: '0.3%',
    baseFee: constant(3_000_000n),
    dynamic: false,
    collectFeeMode: CollectFeeMode.TOKEN_B,
    compoundingBps: 0,
    sqrtReach: 2n,
    depth: 600_000n,
  },
  {
    // As after a launch: the fee began at half of every trade and fell by the minute, long ago.
    pair: ['WIF', 'SOL'],
    fee: '1%, once 50%',
    baseFee: {
      cliff: 500_000_000n,
      mode: BaseFeeMode.TIME_EXPONENTIAL,
      periods: 120,
      middle: 60n,
      last: 321n,
    },
    dynamic: true,
    collectFeeMode: CollectFeeMode.TOKEN_B,
    compoundingBps: 0,
    sqrtReach: null,
    depth: 800_000n,
  },
  {
    pair: ['BONK', 'SOL'],
    fee: '0.5%, half of it compounded',
    baseFee: constant(5_000_000n),
    dynamic: false,
    collectFeeMode: CollectFeeMode.COMPOUNDING,
    compoundingBps: 5_000,
    sqrtReach: null,
    depth: 500_000n,
  },
  {
    // A Token-2022 mint with a transfer fee.
    pair: ['BERN', 'USDC'],
    fee: '1%',
    baseFee: constant(10_000_000n),
    dynamic: false,
    collectFeeMode: CollectFeeMode.TOKEN_B,
    compoundingBps: 0,
    sqrtReach: null,
    depth: 60_000n,
  },
];
