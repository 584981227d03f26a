import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Account } from '../../chain/accounts.ts';
import type { PoolState, Unusable, Venue } from '../../protocol/venue/venue.ts';
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import { VENUES } from '../../protocols/venues.ts';
import type { Address } from '../../solana/address.ts';
import { U64_MAX } from '../../solana/units.ts';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { openForAll } from '../../testing/opened.ts';
import { createRoundWorld } from '../../testing/protocols/forecast-round.ts';
import { assertProperty } from '../../testing/random.ts';
import type { PoolHandle } from './liquidity.ts';
import { Pools } from './pools.ts';

const market = openForAll(() => openTestMarket('without programs'));

describe('accounts that no program writes', () => {
  it.each(VENUES.map((venue) => [venue.label, venue] as const))(
    'make a pool of %s unusable, or one that is quoted without an exception',
    (_, venue) => {
      const sources = listSources(venue);
      let changed = 0;
      assertProperty(
        fc.property(fc.nat(), fc.nat(), fc.array(damage, { minLength: 1, maxLength: 3 }), (pool, at, all) => {
          const { address, accounts } = sources[pool % sources.length] as PoolSource;
          const target = [...accounts.keys()][at % accounts.size] as Address;
          const damaged = new Map(accounts).set(target, all.reduce(apply, accounts.get(target) as Account));
          if (!venue.isPool(damaged.get(address) as Account)) return;
          changed++;
          tryPool(
            venue,
            venue.decode(address, (each) => damaged.get(each) ?? null),
          );
          const before = venue.decode(address, (each) => accounts.get(each) ?? null);
          if ('unusable' in before) throw new Error(before.unusable);
          const next = venue.advance?.(before, target, damaged.get(target) as Account) ?? null;
          if (next !== null) tryPool(venue, next);
        }),
        { cases: 3_000, seed: 20_261_129 },
      );
      expect(changed).toBeGreaterThan(100);
    },
  );

  it('leave out their pool alone where a venue fails with any exception', async () => {
    for (const fails of ['decode', 'dependencies', 'furtherDependencies'] as const) {
      const [hostile, ...others] = [...market.pools.all()].filter(
        ({ venue }) => venue.label === raydiumCpmm.label,
      );
      const { pool } = hostile as PoolHandle;
      const throwFor = (own: boolean) => {
        if (own) throw new RangeError('Division by zero');
      };
      const venue: Venue = {
        ...(raydiumCpmm as unknown as Venue),
        decode: (address, read) => {
          if (fails === 'decode') throwFor(address === pool.address);
          return (raydiumCpmm as unknown as Venue).decode(address, read);
        },
        dependencies: (address, account) => {
          if (fails === 'dependencies') throwFor(address === pool.address);
          return raydiumCpmm.dependencies(address, account);
        },
        furtherDependencies: (account) => {
          if (fails === 'furtherDependencies')
            throwFor(account.data === market.network.account(pool.address)?.data);
          return [];
        },
      };
      const pools = await Pools.open(market.chain, [venue]);
      const isLeftOut = fails !== 'furtherDependencies';
      expect(pools.find(pool.address) === null).toBe(isLeftOut);
      expect([...pools.unusable()].map(({ address }) => address)).toEqual(isLeftOut ? [pool.address] : []);
      for (const each of others) expect(pools.find(each.pool.address)).not.toBeNull();
      pools.close();
    }
  });
});

/** A pool, and all accounts that it is decoded from. */
interface PoolSource {
  readonly address: Address;
  readonly accounts: ReadonlyMap<Address, Account>;
}

function listSources(venue: Venue): readonly PoolSource[] {
  if (venue.isShortLived === true) return [listRoundSource()];
  const handles = [...market.pools.all()].filter((handle) => handle.venue.label === venue.label);
  return handles.map(({ pool: { address } }) => {
    const known = (each: Address): Account | null => market.network.account(each);
    const own = known(address) as Account;
    const further = venue.furtherDependencies?.(own, known) ?? [];
    const needed = [address, ...venue.dependencies(address, own), ...further];
    const found = needed.map((each) => [each, known(each)] as const);
    return {
      address,
      accounts: new Map(found.flatMap(([each, account]) => (account === null ? [] : [[each, account]]))),
    };
  });
}

/** The genesis has no round of forecasts. */
function listRoundSource(): PoolSource {
  const { side: address, round, feed, vault, mint, accounts } = createRoundWorld();
  const needed = [address, round, feed, vault, mint];
  return {
    address,
    accounts: new Map(needed.map((each) => [each, accounts.get(each) as Account])),
  };
}

/** Bytes that replace a part of an account, at a multiple of their length. Null: the account ends there. */
interface Damage {
  readonly at: number;
  readonly bytes: Uint8Array | null;
}

const length = fc.constantFrom(1, 2, 4, 8, 16, 32);
const damage: fc.Arbitrary<Damage> = fc.record({
  at: fc.nat(),
  bytes: length.chain((size) =>
    fc.oneof(
      {
        weight: 8,
        arbitrary: fc.constantFrom(0, 1, 0x7f, 0xff).map((byte) => new Uint8Array(size).fill(byte)),
      },
      { weight: 8, arbitrary: fc.uint8Array({ minLength: size, maxLength: size }) },
      { weight: 1, arbitrary: fc.constant(null) },
    ),
  ),
});

function apply(account: Account, { at, bytes }: Damage): Account {
  if (bytes === null) {
    return { ...account, data: Uint8Array.from(account.data.subarray(0, at % (account.data.length + 1))) };
  }
  const places = Math.floor(account.data.length / bytes.length);
  if (places === 0) return account;
  const data = Uint8Array.from(account.data);
  data.set(bytes, (at % places) * bytes.length);
  return { ...account, data };
}

const AMOUNTS = [1n, 1_000_000n, 1_000_000_000_000n, U64_MAX];

function tryPool(venue: Venue, pool: PoolState | Unusable): void {
  if ('unusable' in pool) return;
  for (const mint of pool.mints) for (const amount of AMOUNTS) trade(venue, pool, mint, amount);
}

function trade(venue: Venue, pool: PoolState, mint: Address, amount: bigint): void {
  const clock = market.chain.clock();
  venue.quoteExactIn(pool, mint, amount, clock);
  venue.quoteExactOut(pool, mint, amount, clock);
  const estimated = venue.estimate(pool, mint, Number(amount), clock);
  if (!(estimated >= 0 && estimated < Number.POSITIVE_INFINITY))
    throw new Error(`${amount} pay ${estimated}`);
}
