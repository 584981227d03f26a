import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';

/**
 * Reads the secret that API keys are hashed with.
 *
 * @param create - Makes the secret at the first start.
 * @throws OperatorError when the file does not hold a secret.
 */
export function keepKeySecret(dataDir: string, create: () => string): string {
  // A new secret would not help, because the API keys in the database are hashed with the old one.
  return keepSecretText(join(dataDir, 'key-secret'), create, 'restore the file from a backup');
}
