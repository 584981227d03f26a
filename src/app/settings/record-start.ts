import type { Config } from '../../config/config.ts';
import type { ProcessSettings } from '../../config/process-settings.ts';
import { readPackageVersion } from '../../common/package.ts';
import type { FindFileFaults, StartRecord } from '../state/start-record.ts';
import { listStartFiles, readFileMark, readFileMarks } from './watched-files.ts';

/**
 * Notes what a start is about to read, before it does, so that the report of the settings can say what was written since.
 *
 * @param now - Unix milliseconds.
 */
export async function recordStart(
  config: Config,
  process: ProcessSettings,
  findFileFaults: FindFileFaults,
  now: number,
): Promise<StartRecord> {
  return {
    process,
    version: readPackageVersion(),
    startedAt: now,
    configFile: await readFileMark(process.loaded.file.path),
    files: await readFileMarks(listStartFiles(config)),
    findFileFaults,
  };
}
