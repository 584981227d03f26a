import { divideUp, minimum } from '../../../../solana/units.ts';
import { WHOLE } from '../../lending-base/amounts.ts';
import type { VaultPrices } from './exchange-prices.ts';
import type { VaultConfig } from '../state/layouts.ts';
import { RATE_ONE, FACTOR_ONE, MAX_RATE, RATE_CAP } from './safety.ts';
import { RATIO_ONE, findTickAtRatio } from '../state/ticks.ts';

/** The ticks between which debt is liquidated, and the collateral for it. */
export interface LiquidationBounds {
  /** The raw collateral per raw debt, including the penalty, where 10^15 is 1.0. */
  readonly collateralPerDebt: bigint;
  readonly liquidationTick: number;
  readonly maxTick: number;
}

/** Computes the bounds for a rate of the oracle. Returns the name of the program's error when there are none. */
export function computeLiquidationBounds(
  config: Pick<VaultConfig, 'liquidationThreshold' | 'liquidationMaxLimit' | 'liquidationPenalty'>,
  prices: Pick<VaultPrices, 'supply' | 'borrow'>,
  rate: bigint,
): LiquidationBounds | 'VaultInvalidOraclePrice' | 'RatioOutOfRange' {
  const product = rate * prices.supply;
  const floor = product / prices.borrow;
  if (rate > MAX_RATE || rate === 0n || floor === 0n) return 'VaultInvalidOraclePrice';
  const ceil = divideUp(product, prices.borrow);
  const penalty = WHOLE + BigInt(config.liquidationPenalty);
  const ratio = (minimum(floor, RATE_CAP) * RATIO_ONE) / RATE_ONE;
  const liquidation = findTickAtRatio((ratio * BigInt(config.liquidationThreshold)) / FACTOR_ONE);
  const max = findTickAtRatio((ratio * BigInt(config.liquidationMaxLimit)) / FACTOR_ONE);
  if (liquidation === null || max === null) return 'RatioOutOfRange';
  return {
    collateralPerDebt: (((RATE_ONE * RATE_ONE) / ceil) * penalty) / WHOLE,
    liquidationTick: liquidation.tick,
    maxTick: max.tick,
  };
}
