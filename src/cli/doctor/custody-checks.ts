import { existsSync, statSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { type MasterKeySource, readMasterKey } from '../../custody/keys/master-key-source.ts';
import { getCustodyKeyPath } from '../../data-folder/custody-key.ts';
import { type DoctorCheck, type DoctorFinding, ok, warning } from './check.ts';
import { isOpenToOthers } from './file-access.ts';

/** Checks the master keys of vaults. A file of the data folder is checked with the other secrets there. */
export function listCustodyChecks({
  custody: { key, previousKey },
  production,
  databaseUrl,
  dataDir,
}: Config): readonly DoctorCheck[] {
  return [
    key === null
      ? { name: 'custody-key', run: () => checkUnnamed(production, databaseUrl, dataDir) }
      : { name: 'custody-key', run: () => checkKey(key, 'custody-key') },
    ...(previousKey === null
      ? []
      : [{ name: 'custody-previous-key', run: () => checkKey(previousKey, 'custody-previous-key') }]),
  ];
}

function checkUnnamed(production: boolean, databaseUrl: string | null, dataDir: string): DoctorFinding {
  if (production) {
    return warning(
      'no master key is named, so this instance serves no orders that wait; make one with openssl rand -hex 32, and name its file with custody-key-file',
    );
  }
  const path = getCustodyKeyPath(dataDir);
  if (databaseUrl !== null) {
    return warning(
      `it is not given, so this instance uses ${path}; with database-url, give every instance the same custody-key-file`,
    );
  }
  return ok(existsSync(path) ? `${path}; no backup holds it` : `${path} is made at the first start`);
}

async function checkKey(source: MasterKeySource, setting: string): Promise<DoctorFinding> {
  const { id } = await readMasterKey(source, setting);
  if ('file' in source && isOpenToOthers(statSync(source.file))) {
    return warning(
      `${source.file} can be read by other users of this machine, who could then use the keys of vaults in a copy of the database; run chmod 600 ${source.file}`,
    );
  }
  return ok(`the master key ${id} can be read`);
}
