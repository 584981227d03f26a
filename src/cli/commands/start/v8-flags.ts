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
