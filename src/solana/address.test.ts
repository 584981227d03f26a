import { getAddressDecoder, getAddressEncoder } from '@solana/kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../testing/random.ts';
import {
  type Address,
  address,
  toAddressBytes,
  toAddress,
  compareAddresses,
  parseAddress,
} from './address.ts';

describe('address', () => {
  it('agrees with kit in both directions, cached or not', () => {
    assertProperty(
      fc.property(key, (bytes) => {
        const text = kitText(bytes);
        for (const _ of ['cold', 'cached']) {
          expect(toAddress(bytes)).toBe(text);
          expect(parseAddress(text)).toBe(text);
          expect(toAddressBytes(text)).toEqual(new Uint8Array(getAddressEncoder().encode(text)));
        }
      }),
      { cases: 500, seed: SEED, against: 'kit' },
    );
  });

  it('reads at an offset and distinguishes addresses that differ in one byte', () => {
    const buffer = new Uint8Array(300).fill(9);
    for (let at = 0; at < 32; at++) {
      const other = buffer.slice(0, 32);
      other[at] = 8;
      const padded = new Uint8Array(100);
      padded.set(other, 61);
      expect(toAddress(padded, 61)).toBe(kitText(other));
    }
    expect(toAddress(buffer, 268)).toBe(kitText(buffer.slice(0, 32)));
  });

  it('stays correct with far more addresses than the caches hold', () => {
    const bytes = new Uint8Array(32);
    const view = new DataView(bytes.buffer);
    for (let i = 0; i < 200_000; i++) {
      view.setUint32(20, i);
      const text = toAddress(bytes);
      if (i % 1000 === 0) expect(text).toBe(kitText(bytes));
      if (Buffer.compare(toAddressBytes(text), bytes) !== 0) throw new Error(`wrong bytes for ${text}`);
    }
  });

  it('throws for data that is too short', () => {
    expect(() => toAddress(new Uint8Array(31))).toThrow('32 bytes at offset 0, but the data has 31 bytes');
    expect(() => toAddress(new Uint8Array(64), 33)).toThrow(RangeError);
    expect(() => toAddress(new Uint8Array(64), -1)).toThrow(RangeError);
  });

  it('returns null for anything but base58 of 32 bytes', () => {
    expect(parseAddress('11111111111111111111111111111111')).toBe('11111111111111111111111111111111');
    for (const bad of [
      '',
      '1111111111111111111111111111111',
      '111111111111111111111111111111111',
      ' So11111111111111111111111111111111111111112',
      'So11111111111111111111111111111111111111112 ',
      'So1111111111111111111111111111111111111111O',
      'constructor',
      '__proto__',
      'z'.repeat(44),
      'z'.repeat(100_000),
    ]) {
      expect(parseAddress(bad)).toBeNull();
    }
  });

  it('throws for text that is not an address', () => {
    expect(() => address('nonsense')).toThrow('not a Solana address: "nonsense"');
    expect(() => toAddressBytes('x'.repeat(1000) as Address)).toThrow(TypeError);
  });

  it('orders by bytes, not by text', () => {
    assertProperty(
      fc.property(key, key, (left, right) => {
        const order = Math.sign(compareAddresses(kitText(left), kitText(right)));
        expect(order).toBe(Math.sign(Buffer.compare(left, right)));
      }),
      { cases: 100, seed: SEED },
    );
    expect(compareAddresses(kitText(new Uint8Array(32)), kitText(new Uint8Array(32)))).toBe(0);
  });
});

const SEED = 32;
const key = fc.uint8Array({ minLength: 32, maxLength: 32 });
const kitText = (bytes: Uint8Array) => getAddressDecoder().decode(bytes);
