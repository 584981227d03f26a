import { type Static, Type } from 'typebox';

const Text = (description: string) => Type.Union([Type.String(), Type.Null()], { description });
const Time = (description: string) => Type.Union([Type.Integer(), Type.Null()], { description });

const value = (description: string) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Array(Type.String()), Type.Null()], {
    description,
  });

const Source = Type.Object(
  {
    kind: Type.Enum(['flag', 'variable', 'file', 'default']),
    name: Type.String({
      description: 'The flag, the variable or the path of the file; empty for the default.',
    }),
  },
  { description: 'Where the value comes from.' },
);

const SettingAnswer = Type.Object({
  name: Type.String(),
  group: Type.String({ description: 'What it is about.' }),
  docs: Type.String({ description: 'The page of the documentation about its group.' }),
  description: Type.String(),
  allowed: Type.String({ description: 'The values that it may have.' }),
  kind: Type.Enum(['text', 'number', 'switch', 'list']),
  flag: Type.String(),
  variables: Type.Array(Type.String(), { description: 'The first one that is set counts.' }),
  secret: Type.Boolean({ description: 'Whether its value is never shown.' }),
  value: value('The value of this process. Null: a secret.'),
  isSet: Type.Boolean({ description: 'Whether the value is another one than the default.' }),
  source: Source,
  default: value('The value when nothing is given.'),
  inForce: Text(
    'What holds in this process where the value does not say it, such as the port that the system chose; null: the value does.',
  ),
  restart: Type.Union(
    [
      Type.Object({
        change: Type.Enum(['value', 'source', 'unknown'], {
          description:
            '`value`: another value. `source`: it would come from elsewhere, with the same value, or it is a secret. `unknown`: a secret in a file that was written since; whether it is the same is not told.',
        }),
        value: value('The value after a restart. Null: a secret.'),
        isSet: Type.Boolean(),
        source: Source,
      }),
      Type.Null(),
    ],
    { description: 'What a restart would change of it; null: nothing, or the settings cannot be read now.' },
  ),
});

const Change = Type.Object({
  kind: Type.Enum(['version', 'schema', 'file', 'fault'], {
    description:
      '`version`: the program on disk. `schema`: the tables of the database. `file`: a file that is read at the start only. `fault`: a file that a start could not use.',
  }),
  subject: Type.String({ description: 'The setting that names the file, or what it is about.' }),
  text: Type.String({ description: 'What a restart would do, as a sentence.' }),
  at: Time('Unix milliseconds at which the file was written; null: unknown.'),
});

export const SettingsAnswer = Type.Object({
  startedAt: Type.Integer({ description: 'Unix milliseconds at which this process read its settings.' }),
  readAt: Type.Integer({
    description: 'Unix milliseconds at which everything was read again for this answer.',
  }),
  version: Type.Object({
    running: Type.String(),
    onDisk: Text('The version that a restart would run; null: it cannot be read.'),
  }),
  file: Type.Object(
    {
      path: Type.String({ description: 'Where the configuration file is, or would be looked for.' }),
      state: Type.Enum(['absent', 'unchanged', 'written', 'appeared', 'gone'], {
        description: '`written`: since the start. Its content may be the same.',
      }),
      writtenAt: Time('Unix milliseconds; null: there is no file.'),
    },
    { description: 'The configuration file. A restart by another command may name another one.' },
  ),
  problems: Type.Array(Type.String(), {
    description:
      'Why the next start would be refused by its settings, as `sluice start` would print it: at most 50. While there are any, no setting has `restart`.',
  }),
  changes: Type.Array(Change, { description: 'What else a restart would change.' }),
  settings: Type.Array(SettingAnswer),
});

export type SettingsReportAnswer = Static<typeof SettingsAnswer>;
export type SettingLine = Static<typeof SettingAnswer>;
export type RestartChange = Static<typeof Change>;
