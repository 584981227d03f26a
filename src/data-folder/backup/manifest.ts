import { OperatorError } from '../../operator-error.ts';

/** The first file of a backup: what it is, and who could read it. */
export interface Manifest {
  readonly format: number;
  /** Of the program that wrote it. */
  readonly version: string;
  /** Of the database in it. */
  readonly schemaVersion: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export const MANIFEST_NAME = 'sluice-backup.json';
export const BACKUP_FORMAT = 1;
export const LARGEST_MANIFEST = 4_096;

/**
 * @param newest the newest schema that this program knows
 * @throws OperatorError when it is none, or of a newer program
 */
export function parseManifest(text: string, newest: number): Manifest {
  const { format, version, schemaVersion, createdAt } = objectOf(text);
  if (typeof format !== 'number' || typeof schemaVersion !== 'number' || typeof createdAt !== 'number') {
    throw new OperatorError(`the file is no whole backup: ${MANIFEST_NAME} in it says nothing`);
  }
  if (format > BACKUP_FORMAT || schemaVersion > newest) {
    throw new OperatorError(
      `the backup is of Sluice ${String(version)}, with format ${format} and schema version ${schemaVersion}, and this program knows versions up to ${BACKUP_FORMAT} and ${newest}; run a newer Sluice`,
    );
  }
  return { format, version: String(version), schemaVersion, createdAt };
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
