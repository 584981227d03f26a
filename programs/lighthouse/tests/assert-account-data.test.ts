import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createAssertAccountData } from '../../../src/protocols/lighthouse/assert-account-data.ts';
import { LIGHTHOUSE_PROGRAM } from '../../../src/protocols/lighthouse/program.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import { readonly } from '../../../src/solana/messages/instruction.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';

describe('AssertAccountData', () => {
  const network = new TestNetwork(['lighthouse']);
  const account = network.newAddress();

  /** Returns the error number of an assertion about an account with these data. */
  function findError(data: Uint8Array, args: Uint8Array): number | undefined {
    network.setData(account, LIGHTHOUSE_PROGRAM, data);
    const instruction = {
      programAddress: LIGHTHOUSE_PROGRAM,
      accounts: [readonly(account)],
      data: Buffer.concat([Uint8Array.of(2, 0), args]),
    };
    return network.send([instruction]).error?.custom;
  }

  it.each([
    ['u8', 1, (value: bigint) => new ByteWriter().u8(Number(value)).finish(), 0n, 255n],
    ['i8', 2, (value: bigint) => Uint8Array.of(Number(value & 255n)), -128n, 127n],
    ['u16', 3, (value: bigint) => new ByteWriter().u16(Number(value)).finish(), 0n, 65_535n],
    ['i16', 4, (value: bigint) => new ByteWriter().i16(Number(value)).finish(), -32_768n, 32_767n],
    ['u32', 5, (value: bigint) => new ByteWriter().u32(Number(value)).finish(), 0n, 0xffff_ffffn],
    ['i32', 6, (value: bigint) => new ByteWriter().i32(Number(value)).finish(), -0x8000_0000n, 0x7fff_ffffn],
    ['u64', 7, (value: bigint) => new ByteWriter().u64(value).finish(), 0n, (1n << 64n) - 1n],
    ['i64', 8, (value: bigint) => new ByteWriter().i64(value).finish(), -(1n << 63n), (1n << 63n) - 1n],
    ['u128', 9, (value: bigint) => new ByteWriter().u128(value).finish(), 0n, (1n << 128n) - 1n],
    ['i128', 10, (value: bigint) => new ByteWriter().i128(value).finish(), -(1n << 127n), (1n << 127n) - 1n],
  ])('compares %s', (_, kind, encode, min, max) => {
    const values = fc.bigInt({ min, max });
    assertProperty(
      fc.property(values, fc.oneof(values, fc.constant(null)), (found, other) => {
        const asserted = other ?? found;
        const data = Buffer.concat([Uint8Array.of(9, 9, 9), encode(found)]);
        const expected = [
          found === asserted,
          found !== asserted,
          found > asserted,
          found < asserted,
          found >= asserted,
          found <= asserted,
        ];
        for (const [operator, holds] of expected.entries()) {
          const args = Buffer.concat([Uint8Array.of(3, kind), encode(asserted), Uint8Array.of(operator)]);
          expect(findError(data, args)).toBe(holds ? undefined : 6001);
        }
      }),
      { cases: 10, seed: 0x11 + kind },
    );
  });

  it('compares booleans, bytes and addresses for equality', () => {
    const data = Buffer.concat([Uint8Array.of(1, 0, 2), Buffer.alloc(32, 7)]);
    const address = Buffer.alloc(32, 7);
    expect(findError(data, Uint8Array.of(0, 0, 1, 0))).toBeUndefined();
    expect(findError(data, Uint8Array.of(1, 0, 1, 0))).toBe(6001);
    expect(findError(data, Uint8Array.of(1, 0, 1, 1))).toBeUndefined();
    expect(findError(data, Uint8Array.of(2, 0, 1, 0))).toBe(6007);
    expect(findError(data, Uint8Array.of(0, 11, 2, 1, 0, 0))).toBeUndefined();
    expect(findError(data, Uint8Array.of(0, 11, 2, 1, 1, 0))).toBe(6001);
    expect(findError(data, Buffer.concat([Uint8Array.of(3, 12), address, Uint8Array.of(0)]))).toBeUndefined();
    expect(findError(data, Buffer.concat([Uint8Array.of(2, 12), address, Uint8Array.of(0)]))).toBe(6001);
  });

  it('refuses values beyond the data, accounts without data, and what it cannot decode', () => {
    const data = Buffer.alloc(300);
    const u64 = new Uint8Array(8);
    // The offset 292 in groups of seven bits.
    expect(
      findError(data, Buffer.concat([Uint8Array.of(0xa4, 2, 7), u64, Uint8Array.of(0)])),
    ).toBeUndefined();
    expect(findError(data, Buffer.concat([Uint8Array.of(0xa5, 2, 7), u64, Uint8Array.of(0)]))).toBe(6005);
    const largest = Uint8Array.of(...new Array<number>(9).fill(0xff), 1);
    expect(findError(data, Buffer.concat([largest, Uint8Array.of(7), u64, Uint8Array.of(0)]))).toBe(6005);
    expect(findError(data, Buffer.concat([new Uint8Array(11).fill(0xff), u64]))).toBe(6000);
    expect(findError(new Uint8Array(0), Buffer.concat([Uint8Array.of(0, 7), u64, Uint8Array.of(0)]))).toBe(
      6011,
    );
    for (const operator of [6, 7, 255]) {
      expect(findError(data, Buffer.concat([Uint8Array.of(0, 7), u64, Uint8Array.of(operator)]))).toBe(6000);
    }
    expect(findError(data, Uint8Array.of(0, 0, 2, 0))).toBe(6000);
    expect(findError(data, Uint8Array.of(0, 13, 0, 0))).toBe(6000);
    expect(findError(data, Uint8Array.of(0, 7, 0))).toBe(6000);
    const none = { programAddress: LIGHTHOUSE_PROGRAM, accounts: [], data: Uint8Array.of(2, 0, 0, 1, 0, 0) };
    expect(network.send([none]).error?.custom).toBe(6002);
  });

  it('is built by createAssertAccountData', () => {
    const data = new ByteWriter().u8(5).u32(6).zeros(200).u64(7n).finish();
    network.setData(account, LIGHTHOUSE_PROGRAM, data);
    for (const [size, offset, value] of [
      ['u8', 0, 5n],
      ['u32', 1, 6n],
      ['u64', 205, 7n],
    ] as const) {
      const assertion = (asserted: bigint) =>
        createAssertAccountData(account, { offset, size, value: asserted });
      expect(network.send([assertion(value)]).error).toBeNull();
      expect(network.send([assertion(value + 1n)]).error?.custom).toBe(6001);
    }
  });
});
