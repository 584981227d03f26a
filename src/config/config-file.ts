import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { JsonTooDeep, parseBoundedJson } from '../common/bounded-json.ts';
import { findDuplicateKey } from '../common/duplicate-key.ts';
import { readBoundedFile } from '../common/files/bounded-file.ts';
import { readTextFile, removeByteOrderMark } from '../common/files/text-file.ts';
import { formatForError } from '../common/format-for-error.ts';
import { getJsonType } from '../common/typed-text.ts';
import { formatHint } from './problems/problems.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings/settings.ts';
import type { GivenValue, SourceReading } from './sources.ts';

const CONFIG_FILE = 'sluice.config.json';
const MAX_FILE_BYTES = 1 << 20;
/** Keys that are no settings and are named, because a file of only such keys could have a hundred thousand. */
const MAX_UNKNOWN_KEYS = 20;

/** Where the configuration file is looked for. */
export interface ConfigFilePlace {
  readonly path: string;
  /** Whether a flag or the environment names it, so that it must exist. */
  readonly named: boolean;
}

/** What was read of the file; its path is null when there was no file. */
export type FileReading = SourceReading & { readonly path: string | null };

/** @param named - The file that a flag or the environment names; null: `sluice.config.json`, if it exists. */
export function findConfigFile(named: string | null, cwd: string): ConfigFilePlace {
  return named === null
    ? { path: join(cwd, CONFIG_FILE), named: false }
    : { path: resolve(cwd, named), named: true };
}

/** Reads the file at the start of a process. It may be a pipe, such as a shell makes for `--config <(...)`. */
export function readConfigFile(place: ConfigFilePlace): FileReading {
  try {
    const { size } = statSync(place.path);
    if (size > MAX_FILE_BYTES)
      throw new Error(`it has ${size} bytes, but may have at most ${MAX_FILE_BYTES}`);
    return parseConfigText(readTextFile(place.path), place.path);
  } catch (error) {
    return toFailedReading(place, error);
  }
}

/** Reads the file again while an instance runs, which nothing in the place of the file may keep from answering. */
export async function readConfigFileAgain(place: ConfigFilePlace): Promise<FileReading> {
  try {
    const bytes = await readBoundedFile(place.path, MAX_FILE_BYTES);
    return parseConfigText(removeByteOrderMark(bytes.toString('utf8')), place.path);
  } catch (error) {
    return toFailedReading(place, error);
  }
}

function toFailedReading({ path, named }: ConfigFilePlace, error: unknown): FileReading {
  const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
  if (isMissing && !named) return { given: new Map(), problems: [], path: null };
  return { given: new Map(), problems: [`file ${path} ${describeFileError(error)}`], path };
}

function parseConfigText(text: string, path: string): FileReading {
  const value = parseBoundedJson(text);
  const twice = findDuplicateKey(text);
  const problem = (what: string) => ({ given: new Map(), problems: [`file ${path} ${what}`], path });
  if (twice !== null) return problem(`has the key ${formatForError(twice)} twice; give it once`);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return problem('must hold a JSON object');
  const given = new Map<SettingName, GivenValue>();
  const unknown: string[] = [];
  for (const [name, each] of Object.entries(value)) {
    if (isSettingName(name))
      given.set(name, { value: listed(SETTINGS[name].schema, each), source: `file ${path}` });
    else unknown.push(name);
  }
  return { given, problems: describeUnknownKeys(unknown, path), path };
}

function describeUnknownKeys(names: readonly string[], path: string): string[] {
  const shown = names
    .slice(0, MAX_UNKNOWN_KEYS)
    .map(
      (name) =>
        `the key ${formatForError(name)} in file ${path} is not a setting${formatHint(name, SETTING_NAMES)}`,
    );
  const more = names.length - shown.length;
  return more === 0 ? shown : [...shown, `${more} more keys in file ${path} are not settings`];
}

/** Returns only the position of a syntax error, because the message of `JSON.parse` quotes text that may contain a secret. */
function describeFileError(error: unknown): string {
  if (!(error instanceof SyntaxError))
    return `cannot be read: ${error instanceof Error ? error.message : error}`;
  if (error instanceof JsonTooDeep) return `is refused: ${error.message}`;
  const place = /at position \d+( \(.*\))?/.exec(error.message)?.[0];
  return `is not valid JSON${place === undefined ? '' : ` ${place}`}`;
}

function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(SETTINGS, name);
}

/** In a file, a text stands for a list with that one element. */
function listed(schema: object, value: unknown): unknown {
  return getJsonType(schema) === 'array' && typeof value === 'string' ? [value] : value;
}
