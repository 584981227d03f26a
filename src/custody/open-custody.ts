import { OperatorError } from '../common/operator-error.ts';
import type { Store } from '../store/index.ts';
import type { KeyCustody } from './custody.ts';
import { KeyRows, listMasterIds, removeOldSignatures } from './keys/key-rows.ts';
import { findMasterKey, type MasterKeys } from './keys/master-key.ts';
import { VaultCustody } from './vault-custody.ts';

export interface CustodyOptions {
  readonly store: Store;
  readonly masters: MasterKeys;
  /** Unix milliseconds. */
  readonly now: () => number;
  /** Calls `work` every `milliseconds` until the returned function is called. */
  readonly every: (milliseconds: number, work: () => void) => () => void;
  /** Called when old rows of signatures could not be removed. They are tried again later. */
  readonly onDefect: (error: unknown) => void;
}

export interface OpenedCustody {
  readonly custody: KeyCustody;
  /** Ends the removal of old rows. */
  readonly close: () => Promise<void>;
}

const REMOVE_MS = 60 * 60 * 1_000;

/**
 * Opens the keys that the database holds.
 *
 * @throws OperatorError when a key is under a master key that this instance does not have
 *
 * @example
 * ```ts
 * import { randomBytes } from 'node:crypto';
 * import type { Store } from '../store/index.ts';
 * import { MasterKey } from './keys/master-key.ts';
 * import { openCustody } from './open-custody.ts';
 *
 * async function findCoSigner(store: Store) {
 *   const { custody, close } = await openCustody({
 *     store,
 *     masters: { current: new MasterKey(randomBytes(32)), previous: null },
 *     now: Date.now,
 *     every: () => () => undefined,
 *     onDefect: console.warn,
 *   });
 *   const coSigner = await custody.coSigner();
 *   await close();
 *   return coSigner;
 * }
 * ```
 */
export async function openCustody(options: CustodyOptions): Promise<OpenedCustody> {
  const { store, masters, now, every, onDefect } = options;
  checkMasterIds(await listMasterIds(store.db), masters);
  const custody = new VaultCustody({ store, rows: new KeyRows(store), masters, now });
  let isStopped = false;
  let removal: Promise<void> = Promise.resolve();
  const stop = every(REMOVE_MS, () => {
    removal = removal.then(() => removeOldSignatures(store, () => isStopped)).catch(onDefect);
  });
  return {
    custody,
    close: async () => {
      isStopped = true;
      stop();
      await removal;
    },
  };
}

function checkMasterIds(ids: readonly string[], masters: MasterKeys): void {
  const foreign = ids.filter((id) => findMasterKey(masters, id) === null);
  if (foreign.length === 0) return;
  const had = [masters.current, masters.previous].flatMap((key) => (key === null ? [] : [key.id]));
  throw new OperatorError(
    `keys of vaults in the database are under the master key ${foreign.join(', ')}, but this instance has ${had.join(' and ')}; give the master key that the first instance on this database used, or both keys while they are changed (custody-previous-key-file)`,
  );
}
