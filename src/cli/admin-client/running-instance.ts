import { Unreachable } from '../../common/bounded-post.ts';
import { OperatorError } from '../../common/operator-error.ts';
import { toFlag } from '../../config/settings/kinds/setting.ts';
import type { SettingName } from '../../config/settings/settings.ts';

/**
 * Awaits a request to an instance, and says what to do when the instance cannot be reached.
 *
 * @param settings - The settings that say where the instance is.
 * @throws OperatorError instead of `Unreachable`.
 */
export async function awaitInstance<T>(asked: Promise<T>, settings: readonly SettingName[]): Promise<T> {
  try {
    return await asked;
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error;
    throw new OperatorError(
      `${error.message}; start an instance with sluice start, or say where it is with ${settings.map(toFlag).join(' and ')}`,
    );
  }
}
