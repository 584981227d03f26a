import { setFlagsFromString } from 'node:v8';

/**
 * Keeps V8 from allocating objects in the old generation directly ("pretenuring"). When many objects from one
 * allocation site survive a few collections, as the order books of a thousand makers do, V8 starts to allocate later
 * ones from that site in the old generation. Books that are replaced every few milliseconds then stay in memory until
 * the next collection of the old generation, and each short collection takes four times as long.
 * The flag holds for the whole process. Call this before there is work.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}

/**
 * The work after which V8 optimises a function of WebAssembly: roughly the bytes of machine code that it has executed.
 * Node 20 has 1.8 million, and newer versions of V8 have 13 million.
 */
const WASM_TIERING_BUDGET = 50_000_000;

/**
 * Lets V8 optimise a function of WebAssembly only when it has run for some 50 ms. By default the migrations and first
 * commits of a start make V8 optimise most of SQLite, which takes longer than everything that SQLite does in a start.
 * Functions that stay in use are optimised soon after. The flag holds for modules that are compiled after the call, so
 * call this before the stores are imported.
 */
export function delayWasmOptimisation(): void {
  setFlagsFromString(`--wasm-tiering-budget=${WASM_TIERING_BUDGET}`);
}
