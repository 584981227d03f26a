import type { Database } from '../store/index.ts';
import { countKeysUnderOthers, listKeysUnderOthers, replaceSealed } from './keys/key-rows.ts';
import type { MasterKeys } from './keys/master-key.ts';
import { sealAgain } from './keys/sealed-keys.ts';

/** How many keys are put under the current master key in one step, which takes some milliseconds. */
const STEP = 100;

/** A step of a rotation. */
export interface RotationStep {
  /** The id of the master key that all keys are put under. */
  readonly masterId: string;
  /** Keys that this step has put under it. */
  readonly rotated: number;
  /** Keys that are still under another one. */
  readonly left: number;
}

/**
 * Puts some keys under the current master key. The rows say which keys are left, so a rotation that was interrupted goes on where
 * it was, and several instances may rotate at once: a key that another one has changed meanwhile is not written.
 *
 * @throws Unavailable when a key is under a master key that this instance does not have
 */
export async function rotateKeys(db: Database, masters: MasterKeys): Promise<RotationStep> {
  const { id } = masters.current;
  const keys = await listKeysUnderOthers(db, id, STEP);
  for (const key of keys) await replaceSealed(db, key, sealAgain(masters, key));
  return { masterId: id, rotated: keys.length, left: await countKeysUnderOthers(db, id) };
}
