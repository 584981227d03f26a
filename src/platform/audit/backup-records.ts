import type { Result } from '../../common/refusal.ts';
import type { Page, PageQuery } from '../requests/paging.ts';
import { type Actor, type ChangeDependencies, recordAction } from './audit.ts';
import { type AuditEntry, listAudit } from './audit-log.ts';

/** A backup of the data folder that was made, or that failed. */
export interface BackupRecord {
  /** The bytes of the archive that were sent. */
  readonly bytes: number;
  readonly durationMs: number;
  /** What the archive holds. Null when it failed before that was known. */
  readonly contents: { readonly files: number; readonly databases: readonly string[] } | null;
  /** Why it failed, in words. Null: it was sent to its end. */
  readonly failure: string | null;
}

/** A record with the entry of the audit log that it comes from. */
export interface BackupEntry extends BackupRecord {
  /** When it ended, in Unix milliseconds. */
  readonly at: number;
  readonly by: string;
  readonly from: string;
}

/** It has a space, so that no organisation can have this name and see the entries. */
const SUBJECT = 'data folder';
const MAX_FAILURE = 500;

/**
 * Writes that somebody made a backup, or tried to, because a backup holds the secrets of the data folder.
 *
 * @throws Unavailable when the database does not answer
 */
export async function recordBackup(
  platform: Pick<ChangeDependencies, 'store' | 'now'>,
  actor: Actor,
  { bytes, durationMs, contents, failure }: BackupRecord,
): Promise<void> {
  await recordAction(platform, actor, {
    action: failure === null ? 'backup.made' : 'backup.failed',
    subject: SUBJECT,
    before: null,
    after: {
      bytes,
      durationMs,
      ...(contents === null ? {} : { files: contents.files, databases: contents.databases }),
      ...(failure === null ? {} : { failure: failure.slice(0, MAX_FAILURE) }),
    },
  });
}

/** Returns a page of the backups that instances have recorded, newest first; a refusal when the cursor is invalid. */
export async function listBackups(
  platform: Pick<ChangeDependencies, 'store'>,
  query: PageQuery,
): Promise<Result<Page<BackupEntry>>> {
  const listed = await listAudit(platform, { ...query, action: 'backup' });
  if (!listed.ok) return listed;
  const { items, next } = listed.value;
  return { ok: true, value: { items: items.map(toBackupEntry), next } };
}

function toBackupEntry({ at, actor, origin, action, after }: AuditEntry): BackupEntry {
  const {
    bytes = 0,
    durationMs = 0,
    files,
    databases = [],
    failure,
  } = (after ?? {}) as Partial<{
    readonly bytes: number;
    readonly durationMs: number;
    readonly files: number;
    readonly databases: readonly string[];
    readonly failure: string;
  }>;
  return {
    at,
    by: actor,
    from: origin,
    bytes,
    durationMs,
    contents: files === undefined ? null : { files, databases },
    failure: action === 'backup.made' ? null : (failure ?? 'unknown'),
  };
}
