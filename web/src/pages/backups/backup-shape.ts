import { type ShapeValue, shape } from '../../base/json-shape.ts';

const readBackup = shape.object({
  at: shape.number,
  by: shape.text,
  from: shape.text,
  outcome: shape.text,
  bytes: shape.number,
  durationMs: shape.number,
  files: shape.nullable(shape.number),
  databases: shape.list(shape.text),
  failure: shape.nullable(shape.text),
});

/** Reads the backups of an instance, and what a backup of it holds. */
export const readBackups = shape.object({
  running: shape.nullable(
    shape.object({ by: shape.text, from: shape.text, startedAt: shape.number, bytes: shape.number }),
  ),
  dataFolder: shape.text,
  ephemeral: shape.flag,
  database: shape.flag,
  masterKey: shape.flag,
  backups: shape.list(readBackup),
  next: shape.nullable(shape.text),
});

export type BackupLine = ShapeValue<typeof readBackup>;
export type BackupsView = ShapeValue<typeof readBackups>;
