import { OperatorError } from '../../common/operator-error.ts';

/** The newest versions of the databases that this program can read. */
export type KnownVersions = Pick<Manifest, 'schemaVersion' | 'logVersion'>;

/** The first file of a backup, with the versions of its format and contents. */
export interface Manifest {
  readonly format: number;
  /** The version of the program that wrote it. */
  readonly version: string;
  /** The version of the database's schema, like the next one. 0 when the backup does not contain the database. */
  readonly schemaVersion: number;
  readonly logVersion: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export const MANIFEST_NAME = 'sluice-backup.json';
export const BACKUP_FORMAT = 1;
export const MAX_MANIFEST_BYTES = 4_096;

/** @throws OperatorError when the text is not a manifest, or was written by a newer version. */
export function parseManifest(text: string, newest: KnownVersions): Manifest {
  // Backups of early versions do not contain the version of the log.
  const { format, version, schemaVersion, logVersion = 0, createdAt } = parseManifestObject(text);
  if (
    typeof format !== 'number' ||
    typeof schemaVersion !== 'number' ||
    typeof logVersion !== 'number' ||
    typeof createdAt !== 'number'
  ) {
    throw new OperatorError(`the file is not a complete backup: its ${MANIFEST_NAME} lacks a field`);
  }
  if (format > BACKUP_FORMAT || schemaVersion > newest.schemaVersion || logVersion > newest.logVersion) {
    throw new OperatorError(
      `the backup was written by Sluice ${String(version)} with format ${format}, schema version ${schemaVersion} and request log version ${logVersion}, but this program knows versions up to ${BACKUP_FORMAT}, ${newest.schemaVersion} and ${newest.logVersion}; run a newer Sluice`,
    );
  }
  return { format, version: String(version), schemaVersion, logVersion, createdAt };
}

function parseManifestObject(text: string): Partial<Record<keyof Manifest, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new OperatorError(`the file is not a complete backup: its ${MANIFEST_NAME} is not JSON`);
}
