import { describe, expect, it } from 'vitest';
import { CLEARING_TICKS, mostThatPasses } from '../examples/clearing.ts';
import { findLiquidation, isSuspect, type ListedVault } from '../examples/liquidation.ts';
import { Patience } from '../examples/patience.ts';
import { VaultWorld } from '../programs/vaults/tests/world.ts';
import { liquidate, parseLiquidationResult } from '../src/protocols/jupiter-lend/liquidation/instruction.ts';
import type { Address } from '../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../src/solana/program-addresses.ts';

describe('isSuspect', () => {
  it('is true for debt near the threshold, and false for a vault without a price, which must not stop the others', () => {
    const listed = [RISKY, SAFE, vault(3, null, 3_430), vault(4, 200n, -(2 ** 31))];
    expect(listed.filter(isSuspect)).toEqual([RISKY]);
  });

  it('is true for absorbed debt, however low the top tick is', () => {
    expect(isSuspect(vault(2, 200n, 3_000, 1n))).toBe(true);
  });

  it('is false for prices that the program refuses', () => {
    expect(isSuspect(vault(5, 10n ** 12n, 3_430))).toBe(false);
    expect(isSuspect(vault(6, 0n, 3_430))).toBe(false);
  });
});

describe('Patience', () => {
  it('looks ever more rarely at a vault that gives nothing, but at least once in 65 rounds', () => {
    const patience = new Patience();
    expect(looksIn(patience, 100, RISKY)).toBeLessThan(8);
    expect(looksIn(patience, 650, RISKY)).toBeGreaterThanOrEqual(10);
  });

  it('looks again at once when the top tick or the price has changed, and after a liquidation', () => {
    const patience = new Patience();
    looksIn(patience, 100, RISKY);
    expect(patience.pick([RISKY])).toEqual([]);
    const fallen = vault(1, 190n, 3_430);
    expect(patience.pick([fallen])).toEqual([fallen]);
    const lower = vault(1, 200n, 3_428);
    expect(patience.pick([lower])).toEqual([lower]);
    const absorbing = vault(1, 200n, 3_430, 5n);
    expect(patience.pick([absorbing])).toEqual([absorbing]);
    patience.gave(RISKY);
    expect(patience.pick([RISKY])).toEqual([RISKY]);
  });

  it('treats each vault on its own', () => {
    const patience = new Patience();
    looksIn(patience, 100, RISKY);
    const other = vault(7, 200n, 3_430);
    expect(patience.pick([RISKY, other])).toEqual([other]);
  });

  /** In how many of the next rounds the vault is looked at, when nothing ever comes of it. */
  function looksIn(patience: Patience, rounds: number, listed: ListedVault): number {
    let looks = 0;
    for (let round = 0; round < rounds; round++) {
      for (const picked of patience.pick([listed])) {
        looks++;
        patience.gaveNothing(picked);
      }
    }
    return looks;
  }
});

/** A vault in which 10 SOL at 100 dollars are collateral for each of the debts, in dollars. */
function vaultWith(debts: readonly bigint[]): VaultWorld {
  const world = new VaultWorld();
  for (const debt of debts) {
    const owner = world.user();
    const amounts = { collateral: 10_000_000_000n, debt: debt * 1_000_000n };
    expect(world.operate(world.open(owner), owner, amounts).error).toBeNull();
  }
  return world;
}

/** What the liquidator finds of it, as REST and an RPC node show it. */
async function find(world: VaultWorld, maxTicks: number) {
  const read = async (addresses: readonly Address[]) => addresses.map((each) => world.network.account(each));
  const { topmostTick, absorbedDebtAmount } = world.state();
  const listed = {
    ...vault(1, null, topmostTick, absorbedDebtAmount),
    address: world.config,
    oracleSources: [{ source: world.feed }],
    oraclePriceLiquidate: String(world.rate()),
  };
  const found = await findLiquidation(read, listed, world.now, maxTicks);
  if (found === null) throw new Error('nothing can be liquidated');
  return found;
}

describe('findLiquidation', () => {
  it('has many ticks absorbed first, and liquidates what was absorbed then', async () => {
    const world = vaultWith([790n, 785n, 780n, 775n, 770n, 300n]);
    const liquidator = world.user();
    world.setPrice(80_000_000n);
    const before = await find(world, 8);
    if (before.absorption === null) throw new Error('nothing is absorbed');
    expect(before.absorption.ticks).toHaveLength(5);
    const absorbing = { debt: 0n, collateralPerDebt: 0n, absorb: false };
    const setup = before.setup(liquidator);
    if (setup.length > 0) world.must(...setup);
    world.must(liquidate(before.vault, liquidator, liquidator, before.absorption, absorbing));
    const after = await find(world, 8);
    expect(after).toMatchObject({ absorption: null, accounts: { ticks: [] } });
    expect(after.absorbed).toBeGreaterThan(0n);
    const taking = { debt: 1n << 62n, collateralPerDebt: 0n, absorb: true };
    world.must(liquidate(after.vault, liquidator, liquidator, after.accounts, taking));
    expect(world.state().absorbedDebtAmount).toBe(0n);
  });

  it('absorbs nothing on its own where no other debt stays, because nobody could take it afterwards', async () => {
    const world = vaultWith([790n, 785n, 780n]);
    const liquidator = world.user();
    world.setPrice(80_000_000n);
    const { vault: of, accounts, absorption } = await find(world, 8);
    expect(absorption).toBeNull();
    const terms = { debt: 1n << 62n, collateralPerDebt: 0n, absorb: true };
    // The program cannot take the last debt of a vault in full.
    const all = liquidate(of, liquidator, liquidator, accounts, terms);
    expect(world.network.send([all]).error).toMatchObject({ custom: 6000 });
    world.must(liquidate(of, liquidator, liquidator, accounts, { ...terms, debt: 2_300_000_000n }));
    expect(world.state().absorbedDebtAmount).toBeLessThan(100_000_000_000n);
  });

  it('names as many ticks as were asked for, of which a part can be liquidated', async () => {
    const world = vaultWith([790n, 787n, 784n, 781n, 300n]);
    const liquidator = world.user();
    world.setPrice(90_000_000n);
    const { vault: of, accounts } = await find(world, 2);
    expect(accounts.ticks).toHaveLength(2);
    const terms = { debt: 1_000_000n, collateralPerDebt: 0n, absorb: true };
    const all = liquidate(of, liquidator, liquidator, accounts, { ...terms, debt: 1n << 62n });
    expect(world.network.send([all]).error).toMatchObject({ kind: 'Custom' });
    world.must(liquidate(of, liquidator, liquidator, accounts, terms));
  });

  it('reaches large debt below 40 ticks of dust, by clearing them first', async () => {
    const world = new VaultWorld();
    const keeper = world.user();
    expect(
      world.operate(world.open(keeper), keeper, { collateral: 10_000_000_000n, debt: 100_000_000n }).error,
    ).toBeNull();
    // At 100 dollars: each dust position is a tick below the one before, and the real debt is below all of them.
    for (let tick = 0; tick < 40; tick++) {
      const owner = world.user();
      const debt = BigInt(Math.floor(79_800 / 1.0016 ** tick));
      expect(world.operate(world.open(owner), owner, { collateral: 1_000_000n, debt }).error).toBeNull();
    }
    const owner = world.user();
    const real = world.open(owner);
    expect(
      world.operate(real, owner, { collateral: 100_000_000_000n, debt: 7_480_000_000n }).error,
    ).toBeNull();
    world.setPrice(87_500_000n);
    const liquidator = world.user();
    const owed = () => world.positionState(real).debt;
    const before = owed();
    let clearings = 0;
    for (let round = 0; round < 12 && owed() * 100n > before * 98n; round++) {
      const { vault: of, accounts, absorption, setup } = await find(world, 12);
      const missing = setup(liquidator);
      if (missing.length > 0) world.must(...missing);
      if (absorption !== null) {
        const absorbing = { debt: 0n, collateralPerDebt: 0n, absorb: false };
        world.must(liquidate(of, liquidator, liquidator, absorption, absorbing));
        continue;
      }
      const isReached = accounts.ticks.length < 12;
      const named = isReached ? accounts : (await find(world, CLEARING_TICKS)).accounts;
      const ask = async (debt: bigint) => {
        const terms = { debt, collateralPerDebt: 0n, absorb: false };
        const asked = liquidate(of, liquidator, SYSTEM_PROGRAM, named, terms);
        return parseLiquidationResult(world.network.simulate([asked]).logs);
      };
      const most = await mostThatPasses(ask, 1n << 62n, 7_600_000_000n);
      if (most === null) throw new Error(`nothing can be liquidated in round ${round}`);
      // A clearing pays back one dollar at most.
      const debt = isReached || most.debt < 1_000_000n ? most.debt : 1_000_000n;
      if (!isReached) clearings++;
      const terms = { debt, collateralPerDebt: 0n, absorb: false };
      world.must(liquidate(of, liquidator, liquidator, named, terms));
    }
    expect(clearings).toBeGreaterThan(0);
    expect(owed()).toBeLessThan((before * 98n) / 100n);
  });
});

const token = { address: '', symbol: 'A', decimals: 9 };

/** A vault whose collateral is worth `price` debt per unit, with debt up to the given tick. */
function vault(id: number, price: bigint | null, topTick: number, absorbed = 0n): ListedVault {
  return {
    id,
    address: `vault ${id}`,
    topTick,
    absorbedBorrow: String(absorbed),
    totalBorrow: '1000000',
    liquidationThreshold: '850',
    oracleSources: [],
    supplyToken: token,
    borrowToken: { ...token, price: '1' },
    ...(price === null ? {} : { oraclePriceLiquidate: String(price * 10n ** 15n) }),
  };
}

// 85 percent of 200 is 1.0015^3426.
const [RISKY, SAFE] = [vault(1, 200n, 3_430), vault(2, 200n, 3_000)];
