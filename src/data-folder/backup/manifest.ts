import { OperatorError } from '../../common/operator-error.ts';

/** The newest versions of the databases that a program knows. */
export type KnownVersions = Pick<Manifest, 'schemaVersion' | 'logVersion'>;

/** The first file of a backup: what it is, and who could read it. */
export interface Manifest {
  readonly format: number;
  /** Of the program that wrote it. */
  readonly version: string;
  /** Of the databases in it; 0: there is none. */
  readonly schemaVersion: number;
  readonly logVersion: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export const MANIFEST_NAME = 'sluice-backup.json';
export const BACKUP_FORMAT = 1;
export const MAX_MANIFEST_BYTES = 4_096;

/** @throws OperatorError when it is none, or of a newer program */
export function parseManifest(text: string, newest: KnownVersions): Manifest {
  // The first backups had no version of the log.
  const { format, version, schemaVersion, logVersion = 0, createdAt } = objectOf(text);
  if (
    typeof format !== 'number' ||
    typeof schemaVersion !== 'number' ||
    typeof logVersion !== 'number' ||
    typeof createdAt !== 'number'
  ) {
    throw new OperatorError(`the file is no whole backup: ${MANIFEST_NAME} in it says nothing`);
  }
  if (format > BACKUP_FORMAT || schemaVersion > newest.schemaVersion || logVersion > newest.logVersion) {
    throw new OperatorError(
      `the backup is of Sluice ${String(version)}, with format ${format} and schema versions ${schemaVersion} and, of the request log, ${logVersion}, and this program knows versions up to ${BACKUP_FORMAT}, ${newest.schemaVersion} and ${newest.logVersion}; run a newer Sluice`,
    );
  }
  return { format, version: String(version), schemaVersion, logVersion, createdAt };
}

function objectOf(text: string): Partial<Record<keyof Manifest, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null) return value;
  } catch {
    // Told below.
  }
  throw new OperatorError(`the file is no whole backup: ${MANIFEST_NAME} in it is no JSON`);
}
