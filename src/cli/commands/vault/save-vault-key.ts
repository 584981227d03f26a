import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { readMasterKeys } from '../../../app/state/custody.ts';
import { STORE_MIGRATIONS } from '../../../app/tables.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import type { Config } from '../../../config/config.ts';
import { KeyRows } from '../../../custody/keys/key-rows.ts';
import { openSeed } from '../../../custody/keys/sealed-keys.ts';
import { lockDataFolder } from '../../../data-folder/lock.ts';
import { writeNewPrivateFile } from '../../../data-folder/private-file.ts';
import { recordCommand } from '../../../platform/audit/audit.ts';
import type { Address } from '../../../solana/address.ts';
import { createKeypairFromSeed, encodeKeypairFile } from '../../../solana/keypair.ts';
import { openStore, STORE_FILE, type Store } from '../../../store/index.ts';

/** The settings that say where the keys are, and which master key they are under. */
type KeyPlace = Pick<Config, 'custody' | 'databaseUrl' | 'dataDir' | 'production'>;

/**
 * Writes the key of a wallet's vault into a file in the format of Solana's tools, which only its owner may read. The database is
 * used directly, so that no key passes the admin interface: a person who may do this has the database and the master key already.
 *
 * Returns the address of the vault.
 * @throws OperatorError when the file exists, the wallet has no vault, or an instance uses the data folder
 */
export async function saveVaultKey(place: KeyPlace, wallet: Address, file: string): Promise<Address> {
  if (existsSync(file)) throw new OperatorError(`${file} exists already; choose another name with --out`);
  const { store, close } = await openKeyStore(place);
  try {
    const key = await new KeyRows(store).findVault(wallet);
    if (key === null) throw new OperatorError(`the wallet ${wallet} has no vault`);
    const masters = await readMasterKeys(place, place.dataDir, store);
    if (masters === null) throw new OperatorError('no master key is named; give it with custody-key-file');
    const contents = openSeed(masters, key, (seed) => encodeKeypairFile(createKeypairFromSeed(seed)));
    // The entry comes first: a key that nobody knows of must not be outside.
    await store.transaction(async (db) =>
      recordCommand(db, {
        at: await store.now(db),
        action: 'vault.key_exported',
        subject: wallet,
        before: null,
        after: { vault: key.address },
      }),
    );
    await writeNewPrivateFile(file, contents);
    return key.address;
  } finally {
    await close();
  }
}

async function openKeyStore({ databaseUrl: url, dataDir }: KeyPlace): Promise<{
  readonly store: Store;
  readonly close: () => Promise<void>;
}> {
  if (url === null && !existsSync(join(dataDir, STORE_FILE))) {
    throw new OperatorError(
      `data-dir ${dataDir} has no database; give the instance's folder with --data-dir`,
    );
  }
  const unlock = url === null ? await lockDataFolder(dataDir) : () => undefined;
  try {
    const store = await openStore({ url, folder: dataDir, migrations: STORE_MIGRATIONS });
    return {
      store,
      close: async () => {
        await store.close();
        unlock();
      },
    };
  } catch (error) {
    unlock();
    throw error;
  }
}
