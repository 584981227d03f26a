import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';

/**
 * What this folder's API keys are hashed with; at the first start, `create` makes it.
 * @throws OperatorError when the file was changed to something that is none
 */
export function keepKeySecret(dataDir: string, create: () => string): string {
  // With a new one no API key in the database would be known, so the start would be refused.
  return keepSecretText(join(dataDir, 'key-secret'), create, 'put the file of a backup in its place');
}
