import { setFlagsFromString } from 'node:v8';

/**
 * Has the engine make every object young. Where many objects of one place in the code outlive a few collections, as the
 * books of a thousand makers do, it makes later ones there old at once; books that are replaced every few milliseconds
 * then keep all their levels until the next collection of old objects, and each short one takes four times as long.
 * For the whole process; to be called before it has work.
 */
export function setYoungGenerationSize(): void {
  setFlagsFromString('--no-allocation-site-pretenuring');
}
