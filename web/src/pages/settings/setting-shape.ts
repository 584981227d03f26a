import { ShapeError, type ShapeValue, shape } from '../../base/json-shape.ts';

export type SettingValue = string | number | boolean | readonly string[] | null;

function readValue(value: unknown): SettingValue {
  if (value === null || ['string', 'number', 'boolean'].includes(typeof value)) return value as SettingValue;
  if (Array.isArray(value)) return shape.list(shape.text)(value);
  throw new ShapeError('no value of a setting');
}

const readSource = shape.object({ kind: shape.text, name: shape.text });

const readSetting = shape.object({
  name: shape.text,
  group: shape.text,
  docs: shape.text,
  description: shape.text,
  allowed: shape.text,
  kind: shape.text,
  flag: shape.text,
  variables: shape.list(shape.text),
  secret: shape.flag,
  value: readValue,
  isSet: shape.flag,
  source: readSource,
  default: readValue,
  inForce: shape.nullable(shape.text),
  restart: shape.nullable(
    shape.object({ change: shape.text, value: readValue, isSet: shape.flag, source: readSource }),
  ),
});

/** Reads the settings of an instance, and what a restart would change. */
export const readSettings = shape.object({
  startedAt: shape.number,
  readAt: shape.number,
  version: shape.object({ running: shape.text, onDisk: shape.nullable(shape.text) }),
  file: shape.object({ path: shape.text, state: shape.text, writtenAt: shape.nullable(shape.number) }),
  problems: shape.list(shape.text),
  changes: shape.list(
    shape.object({
      kind: shape.text,
      subject: shape.text,
      text: shape.text,
      at: shape.nullable(shape.number),
    }),
  ),
  settings: shape.list(readSetting),
});

export type SettingView = ShapeValue<typeof readSetting>;
export type SettingSourceView = ShapeValue<typeof readSource>;
export type SettingsView = ShapeValue<typeof readSettings>;
