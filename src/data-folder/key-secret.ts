import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';
import { SECRET_TEXT_FILES } from './secret-files.ts';

/**
 * Reads the secret that API keys are hashed with.
 *
 * @param create - Makes the secret at the first start.
 * @throws OperatorError when the file does not hold a secret.
 */
export function keepKeySecret(dataDir: string, create: () => string): string {
  // A new secret would not help, because the API keys in the database are hashed with the old one.
  return keepSecretText(join(dataDir, SECRET_TEXT_FILES.keySecret), create, 'restore the file from a backup');
}
