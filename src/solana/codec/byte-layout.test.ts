import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../testing/random.ts';
import { ByteReader, LayoutInvalid } from './byte-reader.ts';
import { ByteWriter } from './byte-writer.ts';

describe('ByteReader and ByteWriter', () => {
  it('read back every field at any alignment', () => {
    assertProperty(
      fc.property(fc.array(field, { maxLength: 30 }), fc.nat({ max: 9 }), (fields, padding) => {
        const writer = new ByteWriter(1).zeros(padding);
        for (const each of fields) write(writer, each);
        const whole = new Uint8Array(writer.length + 5);
        whole.set(writer.finish(), 5);
        const reader = new ByteReader(whole.subarray(5), 'test', padding);
        for (const { type, value } of fields) expect(reader[type]()).toBe(value);
        expect(reader.offset).toBe(writer.length);
        reader.end();
      }),
      { cases: 500, seed: 5 },
    );
  });

  it('write little-endian', () => {
    expect([...new ByteWriter().u32(0x01020304).u64(5n).i16(-2).finish()]).toEqual([
      4, 3, 2, 1, 5, 0, 0, 0, 0, 0, 0, 0, 0xfe, 0xff,
    ]);
  });

  it('throw RangeError for numbers that do not fit their field', () => {
    const writer = new ByteWriter();
    expect(() => writer.u8(256)).toThrow('256 does not fit in a u8');
    expect(() => writer.u8(-1)).toThrow(RangeError);
    expect(() => writer.u16(1.5)).toThrow(RangeError);
    expect(() => writer.u32(Number.NaN)).toThrow(RangeError);
    expect(() => writer.i32(0x80000000)).toThrow(RangeError);
    expect(() => writer.u64(1n << 64n)).toThrow(RangeError);
    expect(() => writer.u64(-1n)).toThrow(RangeError);
    expect(() => writer.i64(1n << 63n)).toThrow(RangeError);
    expect(() => writer.u128(1n << 128n)).toThrow(RangeError);
    expect(() => writer.u128(-1n)).toThrow(RangeError);
    expect(() => writer.i128(1n << 127n)).toThrow(RangeError);
    expect(writer.length).toBe(0);
  });

  it('throw with the offset when a read passes the end', () => {
    const reader = new ByteReader(new Uint8Array(10), 'token account');
    reader.skip(8);
    expect(() => reader.u32()).toThrow(
      new LayoutInvalid('not a valid token account: needs 4 bytes at byte 8, but there are 10 in all'),
    );
    expect(reader.u16()).toBe(0);
    expect(() => reader.bytes(1)).toThrow(LayoutInvalid);
    expect(() => reader.bytes(-1)).toThrow(LayoutInvalid);
    expect(() => reader.address()).toThrow(LayoutInvalid);
  });

  it('throw for an invalid boolean, a wrong discriminator and bytes left over', () => {
    expect(() => new ByteReader(Uint8Array.of(2), 'x').bool()).toThrow('a boolean must be 0 or 1, got 2');
    expect(() =>
      new ByteReader(Uint8Array.of(1, 2), 'pool').expect(Uint8Array.of(1, 3), 'discriminator'),
    ).toThrow('not a valid pool: wrong discriminator at byte 0');
    expect(() => new ByteReader(new Uint8Array(3), 'pool').end()).toThrow('3 bytes left over after byte 0');
  });
});

const field = fc.oneof(
  fc.record({ type: fc.constant('u8' as const), value: fc.integer({ min: 0, max: 255 }) }),
  fc.record({ type: fc.constant('u16' as const), value: fc.integer({ min: 0, max: 65535 }) }),
  fc.record({ type: fc.constant('i16' as const), value: fc.integer({ min: -32768, max: 32767 }) }),
  fc.record({ type: fc.constant('u32' as const), value: fc.integer({ min: 0, max: 0xffffffff }) }),
  fc.record({ type: fc.constant('i32' as const), value: fc.integer({ min: -0x80000000, max: 0x7fffffff }) }),
  fc.record({ type: fc.constant('u64' as const), value: fc.bigInt({ min: 0n, max: (1n << 64n) - 1n }) }),
  fc.record({
    type: fc.constant('i64' as const),
    value: fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }),
  }),
  fc.record({ type: fc.constant('u128' as const), value: fc.bigInt({ min: 0n, max: (1n << 128n) - 1n }) }),
  fc.record({
    type: fc.constant('i128' as const),
    value: fc.bigInt({ min: -(1n << 127n), max: (1n << 127n) - 1n }),
  }),
  fc.record({ type: fc.constant('f64' as const), value: fc.double({ noNaN: true }) }),
  fc.record({ type: fc.constant('bool' as const), value: fc.boolean() }),
);
type Field = typeof field extends fc.Arbitrary<infer T> ? T : never;

function write(writer: ByteWriter, { type, value }: Field): void {
  (writer[type] as (value: unknown) => void).call(writer, value);
}
