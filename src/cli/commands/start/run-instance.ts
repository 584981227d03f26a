import { rmSync, writeSync } from 'node:fs';
import pino from 'pino';
import { type RunningApp, startApp } from '../../../app/app.ts';
import type { Config } from '../../../config/config.ts';
import { replacePrivateFile } from '../../../data-folder/private-file.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createTerminalLog } from '../../../gateway/http/log/pretty.ts';
import { renderBanner } from './banner.ts';
import { createReadyDocument } from './ready-document.ts';
import type { BannerKind } from './start.ts';
import { awaitStopSignal } from './stop-signal.ts';

const STANDARD_ERROR = 2;

/** The configuration of an instance, and the choices that concern only the process that runs it. */
export interface InstanceRun {
  readonly config: Config;
  readonly banner: BannerKind;
  /** The path of the file that is written when everything answers. Null when none is. */
  readonly readyFile: string | null;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** Runs an instance until a signal stops it. */
export async function runInstance(run: InstanceRun): Promise<void> {
  const { config, banner, readyFile, write, writeError } = run;
  const { logger, release } = openLog(config);
  const stopped = awaitStopSignal({
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
  const document = JSON.stringify(createReadyDocument(app, ready));
  if (readyFile !== null) replacePrivateFile(readyFile, `${document}\n`);
  if (banner === 'text') write(renderBanner(app, ready));
  if (banner === 'json') write(`${document}\n`);
  release();
  await stopped;
  if (banner === 'text') writeError('Stopping ... (press Ctrl-C again to end immediately)\n');
  if (readyFile !== null) rmSync(readyFile, { force: true });
  await app.close();
}

/** Returns the logger, and a function that writes the lines that were held back while the banner was printed. */
function openLog({ logLevel: level, logFormat: format }: Config) {
  if (format === 'pretty' || (format === 'auto' && process.stderr.isTTY === true)) {
    const terminal = createTerminalLog((text) => void writeSync(STANDARD_ERROR, text));
    return { logger: createLogger(level, terminal), release: terminal.release };
  }
  const destination = pino.destination({ dest: STANDARD_ERROR, sync: true });
  return { logger: createLogger(level, destination), release: () => {} };
}
