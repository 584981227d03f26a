import { existsSync, rmSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { ConfigInvalid } from '../../../config/problems/problems.ts';
import { SETTING_NAMES } from '../../../config/settings/settings.ts';
import { findExposureContradictions } from '../../../config/settings/exposure.ts';
import { findUnpairedFiles } from '../../../config/settings/groups/transport-settings.ts';
import { delayWasmOptimisation, disablePretenuring } from './v8-flags.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';

const BANNERS = ['text', 'json', 'none'] as const;

/** The form in which `start` says that everything answers. */
export type BannerKind = (typeof BANNERS)[number];

export const startCommand: Command = {
  name: 'start',
  summary: 'Run the gateway and its Solana network until Ctrl-C.',
  words: [],
  settings: SETTING_NAMES,
  flags: [
    {
      name: 'ready-file',
      allowed: 'the path of a file',
      description:
        'File that is written as JSON when everything answers, with all URLs, the demo wallet and the demo API key, and is removed at the end. Default: none.',
    },
    {
      name: 'banner',
      allowed: `one of ${BANNERS.join(', ')}`,
      description:
        'What is printed when everything answers: a text for a person, the content of --ready-file in one line, or nothing. Default: text.',
    },
  ],
  run: async ({ config, loaded: { settings, sources }, flags, cwd, write, writeError }) => {
    const contradictions = [
      ...findUnpairedFiles(settings, sources),
      ...findExposureContradictions(settings, sources),
    ];
    if (contradictions.length > 0) throw new ConfigInvalid(contradictions);
    const banner = parseBannerFlag(flags);
    const readyFile = parseReadyFile(flags, cwd);
    disablePretenuring();
    delayWasmOptimisation();
    // This module loads the whole gateway, which takes longer than most commands do, so only this command imports it.
    const { runInstance } = await import('./run-instance.ts');
    await runInstance({ config, banner, readyFile, write, writeError });
    return 0;
  },
};

function parseBannerFlag(flags: ReadonlyMap<string, string>): BannerKind {
  const given = flags.get('banner') ?? 'text';
  const banner = BANNERS.find((one) => one === given);
  if (banner !== undefined) return banner;
  throw new UsageError(`flag --banner is ${formatForError(given)}, but must be one of ${BANNERS.join(', ')}`);
}

/** Returns the path of the ready file, and removes the file of an earlier start, which would be mistaken for this one. */
function parseReadyFile(flags: ReadonlyMap<string, string>, cwd: string): string | null {
  const given = flags.get('ready-file');
  if (given === undefined) return null;
  const path = resolve(cwd, given);
  if (!existsSync(dirname(path))) throw new OperatorError(`ready-file ${path}: its folder does not exist`);
  rmSync(path, { force: true });
  return path;
}
