/** A vault of the embedded network. Factors are thousandths. The penalty and the magnifier are basis points. */
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
 * only, because positions store the number.
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

/**
 * The ids of the vaults of the market `ethena`, in the order of their ids in that market. All others belong to `main`.
 */
export const ETHENA_VAULTS: readonly number[] = [16, 17, 18];

/** A position of a demo wallet. Amounts are whole US dollars at the prices of the genesis. */
export interface PlannedPosition {
  readonly vaultId: number;
  /** The index of the demo wallet. */
  readonly wallet: number;
  readonly collateral: bigint;
  readonly debt: bigint;
  /**
   * The debt that a liquidator paid back while the price was lower than in the genesis, in percent of it. Null for
   * none.
   */
  readonly liquidated: { readonly debt: bigint; readonly pricePercent: number } | null;
}

function position(vaultId: number, wallet: number, collateral: bigint, debt: bigint): PlannedPosition {
  return { vaultId, wallet, collateral, debt, liquidated: null };
}

/** The positions of the demo wallets. Append only, because their ids depend on the order. */
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
