/**
 * A handful of answers: what keeps one of them keeps the block. From 128 KiB on, allocators take memory from the system
 * and give it back each time, page by page.
 */
const BLOCK_BYTES = 120 * 1024;
/** Answers above this get memory of their own. */
const SHARED_BYTES = BLOCK_BYTES / 3;

let block = Buffer.alloc(0);
let used = 0;

/**
 * Memory for an answer, not zeroed. Answers are cut from blocks one after another, because memory that is taken and
 * given back for each costs more than writing the answer. It is never handed out twice: a block goes when the last of
 * its answers does.
 */
export function responseBuffers(bytes: number): Buffer {
  if (bytes > SHARED_BYTES) return Buffer.allocUnsafeSlow(bytes);
  if (used + bytes > block.length) {
    block = Buffer.allocUnsafeSlow(BLOCK_BYTES);
    used = 0;
  }
  const memory = block.subarray(used, used + bytes);
  used += bytes;
  return memory;
}
