import { Type } from 'typebox';
import { MAX_PAGE } from '../../../platform/requests/paging.ts';

export const BackupsQuery = Type.Object(
  {
    limit: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: MAX_PAGE,
        description: 'The most backups in the answer. Default: 100.',
      }),
    ),
    cursor: Type.Optional(
      Type.String({ maxLength: 500, description: 'The `next` of the page before. Default: the first page.' }),
    ),
  },
  { additionalProperties: false },
);

const by = {
  by: Type.String({ description: 'Who asked for it, as in the audit log.' }),
  from: Type.String({ description: 'The address from which it was asked for.' }),
};
const bytes = Type.Integer({ description: 'Bytes of the archive that were sent.' });

const Backup = Type.Object({
  at: Type.Integer({ description: 'Unix milliseconds at which it ended.' }),
  ...by,
  outcome: Type.Union([Type.Literal('made'), Type.Literal('failed')], {
    description:
      '`made`: the whole archive was handed to the connection. Whether it arrived, only its receiver knows.',
  }),
  bytes,
  durationMs: Type.Integer(),
  files: Type.Union([Type.Integer(), Type.Null()], {
    description: 'How many files are in it; null: it failed before that was known.',
  }),
  databases: Type.Array(Type.String(), {
    description: 'The files of the databases in it. None when they are on a server: see `database`.',
  }),
  failure: Type.Union([Type.String(), Type.Null()], { description: 'Why it failed; null: it did not.' }),
});

export const BackupsAnswer = Type.Object({
  running: Type.Union(
    [
      Type.Object({
        ...by,
        startedAt: Type.Integer({ description: 'Unix milliseconds.' }),
        bytes,
      }),
      Type.Null(),
    ],
    { description: 'The backup that this instance is making; null: none. Only one is made at a time.' },
  ),
  dataFolder: Type.String({ description: 'The folder that a backup copies.' }),
  ephemeral: Type.Boolean({ description: 'Whether the folder is removed when the instance ends.' }),
  database: Type.Boolean({
    description:
      'Whether a backup holds the database. It does not when `database-url` is set: back that one up with `pg_dump`.',
  }),
  masterKey: Type.Boolean({
    description:
      'Whether this instance has the master key of vaults, which no backup holds and without which their keys are lost.',
  }),
  backups: Type.Array(Backup, {
    description: 'The backups that instances of this database have made, newest first.',
  }),
  next: Type.Union([Type.String(), Type.Null()], {
    description: 'Cursor of the next page; null: there is none.',
  }),
});
