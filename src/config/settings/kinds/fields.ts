import type { Static } from 'typebox';
import type { Setting } from './setting.ts';

type AnySetting = Pick<Setting, 'schema' | 'field'> & {
  readonly convert: (value: never, cwd: string) => unknown;
};

/** Several settings by their names. */
export type SettingTable = Readonly<Record<string, AnySetting>>;

/** The values that are given for the settings of a table, by the names of the settings. */
export type SettingValues<Table extends SettingTable> = {
  readonly [Name in keyof Table]: Static<Table[Name]['schema']>;
};

type CamelCase<Name> = Name extends `${infer Head}-${infer Tail}`
  ? `${Head}${Capitalize<CamelCase<Tail>>}`
  : Name;

type FieldOf<Name, One extends AnySetting> = One['field'] extends string
  ? One['field']
  : One['field'] extends null
    ? never
    : CamelCase<Name>;

/** The fields of the configuration that a table of settings has. */
export type SettingFields<Table extends SettingTable> = {
  readonly [Name in keyof Table as FieldOf<Name, Table[Name]>]: ReturnType<Table[Name]['convert']>;
};

/**
 * Converts the values of a table's settings to the fields that the settings declare.
 *
 * @param values - Accepted values, also of other settings.
 * @param cwd - The folder from which relative paths start.
 */
export function toFields<Table extends SettingTable>(
  table: Table,
  values: SettingValues<Table>,
  cwd: string,
): SettingFields<Table> {
  const fields: Record<string, unknown> = {};
  for (const [name, { field, convert }] of Object.entries(table)) {
    if (field === null) continue;
    fields[field ?? toCamelCase(name)] = convert(values[name] as never, cwd);
  }
  return fields as SettingFields<Table>;
}

function toCamelCase(name: string): string {
  return name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase());
}
