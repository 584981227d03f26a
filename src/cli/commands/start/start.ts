import { existsSync, rmSync, writeSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import pino from 'pino';
import { type RunningApp, startApp } from '../../../app/app.ts';
import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { ConfigInvalid } from '../../../config/problems/problems.ts';
import { SETTING_NAMES, type Settings } from '../../../config/settings/settings.ts';
import { exposureContradictions } from '../../../config/settings/exposure.ts';
import { unpairedFiles } from '../../../config/settings/groups/transport-settings.ts';
import { replacePrivateFile } from '../../../data-folder/private-file.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { terminalLog } from '../../../gateway/http/log/pretty.ts';
import { disablePretenuring } from './v8-flags.ts';
import { renderBanner } from './banner.ts';
import type { Command } from '../../command-line/command.ts';
import { UsageError } from '../../command-line/command-line.ts';
import { readyDocument } from './ready-document.ts';
import { stopSignal } from './stop-signal.ts';

const STANDARD_ERROR = 2;
const BANNERS = ['text', 'json', 'none'] as const;

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
      ...unpairedFiles(settings, sources),
      ...exposureContradictions(settings, sources),
    ];
    if (contradictions.length > 0) throw new ConfigInvalid(contradictions);
    const banner = bannerOf(flags);
    const readyFile = readyFileOf(flags, cwd);
    disablePretenuring();
    const { logger, release } = openLog(config.logLevel, settings['log-format']);
    const stopped = stopSignal({
      source: process,
      now: () => performance.now(),
      stopsAtHangup: process.stdin.isTTY === true || process.stderr.isTTY === true,
      onHangup: () => logger.info('SIGHUP changes nothing: certificates are read again by themselves'),
      force: (code) => process.exit(code),
    });
    let app: RunningApp;
    try {
      app = await startApp(config, logger);
    } catch (error) {
      release();
      throw error;
    }
    const ready = performance.now();
    const document = JSON.stringify(readyDocument(app, ready));
    if (readyFile !== null) replacePrivateFile(readyFile, `${document}\n`);
    if (banner === 'text') write(renderBanner(app, ready));
    if (banner === 'json') write(`${document}\n`);
    release();
    await stopped;
    if (banner === 'text') writeError('Stopping ... (press Ctrl-C again to end immediately)\n');
    if (readyFile !== null) rmSync(readyFile, { force: true });
    await app.close();
    return 0;
  },
};

/** Returns the logger, and a function that writes the lines that were held back while the banner was printed. */
function openLog(level: string, format: Settings['log-format']) {
  if (format === 'pretty' || (format === 'auto' && process.stderr.isTTY === true)) {
    const terminal = terminalLog((text) => void writeSync(STANDARD_ERROR, text));
    return { logger: createLogger(level, terminal), release: terminal.release };
  }
  const destination = pino.destination({ dest: STANDARD_ERROR, sync: true });
  return { logger: createLogger(level, destination), release: () => {} };
}

function bannerOf(flags: ReadonlyMap<string, string>): (typeof BANNERS)[number] {
  const given = flags.get('banner') ?? 'text';
  const banner = BANNERS.find((one) => one === given);
  if (banner !== undefined) return banner;
  throw new UsageError(`flag --banner is ${formatForError(given)}, but must be one of ${BANNERS.join(', ')}`);
}

/** Returns the path of the ready file, and removes the file of an earlier start, which would be mistaken for this one. */
function readyFileOf(flags: ReadonlyMap<string, string>, cwd: string): string | null {
  const given = flags.get('ready-file');
  if (given === undefined) return null;
  const path = resolve(cwd, given);
  if (!existsSync(dirname(path))) throw new OperatorError(`ready-file ${path}: its folder does not exist`);
  rmSync(path, { force: true });
  return path;
}
