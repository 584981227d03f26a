import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, countCases } from '../../testing/random.ts';
import type { Account } from '../../chain/accounts.ts';
import type { Address } from '../../solana/address.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../solana/programs/token/account.ts';
import { U64_MAX } from '../../solana/units.ts';
import { raydiumCpmm } from './venue.ts';
import { encodePool, type RaydiumPoolAccount } from './program/layout.ts';
import {
  createNamedAddress,
  createRaydiumPoolAccount,
  RESERVE,
  VAULT,
  type World,
  createRaydiumWorld,
} from '../../testing/protocols/raydium-pool.ts';
import type { RaydiumCpmmPool } from './pool.ts';

describe('a pool whose accounts change one by one', () => {
  it('has the same state as after decoding all accounts again', () => {
    assertProperty(
      fc.property(fc.array(ordinary, { minLength: 1, maxLength: 6 }), (changes) => {
        const made = createRaydiumWorld();
        let pool = usable(made);
        for (const alter of changes) {
          const { advanced, decoded } = both(made, pool, alter);
          expect(advanced).toEqual(decoded);
          if (advanced !== null) pool = advanced;
        }
      }),
      SUITE,
    );
  });

  it('is decoded again after any other change, unless the state is the same', () => {
    let decodedAgain = 0;
    assertProperty(
      fc.property(other, (alter) => {
        const made = createRaydiumWorld();
        const { advanced, decoded } = both(made, usable(made), alter);
        if (advanced === null) decodedAgain++;
        else expect(advanced).toEqual(decoded);
      }),
      SUITE,
    );
    expect(decodedAgain).toBeGreaterThan(countCases(SUITE) / 5);
  });

  it('is decoded again when an account changes that it shares with others', () => {
    const made = createRaydiumWorld();
    const account = made.accounts.get(made.addresses.config);
    if (account === undefined) throw new Error('no configuration');
    expect(raydiumCpmm.advance?.(usable(made), made.addresses.config, account)).toBeNull();
  });
});

const SUITE = { cases: 500, short: 150, seed: 20_261_121 };

const amount = fc.oneof(fc.bigInt(0n, 2_000n), fc.bigInt(0n, U64_MAX));
const fee = fc.bigInt(0n, 1_000n);
const side = fc.constantFrom(0 as const, 1 as const);

/** Alters an account and says which. */
type Change = (made: World) => Address;

/** What a swap, deposit, withdrawal or collection of fees does to one account. */
const ordinary: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(side, fc.bigInt(3_001n, U64_MAX)).map(([at, held]) => vaultWith(at, { amount: held })),
  fc
    .record({
      status: fc.integer({ min: 0, max: 7 }),
      lpSupply: amount,
      protocolFees: fc.tuple(fee, fee),
      fundFees: fc.tuple(fee, fee),
      creatorFees: fc.tuple(fee, fee),
      openTime: fc.bigInt(0n, 1n << 40n),
      recentEpoch: fee,
    })
    .map(poolWith),
);

/** What else may become of the accounts, likely or not. */
const other: fc.Arbitrary<Change> = fc.oneof(
  fc.tuple(side, amount).map(([at, held]) => vaultWith(at, { amount: held })),
  side.map((at) => vaultWith(at, { state: 'frozen' })),
  fc.tuple(side, fc.constantFrom(TOKEN_2022_PROGRAM, createNamedAddress('another program'))).map(
    ([at, owner]): Change =>
      (made) =>
        change(made, made.addresses.vaults[at], { owner }),
  ),
  fc
    .oneof(
      fc.record({ creatorFeeOn: fc.integer({ min: 0, max: 3 }), creatorFeeEnabled: fc.boolean() }),
      fc.record({ protocolFees: fc.tuple(amount, amount), fundFees: fc.tuple(amount, amount) }),
      fc.record({ authorityBump: fc.integer({ min: 252, max: 253 }) }),
      fc.record({
        vaults: fc.constant([createNamedAddress('vault a'), createNamedAddress('vault b')] as const),
      }),
    )
    .map(poolWith),
  fc.integer({ min: 0, max: 700 }).map(
    (size): Change =>
      (made) =>
        change(made, made.addresses.address, { data: new Uint8Array(size) }),
  ),
);

function vaultWith(at: 0 | 1, fields: Partial<Parameters<typeof encodeTokenAccount>[0]>): Change {
  return (made) => {
    const plain = { ...VAULT, mint: made.addresses.mints[at], amount: RESERVE };
    return change(made, made.addresses.vaults[at], { data: encodeTokenAccount({ ...plain, ...fields }) });
  };
}

function poolWith(fields: Partial<RaydiumPoolAccount>): Change {
  return (made) =>
    change(made, made.addresses.address, {
      data: encodePool({ ...createRaydiumPoolAccount(made.addresses), ...fields }),
    });
}

function change(made: World, address: Address, fields: Partial<Account>): Address {
  const account = made.accounts.get(address);
  if (account === undefined) throw new Error(`no account ${address}`);
  made.accounts.set(address, { ...account, ...fields });
  return address;
}

function decode({ addresses, accounts }: World) {
  return raydiumCpmm.decode(addresses.address, (address) => accounts.get(address) ?? null);
}

/** The state by way of the change alone, null where that is not offered, and by way of every account. */
function both(made: World, pool: RaydiumCpmmPool, alter: Change) {
  const changed = alter(made);
  const account = made.accounts.get(changed);
  if (account === undefined) throw new Error(`no account ${changed}`);
  return { advanced: raydiumCpmm.advance?.(pool, changed, account) ?? null, decoded: decode(made) };
}

function usable(made: World): RaydiumCpmmPool {
  const pool = decode(made);
  if ('unusable' in pool) throw new Error(pool.unusable);
  return pool;
}
