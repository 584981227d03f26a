import { setFlagsFromString } from 'node:v8';

/**
 * Keeps the engine from allocating objects in the old generation directly ("pretenuring"). Where many objects of one
 * place in the code survive a few collections, as the order books of a thousand makers do, the engine starts to allocate
 * later ones there as old. Books that are replaced every few milliseconds then keep all their levels until the next
 * collection of the old generation, and each short collection takes four times as long.
 * The flag holds for the whole process; call this before there is work.
 */
export function disablePretenuring(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
