import { isSome, none, type Option, some } from '@solana/kit';
import { AccountState, getMintCodec, getTokenCodec } from '@solana-program/token';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../testing/random.ts';
import { type Address, toAddress } from '../../address.ts';
import { LayoutInvalid } from '../../codec/byte-reader.ts';
import { U64_MAX } from '../../units.ts';
import { decodeTokenAccount, encodeTokenAccount, isTokenAccount, readTokenAccountAmount } from './account.ts';
import { type Extension, ExtensionType, computeExtendedSize, findExtension } from './extensions.ts';
import { decodeMint, encodeMint, isMint } from './mint.ts';

describe('mint', () => {
  it('agrees with the token client without extensions', () => {
    assertProperty(
      fc.property(mint, (each) => {
        const data = encodeMint({ ...each, extensions: [] });
        const { mintAuthority, supply, decimals, freezeAuthority } = each;
        const client = {
          mintAuthority: option<Address>(mintAuthority),
          supply,
          decimals,
          isInitialized: true,
          freezeAuthority: option<Address>(freezeAuthority),
        };
        expect(data).toEqual(new Uint8Array(getMintCodec().encode(client)));
        expect(decodeMint(data)).toEqual({ ...each, extensions: [] });
        expect(isMint(data)).toBe(true);
        expect(isTokenAccount(data)).toBe(false);
      }),
      { cases: 100, seed: 82, against: 'the token client' },
    );
  });

  it('decodes the extensions that it encoded', () => {
    assertProperty(
      fc.property(mint, (each) => {
        const data = encodeMint(each);
        expect(decodeMint(data)).toEqual(each);
        expect(isMint(data)).toBe(true);
        expect(isTokenAccount(data)).toBe(false);
        expect(data.length).not.toBe(355);
      }),
      { cases: 300, seed: 83 },
    );
  });

  it('throws for data that is not an initialized mint', () => {
    const good = encodeMint({
      mintAuthority: null,
      supply: 1n,
      decimals: 6,
      freezeAuthority: null,
      extensions: [],
    });
    const with_ = (at: number, value: number) => {
      const bad = good.slice();
      bad[at] = value;
      return bad;
    };
    expect(() => decodeMint(with_(45, 0))).toThrow('not a valid mint: it is not initialized');
    expect(() => decodeMint(with_(45, 2))).toThrow(LayoutInvalid);
    expect(() => decodeMint(with_(0, 2))).toThrow("an option's tag must be 0 or 1, got 2 at byte 0");
    expect(() => decodeMint(good.subarray(0, 81))).toThrow(LayoutInvalid);
    expect(() => decodeMint(new Uint8Array([...good, 0]))).toThrow('83 bytes without its mark at byte 165');
  });
});

describe('token account', () => {
  it('agrees with the token client without extensions', () => {
    assertProperty(
      fc.property(account, (each) => {
        const data = encodeTokenAccount({ ...each, extensions: [] });
        const client = {
          ...each,
          delegate: option<Address>(each.delegate),
          state: each.state === 'frozen' ? AccountState.Frozen : AccountState.Initialized,
          isNative: option<bigint>(each.nativeReserve),
          closeAuthority: option<Address>(each.closeAuthority),
        };
        expect(data).toEqual(new Uint8Array(getTokenCodec().encode(client)));
        expect(isSome(getTokenCodec().decode(data).isNative)).toBe(each.nativeReserve !== null);
        expect(decodeTokenAccount(data)).toEqual({ ...each, extensions: [] });
        expect(readTokenAccountAmount(data)).toBe(each.amount);
        expect(isMint(data)).toBe(false);
      }),
      { cases: 100, seed: 165, against: 'the token client' },
    );
  });

  it('decodes the extensions that it encoded', () => {
    assertProperty(
      fc.property(account, (each) => {
        const data = encodeTokenAccount(each);
        expect(decodeTokenAccount(data)).toEqual(each);
        expect(readTokenAccountAmount(data)).toBe(each.amount);
        expect(isTokenAccount(data)).toBe(true);
        expect(isMint(data)).toBe(false);
      }),
      { cases: 300, seed: 166 },
    );
  });

  it('throws for data that is not an initialized token account', () => {
    const empty = new Uint8Array(165);
    expect(isTokenAccount(empty)).toBe(false);
    expect(() => decodeTokenAccount(empty)).toThrow('not a valid token account: it is not initialized');
    expect(() => readTokenAccountAmount(empty)).toThrow(LayoutInvalid);
    expect(() => readTokenAccountAmount(new Uint8Array(20))).toThrow(LayoutInvalid);
    empty[108] = 3;
    expect(() => decodeTokenAccount(empty)).toThrow('its state must be 1 or 2, got 3');
  });
});

describe('extensions', () => {
  it('never has the length of a multisig', () => {
    const padded: Extension = {
      type: ExtensionType.TOKEN_METADATA,
      data: new Uint8Array(355 - 166 - 4).fill(1),
    };
    const data = encodeMint({ ...base, extensions: [padded] });
    expect(data.length).toBe(357);
    expect(computeExtendedSize([padded.data.length])).toBe(357);
    expect(decodeMint(data).extensions).toEqual([padded]);
  });

  it('are found by type', () => {
    const data = Uint8Array.of(1, 2, 3);
    const list = [
      { type: 9, data: new Uint8Array(0) },
      { type: 12, data },
    ];
    expect(findExtension(list, ExtensionType.PERMANENT_DELEGATE)).toBe(data);
    expect(findExtension(list, ExtensionType.PAUSABLE)).toBeNull();
  });

  it('throw for malformed entries', () => {
    const data = encodeMint({ ...base, extensions: [{ type: 9, data: new Uint8Array(10) }] });
    const overlong = data.slice();
    overlong[168] = 11;
    expect(() => decodeMint(overlong)).toThrow('extension 9 at byte 166 does not fit the data');
    expect(() => decodeMint(data.subarray(0, 169))).toThrow(LayoutInvalid);
    const dirty = data.slice();
    dirty[100] = 1;
    expect(() => decodeMint(dirty)).toThrow('padding byte 100 is not zero');
    const multisig = new Uint8Array(355);
    multisig.set(data);
    expect(() => decodeMint(multisig)).toThrow(LayoutInvalid);
    expect(isMint(multisig)).toBe(false);
  });

  it('never cause a read past the end of the data', () => {
    const tail = fc.uint8Array({ minLength: 1, maxLength: 300 });
    assertProperty(
      fc.property(tail, (bytes) => {
        const data = encodeMint({ ...base, extensions: [{ type: 9, data: bytes }] });
        data.set(bytes, 166);
        try {
          for (const each of decodeMint(data).extensions)
            expect(each.data.length).toBeLessThanOrEqual(bytes.length + 4);
        } catch (error) {
          expect(error).toBeInstanceOf(LayoutInvalid);
        }
      }),
      { cases: 500, seed: 167 },
    );
  });

  const base = { mintAuthority: null, supply: 0n, decimals: 0, freezeAuthority: null };
});

const anyAddress = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => toAddress(bytes));
const maybeAddress = fc.option(anyAddress);
const u64 = fc.bigInt({ min: 0n, max: U64_MAX });
const option = <T>(value: T | null): Option<T> => (value === null ? none() : some(value));

const extension = fc.record({
  type: fc.integer({ min: 1, max: 40 }),
  data: fc.uint8Array({ maxLength: 200 }),
});
const extensions = fc.array(extension, { maxLength: 6 });

const mint = fc.record({
  mintAuthority: maybeAddress,
  supply: u64,
  decimals: fc.integer({ min: 0, max: 255 }),
  freezeAuthority: maybeAddress,
  extensions,
});

const account = fc.record({
  mint: anyAddress,
  owner: anyAddress,
  amount: u64,
  delegate: maybeAddress,
  state: fc.constantFrom('initialized' as const, 'frozen' as const),
  nativeReserve: fc.option(u64),
  delegatedAmount: u64,
  closeAuthority: maybeAddress,
  extensions,
});
