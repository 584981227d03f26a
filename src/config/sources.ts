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

export const CONFIG_FILE_VARIABLE = 'SLUICE_CONFIG';

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
