import { expect, it } from 'vitest';
import type { VaultState } from '../state/layouts.ts';
import { computeVaultPricesAt } from './exchange-prices.ts';

it.each(['liquiditySupplyExchangePrice', 'liquidityBorrowExchangePrice'] as const)(
  'a vault whose %s was never set has no prices',
  (name) => {
    const prices = { supply: ONE, borrow: ONE };
    expect(computeVaultPricesAt(CONFIG, STATE, prices, 100n)).not.toBeNull();
    expect(computeVaultPricesAt(CONFIG, { ...STATE, [name]: 0n }, prices, 100n)).toBeNull();
  },
);

const ONE = 1_000_000_000_000n;
const CONFIG = { supplyRateMagnifier: 0, borrowRateMagnifier: 0 };
const STATE = {
  lastUpdateTimestamp: 100n,
  liquiditySupplyExchangePrice: ONE,
  liquidityBorrowExchangePrice: ONE,
  vaultSupplyExchangePrice: ONE,
  vaultBorrowExchangePrice: ONE,
} as VaultState;
