/** A vault of the embedded network. Factors are parts of 1,000, the penalty and the magnifier of 10,000. */
export interface PlannedVault {
  readonly supply: string;
  readonly borrow: string;
  readonly collateralFactor: number;
  readonly liquidationThreshold: number;
  readonly liquidationMaxLimit: number;
  readonly liquidationPenalty: number;
}

const vault = (
  supply: string,
  borrow: string,
  factors: readonly [factor: number, threshold: number, limit: number],
  liquidationPenalty: number,
): PlannedVault => {
  const [collateralFactor, liquidationThreshold, liquidationMaxLimit] = factors;
  return { supply, borrow, collateralFactor, liquidationThreshold, liquidationMaxLimit, liquidationPenalty };
};

/**
 * The vaults of the embedded network, numbered from 1, with factors like those of the public network in 2026. Append
 * only: positions keep the number.
 */
export const PLANNED_VAULTS: readonly PlannedVault[] = [
  vault('SOL', 'USDC', [800, 850, 900], 100),
  vault('SOL', 'USDT', [800, 850, 900], 100),
  vault('JitoSOL', 'USDC', [750, 800, 850], 200),
  vault('JitoSOL', 'SOL', [920, 940, 960], 50),
  vault('mSOL', 'USDC', [750, 800, 850], 200),
  vault('mSOL', 'SOL', [920, 940, 960], 50),
  vault('JUP', 'USDC', [600, 700, 800], 400),
  vault('JUP', 'SOL', [600, 700, 800], 400),
  vault('cbBTC', 'USDC', [800, 850, 900], 100),
  vault('cbBTC', 'USDT', [800, 850, 900], 100),
  vault('cbBTC', 'SOL', [750, 800, 850], 200),
  vault('WETH', 'USDC', [780, 830, 880], 150),
  vault('WETH', 'SOL', [750, 800, 850], 200),
  vault('USDC', 'SOL', [750, 800, 850], 200),
  vault('USDT', 'USDC', [920, 940, 960], 50),
  vault('USDC', 'USDT', [920, 940, 960], 50),
  vault('SOL', 'USDC', [500, 700, 800], 300),
  vault('JitoSOL', 'USDT', [700, 750, 800], 300),
];

/** Ids of the vaults of the market `ethena`, in the order of their ids there. All others belong to `main`. */
export const ETHENA_VAULTS: readonly number[] = [16, 17, 18];

/** A position of a demo wallet. Amounts are whole US dollars at the prices of the genesis. */
export interface PlannedPosition {
  readonly vaultId: number;
  /** The index of the demo wallet. */
  readonly wallet: number;
  readonly collateral: bigint;
  readonly debt: bigint;
  /** What a liquidator paid back of the debt, when the price was a part of that of the genesis; null: nothing. */
  readonly liquidated: { readonly debt: bigint; readonly pricePercent: number } | null;
}

function position(vaultId: number, wallet: number, collateral: bigint, debt: bigint): PlannedPosition {
  return { vaultId, wallet, collateral, debt, liquidated: null };
}

/** Positions of the demo wallets. Append only: their ids follow from the order. */
export const PLANNED_POSITIONS: readonly PlannedPosition[] = [
  // Healthy: 40 percent.
  position(1, 0, 10_000n, 4_000n),
  // Without debt.
  position(3, 0, 2_500n, 0n),
  // Never operated.
  position(2, 0, 0n, 0n),
  // Near liquidation: 84 of at most 85 percent.
  position(1, 1, 20_000n, 16_800n),
  // A loop of staked SOL against SOL.
  position(4, 2, 15_000n, 12_000n),
  // Liquidated in part, while the price was at 85 percent.
  { ...position(7, 6, 9_000n, 6_000n), liquidated: { debt: 1_500n, pricePercent: 85 } },
  // A position of the second market.
  position(17, 0, 5_000n, 1_500n),
];
