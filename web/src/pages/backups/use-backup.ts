import { useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { openAdminStream } from '../../api/admin-stream.ts';
import { chooseBackupTarget } from './backup-target.ts';
import { type ReceivedBackup, receiveBackup } from './receive-backup.ts';

/** The backup that this page makes. */
export type BackupProgress =
  | { readonly kind: 'none' }
  | { readonly kind: 'running'; readonly bytes: number; readonly streams: boolean }
  | ReceivedBackup;

/** The key of what the list of backups is kept under. */
export const BACKUPS_KEY = 'backups';
/** How often the number of bytes is shown again, so that a fast disk does not draw the page for each piece. */
const SHOWN_MS = 200;

/** Makes a backup and saves it. It ends with the page. */
export function useBackup() {
  const client = useQueryClient();
  const [progress, setProgress] = useState<BackupProgress>({ kind: 'none' });
  const abort = useRef<AbortController | null>(null);
  useEffect(() => () => abort.current?.abort(), []);
  const start = useCallback(async () => {
    // From here on leaving the page ends it: the browser may ask for long where to save.
    const controller = new AbortController();
    abort.current = controller;
    try {
      const target = await chooseBackupTarget(nameBackup(new Date()));
      if (target === null) return;
      if (controller.signal.aborted) return await target.discard();
      setProgress({ kind: 'running', bytes: 0, streams: target.streams });
      let shownAt = 0;
      const received = await receiveBackup(
        () => openAdminStream('/admin/v1/backup', { method: 'POST', signal: controller.signal }),
        target,
        controller.signal,
        (bytes) => {
          const now = performance.now();
          if (now - shownAt < SHOWN_MS) return;
          shownAt = now;
          setProgress({ kind: 'running', bytes, streams: target.streams });
        },
      );
      setProgress(received);
    } catch (error) {
      setProgress({ kind: 'failed', error });
    } finally {
      abort.current = null;
      void client.invalidateQueries({ queryKey: [BACKUPS_KEY] });
    }
  }, [client]);
  const cancel = useCallback(() => abort.current?.abort(), []);
  return { progress, start, cancel };
}

/** Returns a name that sorts by time, without characters that a file system refuses. */
export function nameBackup(at: Date): string {
  return `sluice-${at.toISOString().slice(0, 19).replaceAll(':', '-')}Z.tgz`;
}
