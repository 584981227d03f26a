import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';

/** Where the folder keeps what opens the admin interface. */
export function operatorCredentialPath(dataDir: string): string {
  return join(dataDir, 'operator-credential');
}

/**
 * What opens the admin interface of this folder's instance; at the first start, `create` makes it.
 * @throws OperatorError when the file was changed to something that is none
 */
export function keepOperatorCredential(dataDir: string, create: () => string): string {
  return keepSecretText(operatorCredentialPath(dataDir), create);
}

/**
 * Null when no instance was started in the folder yet.
 * @throws OperatorError when the file holds something that is none
 */
export function readOperatorCredential(dataDir: string): string | null {
  const path = operatorCredentialPath(dataDir);
  return existsSync(path) ? keepSecretText(path, () => '') : null;
}
