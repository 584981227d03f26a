import { listBackups } from '../../../platform/audit/backup-records.ts';
import type { PlatformDependencies } from '../../../platform/dependencies.ts';
import { unwrapResult } from '../access/unwrap-result.ts';
import { defineAdminEndpoint, StreamedAnswer } from '../endpoint/admin-endpoint.ts';
import * as shape from './backup-schema.ts';
import type { Backups } from './backups.ts';

/** Long enough to send a large folder over a slow connection. */
const TIMEOUT_MS = 60 * 60 * 1_000;

/** What a backup of this instance holds and does not hold. */
export interface BackupFacts {
  /** Path of the data folder. */
  readonly dataFolder: string;
  /** Whether the folder is removed at the end. */
  readonly ephemeral: boolean;
  /** Whether a backup holds the database. */
  readonly database: boolean;
  /** Whether the instance has the master key of vaults, which no backup holds. */
  readonly masterKey: boolean;
}

interface BackupServices {
  readonly platform: Pick<PlatformDependencies, 'store'>;
  readonly backups: Backups;
  readonly facts: BackupFacts;
}

const make = defineAdminEndpoint({
  method: 'POST',
  path: '/admin/v1/backup',
  timeoutMs: TIMEOUT_MS,
  summary: 'A consistent copy of the data folder, as a gzipped tar; it holds its secrets',
  responses: {},
  handle: async ({ backups }: BackupServices, { actor, log }) => {
    const archive = await backups.begin(actor);
    log.info({ who: actor.who, from: actor.from }, 'a backup is made');
    // The backup also ends when its client leaves, so that it does not block the next one.
    return new StreamedAnswer('application/gzip', archive, () => archive.destroy());
  },
});

const list = defineAdminEndpoint({
  method: 'GET',
  path: '/admin/v1/backups',
  summary: 'The backups that were made or failed, newest first, and what a backup holds',
  description:
    'The audit log has each of them as `backup.made` or `backup.failed`. A backup of a folder whose instance was stopped is not in it.',
  query: shape.BackupsQuery,
  responses: { 200: shape.BackupsAnswer },
  handle: async ({ platform, backups, facts }: BackupServices, { query }) => {
    const { items, next } = unwrapResult(await listBackups(platform, query));
    const { running } = backups;
    return {
      running:
        running === null
          ? null
          : {
              by: running.actor.who,
              from: running.actor.from,
              startedAt: running.startedAt,
              bytes: running.bytes,
            },
      ...facts,
      backups: items.map(({ contents, failure, ...rest }) => ({
        ...rest,
        outcome: failure === null ? ('made' as const) : ('failed' as const),
        files: contents?.files ?? null,
        databases: [...(contents?.databases ?? [])],
        failure,
      })),
      next,
    };
  },
});

/** Backups of the data folder: one archive each, made while the instance runs. */
export const BACKUP_ENDPOINTS = [make, list];
