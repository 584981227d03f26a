import { JsonTooDeep, parseBoundedJson } from '../common/bounded-json.ts';
import { statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { findDuplicateKey } from '../common/duplicate-key.ts';
import { readTextFile } from '../common/files/text-file.ts';
import { formatForError } from '../common/format-for-error.ts';
import { getJsonType, parseTypedText } from '../common/typed-text.ts';
import { formatHint, formatUnlessSecret } from './problems/problems.ts';
import { toEnvironmentName, toFlag, listVariables } from './settings/kinds/setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings/settings.ts';

/** A value that was given for a setting, not yet validated. */
export interface GivenValue {
  readonly value: unknown;
  /** The source of the value for error messages, such as `flag --rest-port`. */
  readonly source: string;
}

export interface SourceReading {
  readonly given: ReadonlyMap<SettingName, GivenValue>;
  readonly problems: readonly string[];
}

/** The values of each flag on the command line, in order. */
export type FlagTexts = ReadonlyMap<SettingName, readonly string[]>;

const CONFIG_FILE = 'sluice.config.json';
export const CONFIG_FILE_VARIABLE = 'SLUICE_CONFIG';

const MAX_FILE_BYTES = 1 << 20;

/** The environment variables of the project's scripts and examples, which the gateway ignores. */
const OTHER_VARIABLES = [
  ...['SLUICE_PUBLIC_PROGRAMS', 'SLUICE_URL', 'SLUICE_WALLET', 'SLUICE_PAYER', 'SLUICE_ADMIN_URL'],
  ...['SLUICE_LIQUIDATOR_KEY', 'SLUICE_LEAST_PROFIT'],
  ...['SLUICE_GRPC', 'SLUICE_MAKER_KEY', 'SLUICE_MAKER_ID', 'SLUICE_MAKER_WALLET', 'SLUICE_MAKER_PRICE'],
  ...['SLUICE_MAKER_SPREAD_BPS', 'SLUICE_MAKER_ACCEPTANCE', 'SLUICE_WEBHOOK_KEY', 'SLUICE_WEBHOOK_PORT'],
];

/** Kubernetes sets these in every container of a namespace with a service called `sluice`. */
const SERVICE_LINK = /^SLUICE_(SERVICE_(HOST|PORT(_\w+)?)|PORT(_\d+_(TCP|UDP)(_(PROTO|PORT|ADDR))?)?)$/;

export function readFlags(flags: FlagTexts): SourceReading {
  const problems: string[] = [];
  const given = new Map<SettingName, GivenValue>();
  for (const [name, texts] of flags) {
    const source = `flag ${toFlag(name)}`;
    const { schema, secret } = SETTINGS[name];
    if (getJsonType(schema) === 'array') given.set(name, { value: texts, source });
    else if (texts.length === 1) given.set(name, { value: settingValue(schema, texts[0] ?? ''), source });
    else {
      problems.push(
        `${name} was given ${texts.length} times by ${source}, as ${formatUnlessSecret(texts, secret)}; give it once`,
      );
    }
  }
  return { given, problems };
}

/** A variable that is empty counts as one that is not set, because programs that start others cannot always unset it. */
export function readEnvironment(environment: NodeJS.ProcessEnv): SourceReading {
  const given = new Map<SettingName, GivenValue>();
  for (const name of SETTING_NAMES) {
    const variable = listVariables(name, SETTINGS[name]).find((one) => isSet(environment[one]));
    const text = variable === undefined ? undefined : environment[variable];
    if (text === undefined) continue;
    const { schema } = SETTINGS[name];
    const value = getJsonType(schema) === 'array' ? splitList(text) : settingValue(schema, text);
    given.set(name, { value, source: `environment variable ${variable}` });
  }
  const known = [...SETTING_NAMES.map(toEnvironmentName), CONFIG_FILE_VARIABLE, ...OTHER_VARIABLES];
  const problems = Object.keys(environment)
    .filter(
      (name) =>
        isSet(environment[name]) &&
        name.startsWith('SLUICE_') &&
        !known.includes(name) &&
        !SERVICE_LINK.test(name),
    )
    .map((name) => `environment variable ${name} is not a setting${formatHint(name, known)}`);
  return { given, problems };
}

/**
 * Returns what was read, with the full path of the file; the path is null when there was no file.
 *
 * @param named - The file that a flag or the environment names; null: `sluice.config.json`, if it exists.
 */
export function readConfigFile(
  named: string | null,
  cwd: string,
): SourceReading & { readonly path: string | null } {
  const path = named === null ? join(cwd, CONFIG_FILE) : resolve(cwd, named);
  const reading = readJson(path);
  if (reading.kind === 'missing' && named === null) return { given: new Map(), problems: [], path: null };
  if (reading.kind !== 'read') return { given: new Map(), problems: [reading.problem], path };
  const given = new Map<SettingName, GivenValue>();
  const problems: string[] = [];
  for (const [name, value] of Object.entries(reading.object)) {
    if (isSettingName(name))
      given.set(name, { value: listed(SETTINGS[name].schema, value), source: `file ${path}` });
    else
      problems.push(
        `the key ${formatForError(name)} in file ${path} is not a setting${formatHint(name, SETTING_NAMES)}`,
      );
  }
  return { given, problems, path };
}

type JsonReading =
  | { readonly kind: 'read'; readonly object: object }
  | { readonly kind: 'missing' | 'unusable'; readonly problem: string };

function readJson(path: string): JsonReading {
  try {
    const { size } = statSync(path);
    if (size > MAX_FILE_BYTES) {
      return {
        kind: 'unusable',
        problem: `file ${path} has ${size} bytes, but may have at most ${MAX_FILE_BYTES}`,
      };
    }
    const text = readTextFile(path);
    const value = parseBoundedJson(text);
    const twice = findDuplicateKey(text);
    if (twice !== null) {
      return {
        kind: 'unusable',
        problem: `file ${path} has the key ${formatForError(twice)} twice; give it once`,
      };
    }
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { kind: 'read', object: value };
    return {
      kind: 'unusable',
      problem: `file ${path} must hold a JSON object`,
    };
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    return {
      kind: missing ? 'missing' : 'unusable',
      problem: `file ${path} ${describeFileError(error)}`,
    };
  }
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

/** Whether a variable has a value. */
export function isSet(text: string | undefined): text is string {
  return text !== undefined && text.trim() !== '';
}

function splitList(text: string): readonly string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '');
}

/** In a file, a text stands for a list with that one element. */
function listed(schema: object, value: unknown): unknown {
  return getJsonType(schema) === 'array' && typeof value === 'string' ? [value] : value;
}

/** The words for a boolean, whose case does not matter. */
const BOOLEANS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** Converts the text of a flag or variable to the type of its setting. Spaces around numbers and booleans do not matter. */
function settingValue(schema: object, text: string): unknown {
  const type = getJsonType(schema);
  if (type === 'string') return text;
  const trimmed = text.trim();
  const value = type === 'boolean' ? BOOLEANS.get(trimmed.toLowerCase()) : parseTypedText(schema, trimmed);
  return value === undefined || value === trimmed ? text : value;
}
