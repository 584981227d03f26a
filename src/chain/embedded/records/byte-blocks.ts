const BLOCK_BYTES = 1 << 16;
/** Larger pieces get their own memory, so that little of a block is wasted. */
const MAX_PIECE = BLOCK_BYTES / 8;

/**
 * Stores many small byte arrays in few blocks, because collecting thousands of buffers per second is expensive. A block
 * is freed when none of its pieces is referenced, so pieces should be dropped roughly in the order they were stored.
 */
export class ByteBlocks {
  #block = new Uint8Array(0);
  #used = 0;

  /** Returns a copy of `bytes`. */
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
