import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../testing/random.ts';
import { deriveTickHasDebtAddress } from './addresses.ts';
import { MAX_TICK, MIN_TICK, NO_TICK } from './limits.ts';
import { listOperateAccounts } from './operate-accounts.ts';
import { EMPTY_POSITION_STATE } from './position-state.ts';
import { type BigNumber, type BorrowSdk, loadBorrowSdk } from '../../../../testing/protocols/vaults-sdk.ts';
import { decodeTickHasDebt, encodeTickHasDebt, findNextTickWithDebt } from './tick-has-debt.ts';
import {
  listTicksWithDebt,
  createArraysWith,
  createTestBranch,
  createOperateReader,
  createSdkProgram,
  toTickIdKey,
  createTestTick,
  type VaultAccountsForTests,
  createTestVaultState,
} from '../../../../testing/protocols/vault.ts';

let sdk: BorrowSdk;
let big: (value: bigint) => BigNumber;
beforeAll(setUp);

describe('findNextTickWithDebt', () => {
  it('finds the same tick as the public SDK, and all ticks from the highest down', async () => {
    await assertProperty(
      fc.asyncProperty(someTicks, anyTick, async (ticks, start) => {
        const vault = vaultWith(ticks);
        const read = createOperateReader(vault).tickHasDebt;
        const theirs = await sdk.findNextTickWithDebt(VAULT, start, createSdkProgram(vault, big, 1));
        const ours = findNextTickWithDebt(read, start);
        expect(ours === NO_TICK ? MIN_TICK : ours).toBe(theirs);
        expect(listTicksWithDebt(read)).toEqual([...ticks].sort((a, b) => b - a));
      }),
      { cases: 200, seed: 31, against: 'the public SDK' },
    );
  });

  it('reads back what it writes', () => {
    for (const array of createArraysWith(VAULT, [MIN_TICK, -1, 0, 12, MAX_TICK]).values()) {
      expect(decodeTickHasDebt(encodeTickHasDebt(array))).toEqual(array);
    }
  });
});

describe('listOperateAccounts', () => {
  it('names the arrays and branches that the public SDK names, in its order', async () => {
    const connected = fc.array(fc.nat(4), { minLength: 1, maxLength: 5 });
    await assertProperty(
      fc.asyncProperty(
        someTicks,
        anyTick,
        fc.boolean(),
        connected,
        fc.boolean(),
        async (ticks, final, atTop, below, isLiquidated) => {
          const links = below.map((id, at) => Math.min(id, at));
          const vault = vaultWith(ticks, links);
          const topmostTick = Math.max(...ticks);
          const currentTick = atTop ? topmostTick : (ticks[0] ?? 1);
          const state = createTestVaultState(VAULT, {
            topmostTick,
            currentBranchId: links.length,
            totalBranchId: links.length,
          });
          const fellInto = isLiquidated ? links.length : 0;
          const position = { ...EMPTY_POSITION_STATE, isLiquidated, liquidationBranchId: fellInto };
          const recorded = { tick: currentTick, tickId: 1 };
          const ours = listOperateAccounts(state, recorded, position, final, createOperateReader(vault));
          const program = createSdkProgram(vault, big, links.length);
          expect(ours.branches).toEqual(
            await sdk.loadRelevantBranches(VAULT, state, isLiquidated, fellInto, program),
          );
          const arrays = await sdk.loadRelevantTicksHasDebtArrays(
            VAULT,
            topmostTick,
            currentTick,
            final,
            program,
          );
          // The SDK collects objects, so that it names an array twice if both ticks are in it.
          const theirs = [...new Set(arrays.map((each) => each.toBase58()))];
          expect(
            ours.arrays.map((index) => deriveTickHasDebtAddress(VAULT, index).address as string),
          ).toEqual(theirs);
        },
      ),
      { cases: 200, seed: 32, against: 'the public SDK' },
    );
  });

  it('names the accounts that are missing once each', () => {
    const vault = vaultWith([]);
    const accounts = listOperateAccounts(
      createTestVaultState(VAULT, { branchLiquidated: true, totalBranchId: 4 }),
      null,
      EMPTY_POSITION_STATE,
      12,
      createOperateReader(vault),
    );
    expect(accounts).toMatchObject({
      currentTick: MIN_TICK,
      finalTick: 12,
      newBranchId: 5,
      missingTicks: [MIN_TICK, 12],
      missingBranch: 5,
      missingTickIds: [
        { tick: 12, id: 0 },
        { tick: MIN_TICK, id: 0 },
      ],
    });
  });

  it('names the life of the tick in which a liquidated position entered it', () => {
    const ticks = new Map([[9, createTestTick(VAULT, 9, { totalIds: 8 })]]);
    const vault = { ...vaultWith([], [0]), ticks, tickIds: new Map() };
    const position = { ...EMPTY_POSITION_STATE, isLiquidated: true, liquidationBranchId: 1 };
    const accounts = listOperateAccounts(
      createTestVaultState(VAULT),
      { tick: 9, tickId: 2 },
      position,
      5,
      createOperateReader(vault),
    );
    expect(accounts.currentTickId).toEqual({ tick: 9, id: 2 });
    expect(accounts.branches).toEqual([1, 0]);
    expect(toTickIdKey(9, 2)).not.toBe(toTickIdKey(9, 8));
  });
});

async function setUp(): Promise<void> {
  ({ sdk, big } = await loadBorrowSdk());
}

const VAULT = 7;
// The SDK takes tick 0 for a vault without debt, so that its answers differ there.
const anyTick = fc.integer({ min: MIN_TICK + 1, max: MAX_TICK - 1 }).filter((tick) => tick !== 0);
const someTicks = fc.uniqueArray(anyTick, { minLength: 1, maxLength: 12 });

function vaultWith(ticks: readonly number[], connected: readonly number[] = []): VaultAccountsForTests {
  return {
    vaultId: VAULT,
    ticks: new Map(),
    tickIds: new Map(),
    branches: new Map(
      connected.map((connectedBranchId, at) => [
        at + 1,
        createTestBranch(VAULT, at + 1, { connectedBranchId }),
      ]),
    ),
    arrays: createArraysWith(VAULT, ticks),
  };
}
