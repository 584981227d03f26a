import { ADDRESS_BYTES, type Address, toAddress } from '../address.ts';

/** Thrown when bytes do not have the layout that they are read with. */
export class LayoutInvalid extends Error {
  override readonly name = 'LayoutInvalid';
}

/**
 * Reads little-endian fields in sequence. Every read throws `LayoutInvalid` when the bytes end early; its message
 * names the subject, the offset and the size.
 *
 * @example
 * ```ts
 * import { ByteReader } from './byte-reader.ts';
 *
 * function decodeVault(data: Uint8Array) {
 *   const reader = new ByteReader(data, 'vault');
 *   const vault = { bump: reader.u8(), mint: reader.address(), balance: reader.u64() };
 *   reader.end();
 *   return vault;
 * }
 * ```
 */
export class ByteReader {
  readonly #bytes: Uint8Array;
  readonly #view: DataView;
  readonly #subject: string;
  #offset: number;

  /**
   * @param bytes - The data to read. It is not copied.
   * @param subject - What the data is, for messages: for example `token account`.
   * @param offset - Where to begin.
   */
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

  /** Reads one byte, and throws unless it is 0 or 1. */
  bool(): boolean {
    const value = this.u8();
    if (value > 1) this.fail(`a boolean must be 0 or 1, got ${value} at byte ${this.#offset - 1}`);
    return value === 1;
  }

  address(): Address {
    return toAddress(this.#bytes, this.#take(ADDRESS_BYTES));
  }

  /** Returns a view of the next `length` bytes, not a copy. */
  bytes(length: number): Uint8Array {
    const from = this.#take(length);
    return this.#bytes.subarray(from, from + length);
  }

  skip(length: number): void {
    this.#take(length);
  }

  /**
   * Reads an account's or an instruction's discriminator, and throws unless it is `expected`.
   *
   * @param what - What is expected, for messages: for example `discriminator`.
   */
  expect(expected: Uint8Array, what: string): void {
    const from = this.#take(expected.length);
    for (let i = 0; i < expected.length; i++) {
      if (this.#bytes[from + i] !== expected[i]) this.fail(`wrong ${what} at byte ${from}`);
    }
  }

  /** Throws unless all bytes have been read. */
  end(): void {
    if (this.remaining !== 0) this.fail(`${this.remaining} bytes left over after byte ${this.#offset}`);
  }

  /** Throws `LayoutInvalid` with a message that names the subject and `reason`. */
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
