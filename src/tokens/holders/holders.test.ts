import { beforeEach, describe, expect, it } from 'vitest';
import type { Address } from '../../solana/address.ts';
import { boughtBy, numbered, TokenWorld } from '../../testing/test-tokens.ts';
import { computeHolders } from './holders.ts';

let world: TokenWorld;

beforeEach(() => {
  world = new TokenWorld();
  world.mint(DOLLAR, { name: 'Dollar', symbol: 'USD' });
});

describe('computeHolders', () => {
  it('states parts of the supply in percent, at most 100, and none of a mint that does not count it', () => {
    const owners = { owners: 3, largest: [50n, 25n], ofOwner: 25n };
    expect(computeHolders(owners, 300n)).toEqual({ count: 3, topPercentage: 25, creatorPercentage: 8.3333 });
    expect(computeHolders(owners, 60n)).toMatchObject({ topPercentage: 100 });
    expect(computeHolders(owners, 0n)).toEqual({ count: 3, topPercentage: null, creatorPercentage: null });
    expect(computeHolders({ ...owners, ofOwner: null }, 100n).creatorPercentage).toBeNull();
  });
});

describe('the creator of a token', () => {
  it('is looked for until it is known, five times at most, and then asked for its balance', async () => {
    world.mint(OTHER, { symbol: 'CAT' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
    const searches = new Map<string, number>();
    const tokens = await world.open({
      holderIndex: {
        ownersOf: async (_, owner) => ({ owners: 2, largest: [], ofOwner: owner === CREATOR ? 0n : null }),
        creatorOf: async (mint) => {
          const count = (searches.get(mint) ?? 0) + 1;
          searches.set(mint, count);
          return mint === OTHER && count === 3 ? CREATOR : null;
        },
      },
    });
    for (let times = 0; times < 20; times++) await world.refresh();
    const [token, dollar] = await tokens.find([OTHER, DOLLAR]);
    expect(token).toMatchObject({ creator: CREATOR, holders: { count: 2 } });
    expect(dollar).toMatchObject({ creator: null, holders: { creatorPercentage: null } });
    expect([searches.get(OTHER), searches.get(DOLLAR)]).toEqual([3, 5]);
    tokens.close();
  });
});

describe('the mints of a creator', () => {
  it('are those that it launched, and of the others those that are known; the creator of a launch is who signed it', async () => {
    for (const [index, mint] of [OTHER, DOLLAR, LAUNCHED].entries()) {
      world.mint(mint, { symbol: 'CAT' });
      world.pool(numbered(50 + index), [mint, numbered(60)]);
    }
    const launch = {
      launchpad: 'met-dbc',
      pool: OTHER,
      launchedAt: null,
      config: OTHER,
      progress: 1,
      graduated: null,
    };
    const asked: (string | null)[] = [];
    const tokens = await world.open({
      holderIndex: {
        ownersOf: async (mint, owner) => {
          if (mint === LAUNCHED) asked.push(owner);
          return { owners: 2, largest: [], ofOwner: 0n };
        },
        creatorOf: async (mint) => (mint === DOLLAR ? CREATOR : numbered(61)),
      },
      launches: {
        find: (mint) => (mint === LAUNCHED ? launch : null),
        creatorOf: (mint) => (mint === LAUNCHED ? CREATOR : null),
        countOf: (who) => (who === CREATOR ? 2 : 0),
      },
    });
    for (let times = 0; times < 3; times++) await world.refresh();
    const found = await tokens.find([OTHER, DOLLAR, LAUNCHED]);
    expect(found.map(({ creator, creatorMints }) => [creator, creatorMints])).toEqual([
      [numbered(61), 1],
      [CREATOR, 3],
      [CREATOR, 3],
    ]);
    expect(new Set(asked)).toEqual(new Set([CREATOR]));
    tokens.close();
  });

  it('are only the launched ones where the network has no index of creators', async () => {
    for (const mint of [OTHER, LAUNCHED]) world.mint(mint, { symbol: 'CAT' });
    const launch = {
      launchpad: 'met-dbc',
      pool: OTHER,
      launchedAt: null,
      config: OTHER,
      progress: 1,
      graduated: null,
    };
    const launches = {
      find: (mint: string) => (mint === LAUNCHED ? launch : null),
      creatorOf: (mint: string) => (mint === LAUNCHED ? CREATOR : null),
      countOf: () => 2,
    };
    const tokens = await world.open({ launches });
    const found = await tokens.find([OTHER, LAUNCHED]);
    expect(found.map(({ creator, creatorMints }) => [creator, creatorMints])).toEqual([
      [null, null],
      [CREATOR, 2],
    ]);
    tokens.close();
  });
});

describe('the holders of a token', () => {
  it('are compared with those at the beginning of each window that has passed', async () => {
    world.mint(OTHER, { symbol: 'CAT' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
    world.stats.set(OTHER, boughtBy(5, 100));
    let owners = 40;
    const ownersOf = async () => ({ owners, largest: [], ofOwner: null });
    const tokens = await world.open({ holderIndex: { ownersOf, creatorOf: async () => null } });
    const changes = async () => (await tokens.find([OTHER]))[0]?.holderChanges;
    expect(await changes()).toEqual({ '5m': null, '1h': null, '6h': null, '24h': null });
    owners = 50;
    world.timers.advance(6 * 60_000);
    await world.refresh();
    expect(await changes()).toEqual({ '5m': 25, '1h': null, '6h': null, '24h': null });
    world.timers.advance(60 * 60_000);
    await world.refresh();
    expect(await changes()).toEqual({ '5m': 0, '1h': 0, '6h': null, '24h': null });
    tokens.close();
  });

  it('are not compared where the network has no index of them', async () => {
    world.mint(OTHER, { symbol: 'CAT' });
    world.pool(numbered(50), [OTHER, DOLLAR]);
    const tokens = await world.open();
    world.timers.advance(6 * 60_000);
    await world.refresh();
    const [token] = await tokens.find([OTHER]);
    expect(token?.holders).toBeNull();
    expect(token?.holderChanges['5m']).toBeNull();
    tokens.close();
  });
});

const [OTHER, DOLLAR, CREATOR, LAUNCHED] = [3, 4, 5, 6].map(numbered) as [Address, Address, Address, Address];
