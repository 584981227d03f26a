import { describe, expect, it } from 'vitest';
import { MIN_I128 } from '../../protocols/jupiter-lend/vaults/state/limits.ts';
import { predictOperate } from '../../protocols/jupiter-lend/vaults/model/predict-operate.ts';
import { createVaultRefusal } from './refusals.ts';
import type { VaultView } from './vault-view.ts';

describe('an operation that leaves too little', () => {
  it('of a base unit of debt says so, and names the sentinel that repays all', () => {
    const minimum = 'must owe nothing or at least 1001';
    expect(refusalOf(0n, -5_000_000n)).toBe(
      `VaultUserDebtTooLow: the position would owe less than one base unit, but ${minimum}; to repay all of it, ${ALL}`,
    );
    expect(refusalOf(0n, -4_999_100n)).toBe(
      `VaultUserDebtTooLow: the position would owe 900 base units, but ${minimum}; to repay all of it, ${ALL}`,
    );
    expect(refusalOf(0n, MIN_I128)).toBe('built');
  });

  it('names the sentinels where more is asked for than there is', () => {
    expect(refusalOf(-10_000_001n, 0n)).toBe(
      `VaultExcessCollateralWithdrawal: the position has 10000000 base units of collateral; to withdraw all of it, ${ALL}`,
    );
    expect(refusalOf(0n, -5_000_100n)).toBe(
      `VaultExcessDebtPayback: the position owes 5000000 base units; to repay all of it, ${ALL}`,
    );
  });
});

const ONE = 10n ** 12n;
const prices = { supply: ONE, borrow: ONE + 1n, liquiditySupply: ONE, liquidityBorrow: ONE };
const decimals = { supplyDecimals: 6, borrowDecimals: 6 };
const config = { borrowFee: 0, collateralFactor: 800, liquidationThreshold: 850 };
/** The parts of a vault that sentences are made from. */
const VIEW = { vault: { borrow: { decimals: 6 } }, prices, minimumBorrowing: 1_001n } as unknown as VaultView;
const ALL = 'send the sentinel -2^127';

/** A position with 10 whole tokens of collateral, and 5 of debt. */
const position = {
  tick: 0,
  tickId: 1,
  collateral: 10_000_000_000n,
  recordedDebt: 0n,
  dust: 0n,
  debt: 5_000_000_000n,
};

function refusalOf(collateral: bigint, debt: bigint): string {
  const amounts = { collateral, debt };
  const context = { position: position as never, config, prices, ...decimals };
  const result = predictOperate(context, amounts);
  return result.ok ? 'built' : createVaultRefusal(result, VIEW, amounts).message;
}
