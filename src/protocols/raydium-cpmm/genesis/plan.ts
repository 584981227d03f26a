/** A constant-product pool of the genesis: the plan from which its accounts are written. */
export interface PlannedPool {
  /** Symbols, in any order. */
  readonly pair: readonly [string, string];
  /** Index of the fee configuration. */
  readonly tier: number;
  /** Whole US dollars on each side, at the prices of the genesis. */
  readonly depth: bigint;
}

/** A fee configuration as it stands on mainnet: rates in millionths, the shares of the trade fee. */
export interface RaydiumFeeTier {
  readonly index: number;
  readonly tradeFeeRate: bigint;
}

export const FEE_TIERS: readonly RaydiumFeeTier[] = [
  { index: 0, tradeFeeRate: 2_500n },
  { index: 1, tradeFeeRate: 10_000n },
  { index: 2, tradeFeeRate: 20_000n },
  { index: 3, tradeFeeRate: 40_000n },
  { index: 4, tradeFeeRate: 5_000n },
  { index: 5, tradeFeeRate: 3_000n },
  { index: 6, tradeFeeRate: 15_000n },
  { index: 7, tradeFeeRate: 25_000n },
];

/** The same in every tier on mainnet. */
export const PROTOCOL_FEE_RATE = 120_000n;
export const FUND_FEE_RATE = 40_000n;
export const CREATOR_FEE_RATE = 500n;
export const CREATE_POOL_FEE = 150_000_000n;

/** Tokens that have one pool against SOL and one against USDC, each of them this deep. */
const AGAINST_SOL_AND_USDC: readonly (readonly [
  symbol: string,
  depth: bigint,
  solTier: number,
  usdcTier: number,
])[] = [
  ['JUP', 1_500_000n, 0, 5],
  ['JitoSOL', 6_000_000n, 0, 5],
  ['mSOL', 3_000_000n, 0, 5],
  ['JupSOL', 3_000_000n, 0, 5],
  ['INF', 1_500_000n, 0, 5],
  ['BONK', 2_000_000n, 0, 5],
  ['WIF', 1_500_000n, 0, 5],
  ['PYTH', 800_000n, 0, 4],
  ['RAY', 2_500_000n, 0, 5],
  ['ORCA', 600_000n, 0, 4],
  ['JTO', 700_000n, 0, 4],
  ['cbBTC', 5_000_000n, 0, 5],
  ['WBTC', 1_000_000n, 5, 4],
  ['WETH', 3_000_000n, 0, 5],
  ['RENDER', 700_000n, 0, 4],
  ['HNT', 500_000n, 0, 4],
  ['JLP', 2_000_000n, 0, 5],
  ['PYUSD', 1_500_000n, 0, 0],
  ['BERN', 150_000n, 1, 1],
];

/** The order is part of the genesis: append only. */
export const PLANNED_POOLS: readonly PlannedPool[] = [
  { pair: ['SOL', 'USDC'], tier: 0, depth: 10_000_000n },
  { pair: ['SOL', 'USDC'], tier: 5, depth: 4_000_000n },
  { pair: ['SOL', 'USDC'], tier: 1, depth: 500_000n },
  { pair: ['SOL', 'USDT'], tier: 0, depth: 3_000_000n },
  { pair: ['USDC', 'USDT'], tier: 0, depth: 8_000_000n },
  { pair: ['PYUSD', 'USDT'], tier: 0, depth: 750_000n },
  ...AGAINST_SOL_AND_USDC.flatMap(([symbol, depth, solTier, usdcTier]): PlannedPool[] => [
    { pair: [symbol, 'SOL'], tier: solTier, depth },
    { pair: [symbol, 'USDC'], tier: usdcTier, depth },
  ]),
  { pair: ['JitoSOL', 'mSOL'], tier: 0, depth: 1_000_000n },
  { pair: ['JitoSOL', 'JupSOL'], tier: 0, depth: 1_000_000n },
  { pair: ['JitoSOL', 'INF'], tier: 0, depth: 1_000_000n },
  { pair: ['JTO', 'JitoSOL'], tier: 5, depth: 300_000n },
  { pair: ['cbBTC', 'WBTC'], tier: 0, depth: 2_000_000n },
  { pair: ['cbBTC', 'WETH'], tier: 5, depth: 1_000_000n },
  { pair: ['JUP', 'JLP'], tier: 4, depth: 400_000n },
  { pair: ['JUP', 'USDT'], tier: 4, depth: 400_000n },
  { pair: ['BONK', 'WIF'], tier: 1, depth: 200_000n },
  { pair: ['BONK', 'USDT'], tier: 4, depth: 400_000n },
  { pair: ['BERN', 'BONK'], tier: 2, depth: 50_000n },
  { pair: ['JupUSD', 'SOL'], tier: 0, depth: 1_500_000n },
  { pair: ['JupUSD', 'USDC'], tier: 0, depth: 1_500_000n },
];
