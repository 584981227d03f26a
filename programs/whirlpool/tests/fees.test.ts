import { beforeEach, describe, expect, it } from 'vitest';
import { USER } from './fixture.ts';
import { changeLiquidity, closePosition, collectFees, updateFees } from './instructions.ts';
import {
  balances,
  createPool,
  LIQUIDITY,
  network,
  open,
  openWith,
  pool,
  positionOfAccounts,
  refuse,
  SPAN,
  startOver,
  state,
  succeed,
  swapIn,
} from './liquidity-world.ts';

beforeEach(() => startOver());

describe('fees', () => {
  beforeEach(() => createPool());

  it('go to the positions in range, by their liquidity, less the protocol’s share', () => {
    const wide = openWith(-SPAN, SPAN, 3n * LIQUIDITY);
    const narrow = openWith(-640, 640, LIQUIDITY);
    const away = openWith(640, 1280, LIQUIDITY);
    swapIn(1_000_000_000n);
    swapIn(1_000_000_000n, false);
    for (const each of [wide, narrow, away]) succeed(updateFees(each));
    const fee = 3_000_000n;
    const share = (fee - (fee * 1300n) / 10_000n) / 4n;
    // Each growth is rounded down, once per unit of liquidity and once per position.
    for (const [accounts, times] of [
      [wide, 3n],
      [narrow, 1n],
      [away, 0n],
    ] as const) {
      for (const owed of positionOfAccounts(accounts).feesOwed) {
        expect(owed).toBeLessThanOrEqual(share * times);
        expect(owed).toBeGreaterThanOrEqual(share * times - (times === 0n ? 0n : 1n));
      }
    }
    expect(state().protocolFeesOwed).toEqual([390_000n, 390_000n]);
  });

  it('stay with the positions that were in range after the price has left them', () => {
    const narrow = openWith(-640, 640);
    openWith(-SPAN, SPAN);
    swapIn(100_000_000_000n);
    expect(state().tick).toBeLessThan(-640);
    succeed(updateFees(narrow));
    const { feesOwed } = positionOfAccounts(narrow);
    swapIn(1_000_000_000n);
    succeed(updateFees(narrow));
    expect(positionOfAccounts(narrow).feesOwed).toEqual(feesOwed);
    expect(feesOwed[0]).toBeGreaterThan(0n);
  });

  it('are paid out once', () => {
    const accounts = openWith(-640, 640);
    swapIn(1_000_000_000n);
    succeed(updateFees(accounts));
    const [owed] = positionOfAccounts(accounts).feesOwed;
    const [before] = balances();
    succeed(collectFees(accounts));
    expect(balances()[0]).toBe((before ?? 0n) + owed);
    expect(positionOfAccounts(accounts).feesOwed).toEqual([0n, 0n]);
    succeed(collectFees(accounts));
    expect(balances()[0]).toBe((before ?? 0n) + owed);
  });

  it('are not computed for a position without liquidity', () => {
    refuse(6012, updateFees(open(-640, 640)));
  });

  it('leave the vaults able to pay everyone, to within an atom per position and swap', () => {
    const accounts = [
      openWith(-640, 640),
      openWith(-SPAN, SPAN, 777_777_777_777n),
      openWith(-1280, -64, 5n * LIQUIDITY),
    ];
    for (const [amount, aToB] of [
      [40_000_000_000n, true],
      [90_000_000_000n, false],
      [1n, true],
    ] as const) {
      swapIn(amount, aToB);
    }
    const owedToProtocol = state().protocolFeesOwed;
    for (const each of accounts) {
      const { liquidity } = positionOfAccounts(each);
      succeed(changeLiquidity('decrease', each, liquidity, [0n, 0n]), collectFees(each));
      succeed(closePosition(each.position, USER));
    }
    for (const side of [0, 1] as const) {
      const left = network.tokenBalance(pool.vaults[side]) - owedToProtocol[side];
      expect(left).toBeGreaterThanOrEqual(0n);
      expect(left).toBeLessThan(20n);
    }
  });
});
