import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';
import { SECRET_TEXT_FILES } from './secret-files.ts';

/** Returns the path of the file with the operator's credential. */
export function getOperatorCredentialPath(dataDir: string): string {
  return join(dataDir, SECRET_TEXT_FILES.operatorCredential);
}

/**
 * Reads the credential for the admin interface of this folder's instance.
 *
 * @param create - Generates the credential at the first start.
 * @throws OperatorError when the file does not hold a credential.
 */
export function keepOperatorCredential(dataDir: string, create: () => string): string {
  return keepSecretText(getOperatorCredentialPath(dataDir), create);
}

/**
 * Returns the credential; null when no instance was started in the folder yet.
 *
 * @throws OperatorError when the file does not hold a credential.
 */
export function readOperatorCredential(dataDir: string): string | null {
  const path = getOperatorCredentialPath(dataDir);
  return existsSync(path) ? keepSecretText(path, () => '') : null;
}
