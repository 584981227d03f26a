import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { decodeDcaFeeAuthority, encodeDcaFeeAuthority } from './dca-fee-authority.ts';

describe('the fee authority', () => {
  it.each([0, 1, 8])('is read as it was written, with %d keepers', (count) => {
    const authority = {
      admin: named(1),
      keepers: Array.from({ length: count }, (_, index) => named(2 + index)),
    };
    const data = encodeDcaFeeAuthority(authority);
    expect(data).toHaveLength(300);
    expect(decodeDcaFeeAuthority(data)).toEqual(authority);
  });

  it('has room for eight keepers', () => {
    const keepers = Array.from({ length: 9 }, (_, index) => named(index));
    expect(() => encodeDcaFeeAuthority({ admin: named(1), keepers })).toThrow(
      new RangeError('there is room for 8 keepers, got 9'),
    );
    const data = encodeDcaFeeAuthority({ admin: named(1), keepers: [] });
    data[40] = 9;
    expect(() => decodeDcaFeeAuthority(data)).toThrow(LayoutInvalid);
  });

  it('is refused when it is another account', () => {
    const data = encodeDcaFeeAuthority({ admin: named(1), keepers: [] });
    data[0] = 0;
    expect(() => decodeDcaFeeAuthority(data)).toThrow(LayoutInvalid);
    expect(() => decodeDcaFeeAuthority(new Uint8Array(0))).toThrow(LayoutInvalid);
  });
});

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
