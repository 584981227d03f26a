import { jsonTypeOf } from '../common/typed-text.ts';
import { defaultOf, type LoadedSettings } from './load.ts';
import { flagOf, type Setting, variablesOf } from './settings/setting.ts';
import { SETTING_NAMES, SETTINGS, type SettingName } from './settings/settings.ts';

const MASK = '********';

/** What `sluice config` prints: a line per setting with its value and where it came from, secrets masked. */
export function renderEffective({ settings, sources }: LoadedSettings): string {
  const rows = SETTING_NAMES.map((name) => {
    const secret = SETTINGS[name].secret && settings[name] !== defaultOf(SETTINGS[name] as Setting);
    return [name, secret ? MASK : JSON.stringify(settings[name]), sources[name]];
  });
  return renderTable([['setting', 'value', 'from'], ...rows]);
}

/** The flags section of `--help`. */
export function renderFlags(names: readonly SettingName[]): string {
  return names
    .map((name) => {
      const { allowed } = SETTINGS[name];
      const kind = isBoolean(name) ? '' : ` <${allowed}>`;
      return `  ${flagOf(name)}${kind}\n      ${descriptionOf(name)} Default: ${shownDefault(name)}.`;
    })
    .join('\n');
}

/** docs/configuration.md. */
export function renderMarkdown(): string {
  const rows = SETTING_NAMES.map((name) => {
    const { allowed, secret } = SETTINGS[name];
    const cells = [
      `\`${name}\``,
      `\`${flagOf(name)}\``,
      variablesOf(name, SETTINGS[name])
        .map((variable) => `\`${variable}\``)
        .join(' or '),
      `\`${shownDefault(name)}\``,
      `${allowed}${secret ? ' (secret)' : ''}`,
      descriptionOf(name),
    ];
    return `| ${cells.join(' | ')} |`;
  });
  return [
    '# Configuration',
    '',
    '<!-- Written by `npm run docs:configuration` from src/config/settings/settings.ts; a test compares the two. -->',
    '',
    'A flag wins over the environment, the environment over the file, the file over the default. The file is',
    '`sluice.config.json` in the working directory, or the one that `--config` or `SLUICE_CONFIG` names: one JSON',
    'object whose keys are the settings below. Relative paths start from the working directory.',
    '',
    'Everything is checked at start, in every source; what is wrong is told all at once, and an unknown setting is',
    'refused. `sluice config` shows the effective values and where each came from.',
    '',
    'A setting that is repeatable is a flag given several times, a comma-separated variable, or a JSON array. A',
    'flag without a value sets `true`, and `--no-` before its name `false`, where those are what is allowed.',
    '',
    '| setting | flag | variable | default | allowed | what it is |',
    '|---|---|---|---|---|---|',
    ...rows,
    '',
  ].join('\n');
}

function descriptionOf(name: SettingName): string {
  const { schema } = SETTINGS[name];
  return 'description' in schema ? String(schema.description) : '';
}

export function isBoolean(name: SettingName): boolean {
  return jsonTypeOf(SETTINGS[name].schema) === 'boolean';
}

function shownDefault(name: SettingName): string {
  const value = defaultOf(SETTINGS[name] as Setting);
  if (Array.isArray(value) || value === '') return 'none';
  return String(value);
}

/** What moves a cursor, hides or turns text round; whoever sends a request can have it shown in a list. */
const UNPRINTABLE = /\p{C}/gu;

/** Columns as wide as their widest cell; the first row is the heading. Characters that are no text are shown as such. */
export function renderTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => cell.replace(UNPRINTABLE, '\uFFFD').padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  return `${rows.map(line).join('\n')}\n`;
}
