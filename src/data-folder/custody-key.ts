import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';
import { SECRET_TEXT_FILES } from './secret-files.ts';

/** Returns the path of the file with the master key that the keys of vaults are encrypted with. */
export function getCustodyKeyPath(dataDir: string): string {
  return join(dataDir, SECRET_TEXT_FILES.custodyKey);
}

/**
 * Reads the master key of the data folder. It is in no backup, so that whoever has a backup cannot use the keys in it.
 *
 * @param create - Makes the key at the first start.
 * @throws OperatorError when the file does not hold a key.
 */
export function keepCustodyKey(dataDir: string, create: () => string): string {
  // Vaults whose keys are under another master key could not sign any more.
  return keepSecretText(
    getCustodyKeyPath(dataDir),
    create,
    'put back the copy that you keep apart from backups',
  );
}
