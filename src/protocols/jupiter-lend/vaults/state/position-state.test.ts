import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../../../testing/random.ts';
import { FIRST_DEBT_FACTOR } from './debt-factors.ts';
import { BranchStatus } from './layouts.ts';
import { MIN_TICK, NO_TICK } from './limits.ts';
import { computePositionState, VaultAccountMissing } from './position-state.ts';
import { type BigNumber, type BorrowSdk, loadBorrowSdk } from '../../../../testing/protocols/vaults-sdk.ts';
import {
  createArraysWith,
  createTestBranch,
  createTestVaultPosition,
  createOperateReader,
  createSdkProgram,
  toTickIdKey,
  createTestTick,
  type VaultAccountsForTests,
} from '../../../../testing/protocols/vault.ts';

let sdk: BorrowSdk;
let big: (value: bigint) => BigNumber;
beforeAll(setUp);

describe('computePositionState', () => {
  it('agrees with the public SDK about positions that were liquidated, in part, through branches, or not', async () => {
    const suite = { cases: 600, short: 100, seed: 21, against: 'the public SDK' };
    let compared = 0;
    await assertProperty(
      fc.asyncProperty(anyHistory, async (history) => {
        const vault = createVaultWithHistory(history);
        const { tick, tickId, supplyAmount, dustDebtAmount } = history;
        const position = createTestVaultPosition(VAULT, { tick, tickId, supplyAmount, dustDebtAmount });
        const program = createSdkProgram(vault, big, history.branches.length);
        const theirs = await sdk
          .getCurrentPositionState({
            vaultId: VAULT,
            position: {
              vaultId: VAULT,
              nftId: 1,
              isSupplyOnlyPosition: 0,
              tick,
              tickId,
              supplyAmount: big(supplyAmount),
              dustDebtAmount: big(dustDebtAmount),
            },
            program,
          })
          .catch(() => null);
        // Random factors can be such that no liquidation leads to them.
        if (theirs === null) {
          expect(() => computePositionState(position, createOperateReader(vault))).toThrow();
          return;
        }
        const ours = computePositionState(position, createOperateReader(vault));
        compared += 1;
        expect(ours.isLiquidated).toBe(theirs.userLiquidationStatus);
        const recorded = BigInt(theirs.debtRaw.toString());
        if (recorded <= dustDebtAmount && ours.isLiquidated) {
          // The program takes the rest of such a position; the SDK shows its collateral.
          expect(ours).toMatchObject({ collateral: 0n, debt: 0n, tick: NO_TICK, shownTick: theirs.tick });
          return;
        }
        expect(ours.recordedDebt).toBe(recorded);
        expect(ours.collateral.toString()).toBe(theirs.colRaw.toString());
        expect(ours.tick === NO_TICK ? MIN_TICK : ours.tick).toBe(theirs.tick);
        expect(ours.shownTick).toBe(theirs.tick);
        expect(ours.dust.toString()).toBe(theirs.dustDebtRaw.toString());
      }),
      suite,
    );
    expect(compared).toBeGreaterThan(countCases(suite) / 3);
  });

  it('leaves a position without debt as it is', () => {
    const position = createTestVaultPosition(VAULT, { isSupplyOnly: true, tick: NO_TICK, supplyAmount: 7n });
    expect(computePositionState(position, createOperateReader(NOTHING))).toMatchObject({
      collateral: 7n,
      debt: 0n,
      tick: NO_TICK,
    });
  });

  it('throws when an account that it needs is missing', () => {
    const position = createTestVaultPosition(VAULT, { tick: 5, supplyAmount: 10n ** 9n });
    expect(() => computePositionState(position, createOperateReader(NOTHING))).toThrow(VaultAccountMissing);
    const ticks = new Map([[5, createTestTick(VAULT, 5, { isLiquidated: true, liquidationBranchId: 9 })]]);
    expect(() => computePositionState(position, createOperateReader({ ...NOTHING, ticks }))).toThrow(
      'branch 9',
    );
  });

  it('does not follow branches in a circle', () => {
    const status = BranchStatus.MERGED;
    const debtFactor = FIRST_DEBT_FACTOR;
    const branches = new Map([[1, createTestBranch(VAULT, 1, { status, debtFactor, connectedBranchId: 1 })]]);
    const ticks = new Map([
      [5, createTestTick(VAULT, 5, { isLiquidated: true, liquidationBranchId: 1, debtFactor })],
    ]);
    const position = createTestVaultPosition(VAULT, { tick: 5, supplyAmount: 10n ** 9n });
    expect(() =>
      computePositionState(position, createOperateReader({ ...NOTHING, ticks, branches })),
    ).toThrow(VaultAccountMissing);
  });
});

async function setUp(): Promise<void> {
  ({ sdk, big } = await loadBorrowSdk());
}

const VAULT = 3;
const NOTHING: VaultAccountsForTests = {
  vaultId: VAULT,
  ticks: new Map(),
  tickIds: new Map(),
  branches: new Map(),
  arrays: createArraysWith(VAULT, []),
};

/** Factors as branches have them: a coefficient of 35 bits, and exponents that fall with liquidations. */
const anyFactor = fc
  .tuple(fc.bigInt({ min: 1n << 34n, max: (1n << 35n) - 1n }), fc.integer({ min: 0, max: 12 }))
  .map(([coefficient, fallen]) => (coefficient << 15n) | BigInt(16_384 - fallen));

/** A factor of a merged branch: about 1 or more. */
const anyConnection = fc
  .tuple(fc.bigInt({ min: 1n << 34n, max: (1n << 35n) - 1n }), fc.integer({ min: -34, max: 3 }))
  .map(([coefficient, grown]) => (coefficient << 15n) | BigInt(16_384 + grown));

const tickBelowTop = fc.integer({ min: -4_000, max: 4_000 });
/** A branch, merged into the one below it or not. */
const anyBranch = fc.record({
  status: fc.constantFrom(BranchStatus.LIQUIDATED, BranchStatus.MERGED, BranchStatus.CLOSED),
  minimaTick: tickBelowTop,
  minimaTickPartials: fc.integer({ min: 0, max: 2 ** 30 - 1 }),
  factor: anyFactor,
  connection: anyConnection,
});

const anyHistory = fc.record({
  tick: tickBelowTop,
  tickId: fc.integer({ min: 1, max: 9 }),
  lives: fc.integer({ min: 0, max: 8 }),
  isLiquidated: fc.boolean(),
  isFullyLiquidated: fc.boolean(),
  factor: anyFactor,
  supplyAmount: fc.bigInt({ min: 1n, max: 10n ** 15n }),
  dustDebtAmount: fc.bigInt({ min: 0n, max: 10n ** 5n }),
  branches: fc.array(anyBranch, { minLength: 1, maxLength: 5 }),
});
type History = typeof anyHistory extends fc.Arbitrary<infer T> ? T : never;

/** A vault in which a position's tick was liquidated into the newest branch. */
function createVaultWithHistory(history: History): VaultAccountsForTests {
  const { tick, tickId, lives, branches } = history;
  const newest = branches.length;
  const ended = {
    isFullyLiquidated: history.isFullyLiquidated,
    liquidationBranchId: newest,
    debtFactor: history.factor,
  };
  const life = (slot: number) => ((tickId + 2) % 3 === slot ? ended : null);
  const [first, second, third] = [life(0), life(1), life(2)];
  const ids = {
    vaultId: VAULT,
    tick,
    tickMap: Math.floor((tickId + 2) / 3),
    isFullyLiquidated1: first?.isFullyLiquidated ?? false,
    liquidationBranchId1: first?.liquidationBranchId ?? 0,
    debtFactor1: first?.debtFactor ?? 0n,
    isFullyLiquidated2: second?.isFullyLiquidated ?? false,
    liquidationBranchId2: second?.liquidationBranchId ?? 0,
    debtFactor2: second?.debtFactor ?? 0n,
    isFullyLiquidated3: third?.isFullyLiquidated ?? false,
    liquidationBranchId3: third?.liquidationBranchId ?? 0,
    debtFactor3: third?.debtFactor ?? 0n,
  };
  const account = createTestTick(VAULT, tick, {
    isLiquidated: history.isLiquidated,
    totalIds: tickId + lives,
    ...ended,
  });
  return {
    ...NOTHING,
    ticks: new Map([[tick, account]]),
    tickIds: new Map([[toTickIdKey(tick, tickId), ids]]),
    branches: new Map(
      branches.map(({ status, factor, connection, minimaTick, minimaTickPartials }, at) => {
        // The oldest branch cannot be merged into another.
        const merged = status === BranchStatus.MERGED && at > 0;
        const branch = createTestBranch(VAULT, at + 1, {
          status: status === BranchStatus.MERGED && !merged ? BranchStatus.LIQUIDATED : status,
          minimaTick,
          minimaTickPartials,
          debtFactor: merged ? connection : factor,
          connectedBranchId: at,
        });
        return [at + 1, branch];
      }),
    ),
  };
}
