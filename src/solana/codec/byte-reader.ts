import { ADDRESS_BYTES, type Address, addressFromBytes } from '../address.ts';

/** Bytes that are not the layout they were read as. */
export class LayoutInvalid extends Error {
  override readonly name = 'LayoutInvalid';
}

/**
 * Reads little-endian fields one after another. Every read checks that the bytes are there and throws
 * `LayoutInvalid`, whose message names `subject` (for example `token account`), the offset and the size.
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #subject: string;
  #offset: number;

  constructor(bytes: Uint8Array, subject: string, offset = 0) {
    this.#bytes = bytes;
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#subject = subject;
    this.#offset = offset;
  }

  get offset(): number {
    return this.#offset;
  }

  get remaining(): number {
    return this.#bytes.length - this.#offset;
  }

  u8(): number {
    return this.#view.getUint8(this.#take(1));
  }

  u16(): number {
    return this.#view.getUint16(this.#take(2), true);
  }

  i16(): number {
    return this.#view.getInt16(this.#take(2), true);
  }

  u32(): number {
    return this.#view.getUint32(this.#take(4), true);
  }

  i32(): number {
    return this.#view.getInt32(this.#take(4), true);
  }

  u64(): bigint {
    return this.#view.getBigUint64(this.#take(8), true);
  }

  i64(): bigint {
    return this.#view.getBigInt64(this.#take(8), true);
  }

  u128(): bigint {
    const low = this.u64();
    return (this.u64() << 64n) | low;
  }

  i128(): bigint {
    const low = this.u64();
    return (this.i64() << 64n) | low;
  }

  f64(): number {
    return this.#view.getFloat64(this.#take(8), true);
  }

  /** One byte, 0 or 1; anything else is `LayoutInvalid`. */
  bool(): boolean {
    const value = this.u8();
    if (value > 1) this.fail(`a boolean must be 0 or 1, got ${value} at byte ${this.#offset - 1}`);
    return value === 1;
  }

  address(): Address {
    return addressFromBytes(this.#bytes, this.#take(ADDRESS_BYTES));
  }

  /** A view of the next `length` bytes, not a copy. */
  bytes(length: number): Uint8Array {
    const from = this.#take(length);
    return this.#bytes.subarray(from, from + length);
  }

  skip(length: number): void {
    this.#take(length);
  }

  /** Throws unless the next bytes are `expected`, as for an account's or an instruction's discriminator. */
  expect(expected: Uint8Array, what: string): void {
    const from = this.#take(expected.length);
    for (let i = 0; i < expected.length; i++) {
      if (this.#bytes[from + i] !== expected[i]) this.fail(`wrong ${what} at byte ${from}`);
    }
  }

  /** Throws unless every byte was read. */
  end(): void {
    if (this.remaining !== 0) this.fail(`${this.remaining} bytes left over after byte ${this.#offset}`);
  }

  fail(reason: string): never {
    throw new LayoutInvalid(`not a valid ${this.#subject}: ${reason}`);
  }

  #take(length: number): number {
    const from = this.#offset;
    if (length < 0 || from + length > this.#bytes.length) {
      this.fail(`needs ${length} bytes at byte ${from}, but there are ${this.#bytes.length} in all`);
    }
    this.#offset = from + length;
    return from;
  }
}
