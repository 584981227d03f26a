import { OperatorError } from '../../common/operator-error.ts';

/** The newest versions of the databases that this program can read. */
export type KnownVersions = Pick<Manifest, 'schemaVersion' | 'logVersion'>;

/** The first file of a backup: its format, and the versions of what it holds. */
export interface Manifest {
  readonly format: number;
  /** Version of the program that wrote it. */
  readonly version: string;
  /** Versions of the databases in it; 0 when there is none. */
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
  // The first backups did not state the version of the log.
  const { format, version, schemaVersion, logVersion = 0, createdAt } = objectOf(text);
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

function objectOf(text: string): Partial<Record<keyof Manifest, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Reported below.
  }
  throw new OperatorError(`the file is not a complete backup: its ${MANIFEST_NAME} is not JSON`);
}
