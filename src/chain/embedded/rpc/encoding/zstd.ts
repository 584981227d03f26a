import { compress, init } from '@bokuweb/zstd-wasm';

/** The default of Zstandard, which validators use. */
const LEVEL = 3;

/** The package has one compiled instance per process. */
let ready: Promise<void> | null = null;

/** Compiles the compressor once per process. Await it before calling `toZstd`. */
export function loadZstd(): Promise<void> {
  ready ??= init();
  return ready;
}

/** Compresses bytes to one zstd frame. */
export function toZstd(bytes: Uint8Array): Uint8Array {
  return compress(bytes, LEVEL);
}
