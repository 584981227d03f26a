import { U128_MAX } from '../units.ts';
import { type Address, toAddressBytes } from '../address.ts';

const I128_MAX = (1n << 127n) - 1n;
/** V8 stores typed arrays up to this size on its heap; larger arrays, and views of any array, need their own buffer. */
const MAX_ON_HEAP_BYTES = 64;

/** Scratch memory that converts wide numbers to bytes. A view of the writer's own memory would cost more. */
const wide = new DataView(new ArrayBuffer(8));
const wideBytes = new Uint8Array(wide.buffer);

/**
 * Writes little-endian fields in sequence and grows as needed. Each method throws `RangeError` for a number that does
 * not fit its field, and returns the writer, so that a layout reads as one chain.
 *
 * @example
 * ```ts
 * import { ByteWriter } from './byte-writer.ts';
 *
 * const TRANSFER = 3;
 * const data = new ByteWriter(9).u8(TRANSFER).u64(1_000_000n).finish();
 * ```
 */
export class ByteWriter {
  #bytes: Uint8Array;
  #length = 0;

  /** @param capacity - The expected number of bytes. */
  constructor(capacity = MAX_ON_HEAP_BYTES) {
    this.#bytes = new Uint8Array(capacity);
  }

  get length(): number {
    return this.#length;
  }

  u8(value: number): this {
    const at = this.#room(1, value, 0, 0xff, 'u8');
    this.#bytes[at] = value;
    return this;
  }

  u16(value: number): this {
    return this.#narrow(2, value, this.#room(2, value, 0, 0xffff, 'u16'));
  }

  i16(value: number): this {
    return this.#narrow(2, value, this.#room(2, value, -0x8000, 0x7fff, 'i16'));
  }

  u32(value: number): this {
    return this.#narrow(4, value, this.#room(4, value, 0, 0xffff_ffff, 'u32'));
  }

  i32(value: number): this {
    return this.#narrow(4, value, this.#room(4, value, -0x8000_0000, 0x7fff_ffff, 'i32'));
  }

  u64(value: bigint): this {
    if (BigInt.asUintN(64, value) !== value) throw outOfRange('u64', value);
    wide.setBigUint64(0, value, true);
    return this.#wide();
  }

  i64(value: bigint): this {
    if (BigInt.asIntN(64, value) !== value) throw outOfRange('i64', value);
    wide.setBigInt64(0, value, true);
    return this.#wide();
  }

  u128(value: bigint): this {
    if (value < 0n || value > U128_MAX) throw outOfRange('u128', value);
    return this.u64(BigInt.asUintN(64, value)).u64(value >> 64n);
  }

  i128(value: bigint): this {
    if (value > I128_MAX || value < -I128_MAX - 1n) throw outOfRange('i128', value);
    return this.u64(BigInt.asUintN(64, value)).i64(value >> 64n);
  }

  f64(value: number): this {
    wide.setFloat64(0, value, true);
    return this.#wide();
  }

  bool(value: boolean): this {
    return this.u8(value ? 1 : 0);
  }

  address(value: Address): this {
    return this.bytes(toAddressBytes(value));
  }

  bytes(value: Uint8Array): this {
    const at = this.#grow(value.length);
    this.#bytes.set(value, at);
    return this;
  }

  zeros(length: number): this {
    const at = this.#grow(length);
    this.#bytes.fill(0, at, at + length);
    return this;
  }

  /** Starts over in the same memory. This overwrites the bytes that `finish` returned before. */
  reset(): this {
    this.#length = 0;
    return this;
  }

  /** Returns the bytes written so far. They may be a view of the writer's memory, so do not write afterwards. */
  finish(): Uint8Array {
    if (this.#length === this.#bytes.length) return this.#bytes;
    return this.#length > MAX_ON_HEAP_BYTES
      ? this.#bytes.subarray(0, this.#length)
      : this.#bytes.slice(0, this.#length);
  }

  #narrow(size: 2 | 4, value: number, at: number): this {
    for (let i = 0; i < size; i++) this.#bytes[at + i] = value >>> (8 * i);
    return this;
  }

  #wide(): this {
    const at = this.#grow(8);
    for (let i = 0; i < 8; i++) this.#bytes[at + i] = wideBytes[i] ?? 0;
    return this;
  }

  #room(size: number, value: number, min: number, max: number, type: string): number {
    if (!Number.isInteger(value) || value < min || value > max) throw outOfRange(type, value);
    return this.#grow(size);
  }

  #grow(size: number): number {
    const at = this.#length;
    const needed = at + size;
    if (needed > this.#bytes.length) {
      const larger = new Uint8Array(Math.max(needed, this.#bytes.length * 2));
      larger.set(this.#bytes);
      this.#bytes = larger;
    }
    this.#length = needed;
    return at;
  }
}

function outOfRange(type: string, value: number | bigint): RangeError {
  return new RangeError(`${value} does not fit in a ${type}`);
}
