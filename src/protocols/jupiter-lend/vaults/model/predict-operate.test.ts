import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../testing/random.ts';
import { MIN_I128, MIN_TICK, getMinimumDebt, NO_TICK, toVaultUnits } from '../state/limits.ts';
import { checkSafety, type OperateAmounts, type OperateContext, predictOperate } from './predict-operate.ts';
import { EMPTY_POSITION_STATE, computeRecordedDebt } from '../state/position-state.ts';
import { RATE_ONE } from './safety.ts';
import { computeRatioAtTick } from '../state/ticks.ts';
import {
  type BigNumber,
  type BorrowSdk,
  loadBorrowSdk,
  createPriceConnection,
} from '../../../../testing/protocols/vaults-sdk.ts';
import { createArraysWith, createSdkProgram } from '../../../../testing/protocols/vault.ts';

let sdk: BorrowSdk;
let big: (value: bigint) => BigNumber;
beforeAll(setUp);

describe('predictOperate', () => {
  it('finds the tick that the public SDK finds', async () => {
    let same = 0;
    let compared = 0;
    await assertProperty(
      fc.asyncProperty(anyPrice, anyPrice, collateralAtoms, debtAtoms, async (supply, borrow, col, debt) => {
        const ours = predictOperate(createOperateContext({ supply, borrow }), { collateral: col, debt });
        if (!ours.ok) return;
        const none = {
          vaultId: 1,
          ticks: new Map(),
          tickIds: new Map(),
          branches: new Map(),
          arrays: createArraysWith(1, []),
        };
        const { connection, signer } = await createPriceConnection([supply, borrow, supply, borrow]);
        const theirs = await sdk.getFinalPosition({
          vaultId: 1,
          currentPosition: { tickId: 0, colRaw: big(0n), debtRaw: big(0n), dustDebtRaw: big(0n) },
          newColAmount: big(col),
          newDebtAmount: big(toVaultUnits(debt, 6)),
          program: createSdkProgram(none, big, 1, { borrowFee: 0, supplyToken: signer, borrowToken: signer }),
          connection,
          signer,
        });
        compared += 1;
        // The SDK rounds amounts a little otherwise, which can matter at the border of a tick.
        expect(Math.abs(theirs.tick - ours.tick)).toBeLessThanOrEqual(1);
        if (theirs.tick === ours.tick) same += 1;
      }),
      { cases: 150, short: 60, seed: 41, against: 'the public SDK' },
    );
    expect(same).toBeGreaterThan(compared * 0.98);
  });

  it('records at least what is owed, and on the tick right above it', () => {
    assertProperty(
      fc.property(anyPrice, anyPrice, collateralAtoms, debtAtoms, (supply, borrow, col, debt) => {
        const result = predictOperate(createOperateContext({ supply, borrow }), { collateral: col, debt });
        fc.pre(result.ok);
        if (!result.ok) return;
        expect(result.recordedDebt).toBe(result.debt + result.dust);
        expect(result.dust >= 0n).toBe(true);
        // What the account will say of the position later is what is owed, but for the last digits of the tick's ratio.
        const later = computeRecordedDebt(result.tick, result.collateral) - result.dust;
        const digit = (2n * result.recordedDebt) / computeRatioAtTick(result.tick);
        const margin =
          result.recordedDebt / 1_000_000_000n + digit + result.recordedDebt / result.collateral + 10n;
        expect(later >= result.debt - margin && later <= result.debt + margin).toBe(true);
      }),
      { cases: 2_000, seed: 42 },
    );
  });

  it('never withdraws more than was deposited', () => {
    assertProperty(
      fc.property(anyPrice, collateralAtoms, (supply, col) => {
        const context = createOperateContext({ supply, borrow: ONE });
        const { collateral } = predicted(context, { collateral: col, debt: 0n });
        const position = { ...EMPTY_POSITION_STATE, collateral };
        const all = predicted({ ...context, position }, { collateral: MIN_I128, debt: 0n });
        expect(all.collateral).toBe(0n);
        expect(-all.moved.collateral < col).toBe(true);
        expect(-all.moved.collateral >= col - 4n).toBe(true);
      }),
      { cases: 1_000, seed: 43 },
    );
  });

  it('requires that at least the borrowed amount is paid back', () => {
    assertProperty(
      fc.property(anyPrice, debtAtoms, fc.integer({ min: 0, max: 255 }), (borrow, debt, borrowFee) => {
        const context = createOperateContext({ supply: ONE, borrow }, { config: { ...CONFIG, borrowFee } });
        const opened = predicted(context, { collateral: 10n ** 14n, debt });
        const position = { ...opened, isLiquidated: false, liquidationBranchId: 0 };
        const all = predicted({ ...context, position }, { collateral: 0n, debt: MIN_I128 });
        expect(all).toMatchObject({ debt: 0n, tick: NO_TICK });
        const withFee = debt + (debt * BigInt(borrowFee)) / 10_000n;
        expect(-all.moved.debt >= withFee).toBe(true);
        expect(-all.moved.debt <= withFee + withFee / 500_000_000n + 5n).toBe(true);
      }),
      { cases: 1_000, seed: 44 },
    );
  });

  it('adds the fee of a new debt, rounded up', () => {
    const debtWith = (borrowFee: number) =>
      predicted(createOperateContext({ supply: ONE, borrow: ONE }, { config: { ...CONFIG, borrowFee } }), {
        collateral: 10n ** 14n,
        debt: 1_000_001n,
      }).debt;
    // The margin adds two: a billionth, and one.
    expect(debtWith(0)).toBe(1_000_001_000n + 2n);
    // A ten-thousandth is 100,000.1.
    expect(debtWith(1)).toBe(1_000_001_000n + 100_001n + 2n);
  });

  it('moves one atom more for deposits and repayments', () => {
    const opened = predicted(PLAIN, { collateral: 10n ** 9n, debt: 50_000_000n });
    expect(opened.moved).toEqual({ collateral: 10n ** 9n + 1n, debt: 50_000_000n });
    const position = { ...opened, isLiquidated: false, liquidationBranchId: 0 };
    const repaid = predicted({ ...PLAIN, position }, { collateral: -1_000n, debt: -1_000_000n });
    expect(repaid.moved).toEqual({ collateral: -1_000n, debt: -1_000_001n });
  });

  it('refuses amounts that the program refuses', () => {
    const refusal = (collateral: bigint, debt: bigint, context = PLAIN) =>
      predictOperate(context, { collateral, debt });
    expect(refusal(0n, 0n)).toMatchObject({ error: 'VaultInvalidOperateAmount' });
    expect(refusal(999n, 0n)).toMatchObject({
      error: 'VaultInvalidOperateAmount',
      side: 'collateral',
      minimum: 1_000n,
    });
    expect(refusal(0n, -999n)).toMatchObject({ error: 'VaultInvalidOperateAmount', side: 'debt' });
    expect(refusal(1n << 63n, 0n)).toMatchObject({ error: 'VaultInvalidOperateAmount', side: 'collateral' });
    expect(refusal(MIN_I128 + 1n, 0n)).toMatchObject({ error: 'VaultInvalidOperateAmount' });
    expect(refusal(MIN_I128, MIN_I128)).toMatchObject({ error: 'NothingToWithdraw' });
    expect(refusal(0n, MIN_I128)).toMatchObject({ error: 'VaultInvalidOperateAmount', amount: 0n });
    expect(refusal(-5_000n, 0n)).toMatchObject({ error: 'VaultExcessCollateralWithdrawal', available: 0n });
    expect(refusal(10_000n, -5_000n)).toMatchObject({ error: 'VaultExcessDebtPayback', owed: 0n });
    const full = { ...EMPTY_POSITION_STATE, collateral: (1n << 64n) - 1n };
    expect(refusal(1_000n, 0n, { ...PLAIN, position: full })).toMatchObject({
      error: 'VaultUserCollateralDebtExceed',
    });
  });

  it('refuses debt below the minimum, and allows none', () => {
    const opened = predicted(PLAIN, { collateral: 10n ** 9n, debt: 5_000n });
    const position = { ...opened, isLiquidated: false, liquidationBranchId: 0 };
    const minimum = getMinimumDebt(6);
    expect(predictOperate({ ...PLAIN, position }, { collateral: 0n, debt: -4_500n })).toMatchObject({
      error: 'VaultUserDebtTooLow',
      minimum,
    });
    expect(predicted({ ...PLAIN, position }, { collateral: MIN_I128, debt: MIN_I128 })).toMatchObject({
      collateral: 0n,
      debt: 0n,
      tick: NO_TICK,
    });
    expect(predictOperate({ ...PLAIN, position }, { collateral: MIN_I128, debt: 0n })).toMatchObject({
      error: 'NoCollateral',
    });
  });
});

describe('checkSafety', () => {
  it('applies the collateral factor to borrowers, and the liquidation threshold to repayments', () => {
    const allowed = predicted(PLAIN, { collateral: tokens, debt: 79_700_000n });
    expect(checkSafety(PLAIN, allowed, rates)).toBeNull();
    const tooMuch = predicted(PLAIN, { collateral: tokens, debt: 80_100_000n });
    expect(checkSafety(PLAIN, tooMuch, rates)).toMatchObject({ error: 'VaultPositionAboveCF' });
    const position = { ...tooMuch, isLiquidated: false, liquidationBranchId: 0 };
    const paid = predicted({ ...PLAIN, position }, { collateral: 0n, debt: -10_000n });
    expect(checkSafety({ ...PLAIN, position }, paid, rates)).toBeNull();
    const crashed = { operate: 90n * RATE_ONE, liquidate: 90n * RATE_ONE };
    expect(checkSafety({ ...PLAIN, position }, paid, crashed)).toMatchObject({
      error: 'VaultPositionAboveLiquidationThreshold',
    });
  });

  it('needs no price without debt, and a usable one with debt', () => {
    const supplied = predicted(PLAIN, { collateral: tokens, debt: 0n });
    expect(supplied.tick).toBe(NO_TICK);
    expect(checkSafety(PLAIN, supplied, { operate: 0n, liquidate: 0n })).toBeNull();
    const opened = predicted(PLAIN, { collateral: tokens, debt: 1_000_000n });
    expect(opened.tick).toBeGreaterThan(MIN_TICK);
    expect(checkSafety(PLAIN, opened, { operate: 0n, liquidate: 0n })).toMatchObject({
      error: 'VaultInvalidOraclePrice',
    });
  });

  const rates = { operate: 100n * RATE_ONE, liquidate: 101n * RATE_ONE };
  const tokens = 10n ** 9n;
});

async function setUp(): Promise<void> {
  ({ sdk, big } = await loadBorrowSdk());
}

const ONE = 10n ** 12n;
const DECIMALS = { supplyDecimals: 9, borrowDecimals: 6 };
const CONFIG = { borrowFee: 0, collateralFactor: 800, liquidationThreshold: 850 };

function createOperateContext(
  prices: { supply: bigint; borrow: bigint },
  more: Partial<OperateContext> = {},
): OperateContext {
  return {
    position: EMPTY_POSITION_STATE,
    config: CONFIG,
    prices: { ...prices, liquiditySupply: prices.supply, liquidityBorrow: prices.borrow },
    ...DECIMALS,
    ...more,
  };
}

const PLAIN = createOperateContext({ supply: ONE, borrow: ONE });

/** The prediction, which must succeed. */
function predicted(context: OperateContext, amounts: OperateAmounts) {
  const result = predictOperate(context, amounts);
  if (!result.ok) throw new Error(`refused: ${result.error}`);
  return result;
}

const anyPrice = fc.bigInt({ min: ONE, max: 3n * ONE });
const collateralAtoms = fc.bigInt({ min: 10n ** 8n, max: 10n ** 15n });
const debtAtoms = fc.bigInt({ min: 10n ** 4n, max: 10n ** 13n });
