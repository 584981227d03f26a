import type { ReserveTerms } from './setup.ts';

/** An earn token of the genesis. Amounts are whole US dollars at the prices of the genesis. */
export interface PlannedEarnToken extends ReserveTerms {
  readonly symbol: string;
  /** The deposits of wallets other than the demo wallets. */
  readonly supplied: bigint;
  /** The loan of a protocol that is not a vault. */
  readonly borrowed: bigint;
  /** Null for no rewards. */
  readonly yearlyRewards: bigint | null;
  /** The deposits of demo wallets by their index, oldest first, made from 90 to 31 days before the network begins. */
  readonly positions: readonly {
    readonly wallet: number;
    readonly usd: bigint;
    readonly daysBefore: bigint;
  }[];
}

const STABLE: ReserveTerms = {
  rates: { atZero: 0, kink1: 8_500, atKink1: 550, kink2: 9_300, atKink2: 800, atMax: 4_000 },
  feeOnInterest: 1_000,
  maxUtilization: 9_500,
};
const SOL_LIKE: ReserveTerms = {
  rates: { atZero: 0, kink1: 8_000, atKink1: 600, kink2: 9_000, atKink2: 900, atMax: 8_000 },
  feeOnInterest: 1_500,
  maxUtilization: 9_200,
};
const VOLATILE: ReserveTerms = {
  rates: { atZero: 50, kink1: 6_000, atKink1: 400, kink2: 8_000, atKink2: 1_500, atMax: 10_000 },
  feeOnInterest: 2_000,
  maxUtilization: 8_500,
};

/** The order decides the ids, from 1. Append only: it is part of the genesis. */
export const PLANNED_EARN_TOKENS: readonly PlannedEarnToken[] = [
  {
    ...SOL_LIKE,
    symbol: 'SOL',
    supplied: 30_000_000n,
    borrowed: 15_000_000n,
    yearlyRewards: null,
    positions: [
      { wallet: 0, usd: 2_000n, daysBefore: 90n },
      { wallet: 4, usd: 500_000n, daysBefore: 60n },
    ],
  },
  {
    ...STABLE,
    symbol: 'USDC',
    supplied: 40_000_000n,
    borrowed: 24_000_000n,
    yearlyRewards: 400_000n,
    positions: [
      { wallet: 0, usd: 10_000n, daysBefore: 90n },
      { wallet: 1, usd: 2_500n, daysBefore: 75n },
      { wallet: 4, usd: 1_000_000n, daysBefore: 60n },
      { wallet: 7, usd: 1n, daysBefore: 45n },
    ],
  },
  {
    ...STABLE,
    symbol: 'USDT',
    supplied: 20_000_000n,
    borrowed: 11_000_000n,
    yearlyRewards: 150_000n,
    positions: [
      { wallet: 0, usd: 3_000n, daysBefore: 80n },
      { wallet: 5, usd: 100_000n, daysBefore: 40n },
    ],
  },
  plain('JUP', VOLATILE, 1_500_000n, 300_000n),
  plain('JitoSOL', SOL_LIKE, 8_000_000n, 1_200_000n),
  plain('mSOL', SOL_LIKE, 4_000_000n, 500_000n),
  plain('JupSOL', SOL_LIKE, 5_000_000n, 700_000n),
  plain('cbBTC', VOLATILE, 12_000_000n, 3_000_000n),
  plain('WETH', VOLATILE, 6_000_000n, 1_500_000n),
  plain('INF', SOL_LIKE, 1_000_000n, 0n),
];

function plain(symbol: string, terms: ReserveTerms, supplied: bigint, borrowed: bigint): PlannedEarnToken {
  return { ...terms, symbol, supplied, borrowed, yearlyRewards: null, positions: [] };
}
