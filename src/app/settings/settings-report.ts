import { Unavailable } from '../../common/unavailable.ts';
import { type Timers, waitWithin } from '../../common/ports/timers.ts';
import { type Config, toConfig } from '../../config/config.ts';
import type { LoadedSettings } from '../../config/load.ts';
import { ConfigInvalid } from '../../config/problems/problems.ts';
import type { ProcessSettings } from '../../config/process-settings.ts';
import type { SettingsReports } from '../../gateway/admin/settings/settings-endpoint.ts';
import type { RestartChange, SettingsReportAnswer } from '../../gateway/admin/settings/settings-schema.ts';
import { FileFaults } from './file-faults.ts';
import { type InForceFacts, listInForce } from './in-force.ts';
import type { FileMark, MarkedFile, StartRecord } from '../state/start-record.ts';
import { toSettingLines } from './setting-lines.ts';
import { listStartFiles, MAX_START_FILES, readFileMark } from './watched-files.ts';

/** A report is answered again within this time, so that whoever asks often costs no more than one reading a second. */
const KEEP_MS = 1_000;
/** A disk that hangs keeps a reading for longer. No second one begins then. */
const READ_MS = 10_000;
const MAX_PROBLEMS = 50;
/** The settings whose files become accounts of the embedded network. */
const LOADED: ReadonlySet<string> = new Set(['program', 'account']);

export interface SettingsReportOptions {
  readonly start: StartRecord;
  readonly config: Config;
  /** The files of the data folder that only a start reads, as they were when it had read them. */
  readonly folderFiles: readonly MarkedFile[];
  readonly getFacts: () => InForceFacts;
  /** Returns the version of package.json. */
  readonly readVersionOnDisk: () => Promise<string | null>;
  readonly schema: { readonly known: number; readonly read: () => Promise<number> };
  readonly timers: Timers;
}

/** Reads the settings and what surrounds them again for each report, one report at a time. */
export function createSettingsReports(options: SettingsReportOptions): SettingsReports {
  const { timers, start } = options;
  const faults = new FileFaults(start.findFileFaults);
  let reading: Promise<SettingsReportAnswer> | null = null;
  let last: SettingsReportAnswer | null = null;
  return {
    read: async () => {
      // A clock that was set back makes the last report one of the future.
      const age = last === null ? KEEP_MS : timers.now() - last.readAt;
      if (last !== null && age >= 0 && age < KEEP_MS) return last;
      reading ??= readReport(options, faults)
        .then((report) => {
          last = report;
          return report;
        })
        .finally(() => {
          reading = null;
        });
      const report = await waitWithin(reading, READ_MS, timers);
      if (report !== undefined) return report;
      throw new Unavailable('The files that a restart would read cannot be read within 10 seconds');
    },
  };
}

async function readReport(options: SettingsReportOptions, faults: FileFaults): Promise<SettingsReportAnswer> {
  const { start, config, getFacts, timers } = options;
  const { loaded, cwd } = start.process;
  const configFile = await readFileMark(loaded.file.path);
  const fileWritten = configFile.key !== start.configFile.key;
  const { next, problems } = await readNext(start.process);
  const onDisk = await options.readVersionOnDisk();
  const nextConfig = next === null ? config : toConfig(next.settings, cwd);
  return {
    startedAt: start.startedAt,
    readAt: timers.now(),
    version: { running: start.version, onDisk },
    file: {
      path: loaded.file.path,
      state: describeFileState(start.configFile, configFile),
      writtenAt: configFile.writtenAt,
    },
    problems,
    changes: [
      ...describeVersion(start.version, onDisk),
      ...(await describeSchema(options)),
      ...(await listFileChanges(options, faults, nextConfig, configFile.key)),
    ],
    settings: toSettingLines({
      now: loaded,
      next,
      fileWritten,
      inForce: listInForce(loaded.settings, config, getFacts()),
    }),
  };
}

async function readNext({
  readAgain,
}: ProcessSettings): Promise<{ readonly next: LoadedSettings | null; readonly problems: string[] }> {
  try {
    return { next: await readAgain(), problems: [] };
  } catch (error) {
    if (!(error instanceof ConfigInvalid)) throw error;
    const shown = error.problems.slice(0, MAX_PROBLEMS);
    const more = error.problems.length - shown.length;
    return { next: null, problems: more === 0 ? [...shown] : [...shown, `and ${more} more`] };
  }
}

function describeFileState(before: FileMark, after: FileMark): SettingsReportAnswer['file']['state'] {
  if (before.key === after.key) return before.key === null ? 'absent' : 'unchanged';
  if (before.key === null) return 'appeared';
  return after.key === null ? 'gone' : 'written';
}

function describeVersion(running: string, onDisk: string | null): RestartChange[] {
  if (running === onDisk) return [];
  const text =
    onDisk === null
      ? 'The program on disk cannot be found: a restart may fail.'
      : `A restart runs ${onDisk} instead of ${running}. A newer version may change the tables of the database at its start, after which ${running} refuses to start: make a backup first.`;
  return [{ kind: 'version', subject: 'Sluice', text, at: null }];
}

/** Another instance on the same database may be newer. The check must not fail the report when the database does not answer. */
async function describeSchema({ schema }: SettingsReportOptions): Promise<RestartChange[]> {
  const found = await schema.read().catch(() => null);
  if (found === null || found === schema.known) return [];
  const text =
    found > schema.known
      ? `Another instance has changed the tables of the database to version ${found}, and this program knows ${schema.known}: a restart with the same version is refused.`
      : `A restart changes the tables of the database from version ${found} to ${schema.known}.`;
  return [{ kind: 'schema', subject: 'database', text, at: null }];
}

/** Files that were written since the start, files that only the next start names, and files that it could not use. */
async function listFileChanges(
  { start, folderFiles }: SettingsReportOptions,
  faults: FileFaults,
  next: Config,
  settingsKey: string | null,
): Promise<RestartChange[]> {
  const before = [...start.files, ...folderFiles];
  const known = new Set(before.map(({ path }) => path));
  const named = listStartFiles(next).slice(0, MAX_START_FILES);
  const isStillRead = new Set([...named, ...folderFiles].map(({ path }) => path));
  const written = await Promise.all(
    before.map(async ({ subject, path, mark }) => {
      const now = await readFileMark(path);
      return now.key === mark.key || !isStillRead.has(path) ? [] : [{ subject, path, now }];
    }),
  );
  const changes = written.flat().map(({ subject, path, now }): RestartChange => {
    const text =
      now.key === null
        ? `${path} is gone or cannot be read: a restart does not find it.`
        : `${path} was written since the start: a restart ${LOADED.has(subject) ? 'loads it as it is then' : 'reads it again'}.`;
    return { kind: 'file', subject, text, at: now.writtenAt };
  });
  const concerned = new Set([
    ...changes.map(({ subject }) => subject),
    ...named.filter(({ path }) => !known.has(path)).map(({ subject }) => subject),
  ]);
  const found = await faults.find(next, { concerned, named, settingsKey });
  return [
    ...changes,
    ...found.map(
      ({ name, message }): RestartChange => ({ kind: 'fault', subject: name, text: message, at: null }),
    ),
  ];
}
