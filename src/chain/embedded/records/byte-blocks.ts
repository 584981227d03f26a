const BLOCK_BYTES = 1 << 16;
/** Larger pieces get memory of their own, so that little of a block stays unused. */
const MAX_PIECE = BLOCK_BYTES / 8;

/**
 * Keeps many small pieces of bytes in few blocks: thousands of buffers of their own a second are dear to collect. A block
 * is freed when none of its pieces is needed any more, so pieces should be given up about in the order they came.
 */
export class ByteBlocks {
  #block = new Uint8Array(0);
  #used = 0;

  /** A copy of `bytes`. */
  keep(bytes: Uint8Array): Uint8Array {
    if (bytes.length > MAX_PIECE) return bytes.slice();
    if (bytes.length > this.#block.length - this.#used) {
      this.#block = new Uint8Array(BLOCK_BYTES);
      this.#used = 0;
    }
    const from = this.#used;
    this.#used += bytes.length;
    this.#block.set(bytes, from);
    return this.#block.subarray(from, this.#used);
  }
}
