import { SYSTEM_TIMERS } from '../../../src/common/ports/timers.ts';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../src/testing/random.ts';
import { encodeWhirlpool } from '../../../src/protocols/whirlpool/program/layout.ts';
import { whirlpoolPositions } from '../../../src/protocols/whirlpool/positions/fetcher.ts';
import { WHIRLPOOL_PROGRAM } from '../../../src/protocols/whirlpool/program/program.ts';
import { collectAmounts, fetchPositions, collectLiquidities } from '../../../src/testing/svm/positions.ts';
import { namedAddress, token, writeMint, writeTokenAccount } from '../../raydium-cpmm/tests/fixture.ts';
import { USER } from './fixture.ts';
import { changeLiquidity, collectFees, type LiquidityAccounts, updateFees } from './instructions.ts';
import { collectReward } from './instructions-v2.ts';
import {
  balances,
  createPool,
  network,
  openWith,
  pool,
  SPACING,
  startOver,
  state,
  succeed,
  swapIn,
} from './liquidity-world.ts';

describe('whirlpoolPositions', () => {
  it('reads to the atom what the program pays for the liquidity and the fees of a position', async () => {
    await assertProperty(
      fc.asyncProperty(
        range,
        fc.bigInt({ min: 1n << 20n, max: 1n << 42n }),
        fc.array(trade, { maxLength: 4 }),
        async ([lower, upper], liquidity, trades) => {
          startOver();
          createPool();
          openWith(-80 * SPACING, 120 * SPACING, 1n << 40n);
          const accounts = openWith(lower, upper, liquidity);
          for (const { amount, aToB } of trades) swapIn(amount, aToB);
          const read = await readOne(accounts);
          const { tick } = state();
          expect(read.element.tags?.includes('Out Of Range')).toBe(tick < lower || tick >= upper);
          succeed(updateFees(accounts));
          expect(read.earned).toEqual(gained(() => succeed(collectFees(accounts))));
          const withdraw = changeLiquidity('decrease', accounts, liquidity, [0n, 0n]);
          expect(read.assets).toEqual(gained(() => succeed(withdraw)));
        },
      ),
      { cases: 25, short: 10, seed: 15, against: 'the program' },
    );
  });

  it('reads rewards up to the second of the clock', async () => {
    startOver();
    createPool();
    const before = state();
    const vault = namedAddress('read reward vault');
    const reward = { index: 0, token: token('read reward'), vault, owner: namedAddress('read reward owner') };
    const used = { ...before.rewards[0], mint: reward.token.mint, vault, emissionsPerSecond: 777n << 60n };
    const rewards = [used, before.rewards[1], before.rewards[2]] as const;
    network.setData(pool.address, WHIRLPOOL_PROGRAM, encodeWhirlpool({ ...before, rewards }));
    writeMint(network, reward.token);
    writeTokenAccount(network, vault, pool.address, reward.token, 1n << 50n);
    writeTokenAccount(network, reward.owner, USER, reward.token, 0n);
    openWith(-64 * SPACING, 64 * SPACING, 3n << 38n);
    const accounts = openWith(-10 * SPACING, 10 * SPACING, 1n << 38n);
    network.setUnixTime(NOW + 12_345n);
    const { earned } = await readOne(accounts);
    succeed(updateFees(accounts));
    succeed(collectReward(accounts, reward));
    const paid = network.tokenBalance(reward.owner);
    expect(paid).toBeGreaterThan(0n);
    expect(earned).toEqual([0n, 0n, paid]);
  });

  it('claims the token of a position, and no other token', async () => {
    startOver();
    createPool();
    const accounts = openWith(-SPACING, SPACING);
    const { openWalletReader } = await import('../../../src/protocol/positions/wallet-reader.ts');
    const { SvmChain } = await import('../../../src/testing/svm/chain.ts');
    const view = new SvmChain(network).openView();
    const wallet = openWalletReader(view, USER, [whirlpoolPositions], () => {}, SYSTEM_TIMERS);
    expect([...(await wallet.claimedMints())]).toEqual([accounts.position.mint]);
  });
});

const NOW = 1_700_000_000n;
const TICKS = { min: -85, max: 150 };
const range = fc
  .uniqueArray(fc.integer(TICKS), { minLength: 2, maxLength: 2 })
  .map(([one = 0, other = 1]) => [Math.min(one, other) * SPACING, Math.max(one, other) * SPACING] as const);
const trade = fc.record({ amount: fc.bigInt({ min: 1n, max: 1n << 34n }), aToB: fc.boolean() });

async function readOne({ position }: LiquidityAccounts) {
  const { elements, unreadable } = await fetchPositions(network, USER, whirlpoolPositions);
  expect(unreadable).toEqual([]);
  const element = elements.find((each) => collectLiquidities([each])[0]?.ref === position.position);
  const [liquidity] = collectLiquidities(element === undefined ? [] : [element]);
  if (element === undefined || liquidity === undefined) throw new Error('the position was not found');
  return {
    element,
    assets: collectAmounts(liquidity.assets),
    earned: collectAmounts(liquidity.rewardAssets),
  };
}

function gained(run: () => void): bigint[] {
  const before = balances();
  run();
  return balances().map((after, side) => after - (before[side] ?? 0n));
}
