import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { type Address, toAddressBytes } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { encodeTokenAccount } from '../../../solana/programs/token/account.ts';
import { type Account, matchesAccountFilter } from '../../accounts.ts';
import { AccountStore, type TokenAccountFilter } from './accounts.ts';
import { createTestKey } from '../../../testing/chain/bank.ts';

describe('AccountStore', () => {
  it('reads every kept slot like a copy made at its end', () => {
    assertProperty(
      fc.property(fc.array(slot, { minLength: 1, maxLength: 8 }), fc.nat(4), (slots, forgotten) => {
        const store = new AccountStore();
        const states: State[] = [];
        const state = new Map<Address, Model>();
        for (const [number, writes] of slots.entries()) {
          store.openSlot(BigInt(number));
          for (const [address, model] of writes) {
            store.set(address, model?.account ?? null);
            if (model === null) state.delete(address);
            else state.set(address, model);
          }
          states.push(new Map(state));
          for (const [program, offset, field] of FIELDS.slice(0, number)) {
            store.programAccountsAt(program, BigInt(number), {
              memcmp: { offset, bytes: toAddressBytes(field) },
            });
          }
        }
        store.forgetBefore(BigInt(forgotten));
        for (const [number, expected] of states.entries()) {
          if (number < forgotten) continue;
          expectState(store, BigInt(number), expected);
        }
      }),
      { cases: 300, short: 100, seed: 7, against: 'a copy' },
    );
  });

  it('returns the accounts that a slot changed, with their states at its end', () => {
    const store = new AccountStore();
    const [first, second] = ADDRESSES;
    if (first === undefined || second === undefined) throw new Error('two addresses expected');
    const wallet = (lamports: bigint): Account => ({
      lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(0),
      executable: false,
      rentEpoch: 0n,
    });
    store.openSlot(5n);
    store.set(first, wallet(1n));
    store.set(first, wallet(2n));
    store.openSlot(6n);
    store.set(first, null);
    store.set(second, wallet(3n));
    expect(store.changesOf(5n)).toEqual([{ address: first, slot: 5n, account: wallet(2n) }]);
    expect(store.changesOf(6n)).toEqual([
      { address: first, slot: 6n, account: null },
      { address: second, slot: 6n, account: wallet(3n) },
    ]);
  });
});

const MINTS = Array.from({ length: 2 }, (_, i) => createTestKey(200 + i).address);
const WALLETS = Array.from({ length: 3 }, (_, i) => createTestKey(300 + i).address);

const TOKENS = MINTS.flatMap((mint) =>
  [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].map((program) => ({ mint, program })),
);
/** Two of them are associated accounts. */
const ADDRESSES = [
  ...Array.from({ length: 4 }, (_, i) => createTestKey(100 + i).address),
  ...MINTS.map((mint) => deriveAssociatedTokenAddress(createTestKey(300).address, mint, TOKEN_PROGRAM)),
];

interface TokenModel {
  readonly mint: Address;
  readonly owner: Address;
  readonly amount: bigint;
  readonly delegate: Address | null;
  readonly program: Address;
}

const anyTokenAccount: fc.Arbitrary<TokenModel> = fc.record({
  mint: fc.constantFrom(...MINTS),
  owner: fc.constantFrom(...WALLETS),
  amount: fc.bigInt({ min: 0n, max: 9n }),
  delegate: fc.option(fc.constantFrom(...WALLETS)),
  program: fc.constantFrom(TOKEN_PROGRAM, TOKEN_2022_PROGRAM),
});
interface Model {
  readonly token: TokenModel | null;
  readonly account: Account;
}

const anyAccount: fc.Arbitrary<Model | null> = fc.oneof(
  fc.constant(null),
  fc
    .record({
      lamports: fc.bigInt({ min: 1n, max: 9n }),
      owner: fc.constantFrom(SYSTEM_PROGRAM, TOKEN_PROGRAM),
    })
    .map(({ lamports, owner }) => ({
      token: null,
      account: { lamports, owner, data: new Uint8Array(165), executable: false, rentEpoch: 0n },
    })),
  anyTokenAccount.map((token) => ({
    token,
    account: {
      lamports: 5n,
      owner: token.program,
      executable: false,
      rentEpoch: 0n,
      data: encodeTokenAccount({
        ...token,
        state: 'initialized',
        nativeReserve: null,
        delegatedAmount: 1n,
        closeAuthority: null,
        extensions: [],
      }),
    },
  })),
);

const slot = fc.array(fc.tuple(fc.constantFrom(...ADDRESSES), anyAccount), { maxLength: 5 });

type State = ReadonlyMap<Address, Model>;

function matches(filter: TokenAccountFilter, { token, account }: Model): boolean {
  if (token === null) return false;
  if (filter.by === 'mint') return token.mint === filter.mint;
  if (token[filter.by] !== filter.address) return false;
  if ('mint' in filter) return token.mint === filter.mint;
  return !('program' in filter) || account.owner === filter.program;
}

function addressesIn(found: readonly { address: Address }[]): Address[] {
  return found.map(({ address }) => address).sort();
}

function listModelAddresses(state: State, keep: (model: Model) => boolean): Address[] {
  return [...state]
    .filter(([, model]) => keep(model))
    .map(([address]) => address)
    .sort();
}

/** Fields of token accounts that are found by their address: the mint at 0, the owner at 32. */
const FIELDS = [TOKEN_PROGRAM, TOKEN_2022_PROGRAM].flatMap((program) => [
  ...MINTS.map((mint) => [program, 0, mint] as const),
  ...WALLETS.map((wallet) => [program, 32, wallet] as const),
]);

const FILTERS: readonly TokenAccountFilter[] = [
  ...MINTS.map((mint) => ({ by: 'mint', mint }) as const),
  ...WALLETS.flatMap((address) =>
    (['owner', 'delegate'] as const).flatMap((by) => [
      ...(by === 'owner' ? [{ by, address } as const] : []),
      ...MINTS.map((mint) => ({ by, address, mint })),
      { by, address, program: TOKEN_PROGRAM },
      { by, address, program: TOKEN_2022_PROGRAM },
    ]),
  ),
];

function expectState(store: AccountStore, at: bigint, expected: State): void {
  for (const address of ADDRESSES)
    expect(store.getAt(address, at)).toEqual(expected.get(address)?.account ?? null);
  const lamports = [...expected.values()].reduce((sum, { account }) => sum + account.lamports, 0n);
  expect(store.lamportsAt(at)).toBe(lamports);
  const richest = [...expected.values()].map(({ account }) => account.lamports).sort((a, b) => Number(b - a));
  const largest = store.largestAt(3, at);
  expect(largest.map(({ account }) => account.lamports)).toEqual(richest.slice(0, 3));
  for (const { address, account } of largest) expect(expected.get(address)?.account).toEqual(account);
  for (const program of [SYSTEM_PROGRAM, TOKEN_PROGRAM, TOKEN_2022_PROGRAM]) {
    expect(addressesIn(store.programAccountsAt(program, at))).toEqual(
      listModelAddresses(expected, ({ account }) => account.owner === program),
    );
  }
  // Asking for a field for the first time indexes it; later slots are then answered by the index.
  for (const [program, offset, field] of FIELDS) {
    const filter = { dataSize: 165, memcmp: { offset, bytes: toAddressBytes(field) } };
    expect(addressesIn(store.programAccountsAt(program, at, filter))).toEqual(
      listModelAddresses(
        expected,
        ({ account }) => account.owner === program && matchesAccountFilter(filter, account.data),
      ),
    );
  }
  for (const owner of WALLETS) {
    const associated = TOKENS.map(({ mint, program }) => deriveAssociatedTokenAddress(owner, mint, program));
    const isHeld = (address: Address, at: number) => {
      const token = expected.get(address)?.token;
      return token?.owner === owner && token.mint === TOKENS[at]?.mint;
    };
    expect(store.associatedAccountsAt(owner, TOKENS, at)).toEqual(
      associated.map((address, at) =>
        isHeld(address, at) ? { address, account: expected.get(address)?.account } : null,
      ),
    );
  }
  for (const filter of FILTERS) {
    expect(addressesIn([...store.eachTokenAccountAt(filter, at)])).toEqual(
      listModelAddresses(expected, (model) => matches(filter, model)),
    );
  }
}
