import { listVariables } from './settings/kinds/setting.ts';
import { SETTING_NAMES, SETTINGS } from './settings/settings.ts';

/**
 * Removes secret settings from the environment after they were read, so that neither child processes nor diagnostic
 * reports contain them.
 */
export function forgetSecrets(environment: NodeJS.ProcessEnv): void {
  for (const name of SETTING_NAMES) {
    if (!SETTINGS[name].secret) continue;
    for (const variable of listVariables(name, SETTINGS[name])) delete environment[variable];
  }
}
