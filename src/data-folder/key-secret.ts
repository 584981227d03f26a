import { join } from 'node:path';
import { keepSecretText } from './private-file.ts';

/**
 * What this folder's API keys are hashed with; at the first start, `create` makes it.
 * @throws OperatorError when the file was changed to something that is none
 */
export function keepKeySecret(dataDir: string, create: () => string): string {
  return keepSecretText(join(dataDir, 'key-secret'), create);
}
