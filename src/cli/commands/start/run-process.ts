import { rmSync, writeSync } from 'node:fs';
import type { FastifyBaseLogger } from 'fastify';
import pino from 'pino';
import type { Config } from '../../../config/config.ts';
import { replacePrivateFile } from '../../../data-folder/private-file.ts';
import { createLogger } from '../../../gateway/http/log/log.ts';
import { createTerminalLog } from '../../../gateway/http/log/pretty.ts';
import type { BannerKind } from './ready-flags.ts';
import { awaitStopSignal } from './stop-signal.ts';

const STANDARD_ERROR = 2;

/** The configuration of a process, and the choices that concern only the process. */
export interface ProcessRun {
  readonly config: Config;
  readonly banner: BannerKind;
  /** The path of the file that is written when everything answers. Null when none is. */
  readonly readyFile: string | null;
  readonly write: (text: string) => void;
  readonly writeError: (text: string) => void;
}

/** What a process has opened, and how it says so. */
export interface OpenedProcess {
  /** @param milliseconds - How long the start has taken. */
  readonly renderBanner: (milliseconds: number) => string;
  /** Returns an object for programs. */
  readonly createDocument: (milliseconds: number) => object;
  readonly close: () => Promise<void>;
}

/** Opens what a process runs, says that it is ready, and closes it when a signal comes. */
export async function runProcess(
  { config, banner, readyFile, write, writeError }: ProcessRun,
  open: (config: Config, logger: FastifyBaseLogger) => Promise<OpenedProcess>,
): Promise<void> {
  const { logger, release } = openLog(config);
  const stopped = awaitStopSignal({
    source: process,
    now: () => performance.now(),
    stopsAtHangup: process.stdin.isTTY === true || process.stderr.isTTY === true,
    onHangup: () => logger.info('SIGHUP changes nothing: certificates are read again by themselves'),
    force: (code) => process.exit(code),
  });
  let opened: OpenedProcess;
  try {
    opened = await open(config, logger);
  } catch (error) {
    release();
    throw error;
  }
  const ready = performance.now();
  const document = JSON.stringify(opened.createDocument(ready));
  if (readyFile !== null) replacePrivateFile(readyFile, `${document}\n`);
  if (banner === 'text') write(opened.renderBanner(ready));
  if (banner === 'json') write(`${document}\n`);
  release();
  await stopped;
  if (banner === 'text') writeError('Stopping ... (press Ctrl-C again to end immediately)\n');
  if (readyFile !== null) rmSync(readyFile, { force: true });
  await opened.close();
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
