/** In a number, a byte with this bit is not the last one; in a text, it is not ASCII. */
const HIGH_BIT = 0x80;
/** The weight of a number's eighth byte. A ninth byte would exceed what a double holds exactly. */
const MAX_UNIT = 2 ** 49;

/**
 * Reads protobuf's encoding from one message after another. It never throws: truncated or unexpected bytes put it
 * into a failed state, in which the values it returns are meaningless.
 */
export class WireCursor {
  #bytes: Buffer = Buffer.alloc(0);
  #at = 0;
  #failed = false;

  /** Starts reading these bytes. */
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

  /** Whether it has not reached `end`, and has not failed. */
  isBefore(end: number): boolean {
    return this.#at < end && !this.#failed;
  }

  /** Whether it is at `end`, and has not failed. */
  isAt(end: number): boolean {
    return this.#at === end && !this.#failed;
  }

  /** Reads the field number times eight plus the wire type, for fields 1 to 15, whose tags have one byte. */
  tag(): number {
    return this.#byte();
  }

  /** Reads a number that a double holds exactly. */
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

  /**
   * Reads the length of the next value.
   * Returns the position where the value ends, which is within the message.
   */
  end(): number {
    const length = this.varint();
    if (length > this.#bytes.length - this.#at) this.#failed = true;
    return this.#failed ? this.#at : this.#at + length;
  }

  /** Reads bytes that are preceded by their length. */
  run(): Buffer {
    const end = this.end();
    const run = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return run;
  }

  /** Reads an ASCII text that is preceded by its length. */
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
