import { compress, init } from '@bokuweb/zstd-wasm';

/** Zstandard's own default, which validators use. */
const LEVEL = 3;

/** The package keeps one compiled instance for the process. */
let ready: Promise<void> | null = null;

/** Compiles the compressor, once for the process; to be awaited before `toZstd` is called. */
export function loadZstd(): Promise<void> {
  ready ??= init();
  return ready;
}

/** One zstd frame with `bytes`. */
export function toZstd(bytes: Uint8Array): Uint8Array {
  return compress(bytes, LEVEL);
}
