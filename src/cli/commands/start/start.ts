import pino from 'pino';
import { startApp } from '../../../app/app.ts';
import { ConfigInvalid } from '../../../config/problems/problems.ts';
import { SETTING_NAMES } from '../../../config/settings/settings.ts';
import { startContradictions } from '../../../config/settings/transport-settings.ts';
import { createLogger } from '../../../gateway/http/log.ts';
import { disablePretenuring } from './v8-flags.ts';
import { renderBanner } from './banner.ts';
import type { Command } from '../../command-line/command.ts';
import { stopSignal } from './stop-signal.ts';

const STANDARD_ERROR = 2;

export const startCommand: Command = {
  name: 'start',
  summary: 'Run the gateway and its Solana network until Ctrl-C.',
  words: [],
  settings: SETTING_NAMES,
  run: async ({ config, loaded: { settings, sources }, write, writeError }) => {
    const contradictions = startContradictions(settings, sources);
    if (contradictions.length > 0) throw new ConfigInvalid(contradictions);
    disablePretenuring();
    const stopped = stopSignal({
      source: process,
      now: () => performance.now(),
      force: (code) => process.exit(code),
    });
    const logger = createLogger(config.logLevel, pino.destination({ dest: STANDARD_ERROR, sync: true }));
    const app = await startApp(config, logger);
    write(renderBanner(app, performance.now()));
    await stopped;
    writeError('Stopping ... (Ctrl-C again ends at once)\n');
    await app.close();
    return 0;
  },
};
