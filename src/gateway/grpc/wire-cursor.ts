/** A byte of a number with this bit is not its last one; a byte of a text with it is not ASCII. */
const HIGH_BIT = 0x80;
/** The weight of the eighth byte of a number: a ninth is beyond what a double holds exactly. */
const MAX_UNIT = 2 ** 49;

/**
 * Reads protobuf's encoding out of one message after the other. It never throws: what is cut off, or not of the kind
 * that a method reads, makes it fail, and what it returns from then on means nothing.
 */
export class WireCursor {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #failed = false;

  /** From now on it reads these bytes. */
  start(bytes: Buffer): void {
    this.#bytes = bytes;
    this.#at = 0;
    this.#failed = false;
  }

  get failed(): boolean {
    return this.#failed;
  }

  fail(): void {
    this.#failed = true;
  }

  /** Whether it has not come to `end`, and not failed. */
  isBefore(end: number): boolean {
    return this.#at < end && !this.#failed;
  }

  /** Whether it stands at `end`, and has not failed. */
  isAt(end: number): boolean {
    return this.#at === end && !this.#failed;
  }

  /** Field number times eight plus the wire type, of the fields 1 to 15, whose tags take one byte. */
  tag(): number {
    return this.#byte();
  }

  /** A number that a double holds exactly. */
  varint(): number {
    let byte = this.#byte();
    if (byte < HIGH_BIT) return byte;
    let value = byte - HIGH_BIT;
    for (let unit = 128; unit <= MAX_UNIT; unit *= 128) {
      byte = this.#byte();
      value += (byte & ~HIGH_BIT) * unit;
      if (byte < HIGH_BIT) {
        if (value > Number.MAX_SAFE_INTEGER) this.#failed = true;
        return value;
      }
    }
    this.#failed = true;
    return 0;
  }

  /** The length of what comes next. @returns where that ends, which is within the message */
  end(): number {
    const length = this.varint();
    if (length > this.#bytes.length - this.#at) this.#failed = true;
    return this.#failed ? this.#at : this.#at + length;
  }

  /** The next run of bytes, whose length comes first. */
  run(): Buffer {
    const end = this.end();
    const run = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return run;
  }

  /** A text of ASCII, whose length comes first. */
  ascii(): string {
    const end = this.end();
    const from = this.#at;
    for (; this.#at < end; this.#at++) if ((this.#bytes[this.#at] ?? 0) >= HIGH_BIT) this.#failed = true;
    return this.#bytes.toString('latin1', from, end);
  }

  #byte(): number {
    const byte = this.#bytes[this.#at++];
    if (byte !== undefined) return byte;
    this.#failed = true;
    return 0;
  }
}
