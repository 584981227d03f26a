import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';

/**
 * Reads the secret that API keys are hashed with.
 *
 * @param create - Makes the secret at the first start.
 * @throws OperatorError when the file does not hold a secret.
 */
export function keepKeySecret(dataDir: string, create: () => string): string {
  // The remedy is not a new secret: with that one, no API key in the database would be recognised.
  return keepSecretText(join(dataDir, 'key-secret'), create, 'restore the file from a backup');
}
