import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { OperatorError } from '../../common/operator-error.ts';
import { repeatEvery } from '../../common/ports/timers.ts';
import type { Config } from '../../config/config.ts';
import type { KeyCustody } from '../../custody/custody.ts';
import { listMasterIds } from '../../custody/keys/key-rows.ts';
import { MASTER_KEY_BYTES, type MasterKey, type MasterKeys } from '../../custody/keys/master-key.ts';
import { parseMasterKey, readMasterKey } from '../../custody/keys/master-key-source.ts';
import { openCustody } from '../../custody/open-custody.ts';
import { UnsetCustody } from '../../custody/unset-custody.ts';
import { getCustodyKeyPath, keepCustodyKey } from '../../data-folder/custody-key.ts';
import type { Store } from '../../store/index.ts';
import type { StartContext } from './start-context.ts';
import type { AppState } from './state.ts';

/** The keys of vaults. */
export interface AppCustody {
  readonly custody: KeyCustody;
  /** Null when no master key is given, so that there are no orders that wait. */
  readonly masters: MasterKeys | null;
}

/**
 * Opens the keys of vaults.
 * @throws OperatorError when the master key cannot be read, or keys in the database are under another one
 */
export async function openAppCustody(
  { config, logger, toClose }: StartContext,
  { folder, store }: Pick<AppState, 'folder' | 'store'>,
): Promise<AppCustody> {
  const masters = await readMasterKeys(config, folder, store);
  if (masters === null) return { custody: new UnsetCustody(), masters };
  const { custody, close } = await openCustody({
    store,
    masters,
    now: Date.now,
    every: repeatEvery,
    onDefect: (error) => logger.warn({ err: error }, 'old rows of signatures cannot be removed'),
  });
  toClose(close);
  return { custody, masters };
}

/**
 * Reads the master keys that the settings name, or else the one of the data folder. Returns null in production, where no key is
 * made that the operator has not asked for.
 *
 * @throws OperatorError when a key cannot be read, or there is none although the database has keys
 */
export async function readMasterKeys(
  { custody: { key, previousKey }, production }: Pick<Config, 'custody' | 'production'>,
  folder: string,
  store: Store,
): Promise<MasterKeys | null> {
  const current =
    key === null ? await readOwnKey(production, folder, store) : await readMasterKey(key, 'custody-key');
  if (current === null) return null;
  const previous = previousKey === null ? null : await readMasterKey(previousKey, 'custody-previous-key');
  return { current, previous };
}

async function readOwnKey(production: boolean, folder: string, store: Store): Promise<MasterKey | null> {
  const path = getCustodyKeyPath(folder);
  if (production || !existsSync(path)) {
    const ids = await listMasterIds(store.db);
    if (ids.length > 0) {
      throw new OperatorError(
        `the database has keys of vaults under the master key ${ids.join(', ')}, but ${production ? 'no setting names it' : `${path} does not exist`}; give it with custody-key-file. No backup holds it`,
      );
    }
    if (production) return null;
  }
  const text = keepCustodyKey(folder, () => randomBytes(MASTER_KEY_BYTES).toString('hex'));
  return parseMasterKey(text, `the file ${path}`);
}
