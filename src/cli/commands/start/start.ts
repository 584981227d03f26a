import type { LoadedSettings } from '../../../config/load.ts';
import { ConfigInvalid } from '../../../config/problems/problems.ts';
import { SETTING_NAMES } from '../../../config/settings/settings.ts';
import { findExposureContradictions } from '../../../config/settings/exposure.ts';
import { findUnpairedFiles } from '../../../config/settings/groups/transport-settings.ts';
import { createReadyFlags, parseBannerFlag, parseReadyFile } from './ready-flags.ts';
import { delayWasmOptimisation, disablePretenuring } from './v8-flags.ts';
import type { Command } from '../../command-line/command.ts';

export const startCommand: Command = {
  name: 'start',
  summary: 'Run the gateway and its Solana network until Ctrl-C.',
  words: [],
  settings: SETTING_NAMES,
  flags: createReadyFlags('all URLs, the demo wallet and the demo API key'),
  run: async ({ config, loaded, flags, cwd, write, writeError }) => {
    requireStartable(loaded);
    const banner = parseBannerFlag(flags);
    const readyFile = parseReadyFile(flags, cwd);
    disablePretenuring();
    delayWasmOptimisation();
    // This module loads the whole gateway, which takes longer than most commands do, so only this command imports it.
    const { runInstance } = await import('./run-instance.ts');
    const readAgain = async () => requireStartable(await loaded.readAgain());
    await runInstance({ config, banner, readyFile, write, writeError }, { loaded, cwd, readAgain });
    return 0;
  },
};

/** Returns the settings. @throws ConfigInvalid with what only `sluice start` refuses */
function requireStartable(loaded: LoadedSettings): LoadedSettings {
  const { settings, sources } = loaded;
  const contradictions = [
    ...findUnpairedFiles(settings, sources),
    ...findExposureContradictions(settings, sources),
  ];
  if (contradictions.length > 0) throw new ConfigInvalid(contradictions);
  return loaded;
}
