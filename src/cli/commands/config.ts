import { renderEffective } from '../../config/render.ts';
import { SETTING_NAMES } from '../../config/settings/settings.ts';
import type { Command } from '../command-line/command.ts';

export const configCommand: Command = {
  name: 'config',
  summary: 'Show the effective configuration and where each value came from.',
  words: [],
  settings: SETTING_NAMES,
  run: async ({ loaded, write }) => {
    write(renderEffective(loaded));
    return 0;
  },
};
