import { variablesOf } from './settings/setting.ts';
import { SETTING_NAMES, SETTINGS } from './settings/settings.ts';

/**
 * Takes secret settings out of the environment once they are read, so that neither a child process nor a diagnostic
 * report shows them.
 */
export function forgetSecrets(environment: NodeJS.ProcessEnv): void {
  for (const name of SETTING_NAMES) {
    if (!SETTINGS[name].secret) continue;
    for (const variable of variablesOf(name, SETTINGS[name])) delete environment[variable];
  }
}
