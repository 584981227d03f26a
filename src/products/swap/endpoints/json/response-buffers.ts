/**
 * Holds a few answers, because a block stays in memory as long as any of its answers. From 128 KiB on, allocators
 * request memory from the system and return it each time, page by page.
 */
const BLOCK_BYTES = 120 * 1024;
/** Larger answers get memory of their own. */
const SHARED_BYTES = BLOCK_BYTES / 3;

let block = Buffer.alloc(0);
let used = 0;

/**
 * Allocates memory for an answer. Answers are cut from blocks one after another, because allocating memory for each
 * costs more than writing the answer. No memory is handed out twice: a block is collected with its last answer.
 * @returns memory that is not zeroed
 */
export function allocateResponseBuffer(bytes: number): Buffer {
  if (bytes > SHARED_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > block.length) {
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    used = 0;
  }
  const memory = block.subarray(used, used + bytes);
  used += bytes;
  return memory;
}
