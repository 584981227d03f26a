import { useState } from 'react';
import { formatBytes } from '../../base/format-bytes.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Button } from '../../parts/button.tsx';
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx';
import { Panel } from '../../parts/page.tsx';
import { ErrorNote } from '../../parts/status.tsx';
import { canStreamToDisk, MAX_HELD_BYTES } from './backup-target.ts';
import type { BackupsView } from './backup-shape.ts';
import { type BackupProgress, useBackup } from './use-backup.ts';

/** Makes a backup now, says what is in it and what is not, and shows how far it is. */
export function MakeBackup({
  view,
  expectedBytes,
}: {
  readonly view: BackupsView;
  /** The size of the last backup. Null: there is none. */
  readonly expectedBytes: number | null;
}) {
  const { progress, start, cancel } = useBackup();
  const [isAsked, setIsAsked] = useState(false);
  const isRunning = progress.kind === 'running';
  const other = isRunning ? null : view.running;
  return (
    <Panel title="Make one now">
      <ul className="backups__facts">
        <li>
          It copies <code>{escapeInvisible(view.dataFolder)}</code>: {describeHeld(view)}
        </li>
        <li>
          It holds secrets: whoever has the file can call this instance as the operator, unless its secrets
          are settings. Keep it like a key.
        </li>
        {view.masterKey ? (
          <li>
            It does not hold the master key of vaults, without which the keys of vaults in it are lost. Keep a
            copy of that key apart.
          </li>
        ) : null}
        <li>
          {canStreamToDisk()
            ? 'This browser writes it straight to your disk.'
            : `This browser holds it in memory until it is complete, so it may have at most ${Math.round(MAX_HELD_BYTES / 2 ** 20)} MiB here. Larger ones: sluice backup.`}
        </li>
      </ul>
      <div className="backups__actions">
        {isRunning ? (
          <Button onClick={cancel}>Cancel</Button>
        ) : (
          <Button kind="primary" disabled={other !== null} onClick={() => setIsAsked(true)}>
            Make a backup
          </Button>
        )}
        {other === null ? null : (
          <span>
            {escapeInvisible(other.by)} is making one ({formatBytes(other.bytes)} so far). Only one is made at
            a time.
          </span>
        )}
      </div>
      <Progress progress={progress} expectedBytes={expectedBytes} />
      {isAsked ? (
        <ConfirmDialog
          title="Make a backup of this instance?"
          action="Make it"
          onConfirm={() => void start()}
          onClose={() => setIsAsked(false)}
        >
          <p>
            The file holds the secrets of this instance and every organisation’s data. The audit log will say
            that you made it.
          </p>
        </ConfirmDialog>
      ) : null}
    </Panel>
  );
}

function describeHeld({ database, ephemeral }: BackupsView): string {
  const held = database
    ? 'consistent copies of its databases, the network’s state, files of launches, and secrets.'
    : 'the network’s state and secrets. The database is on a server and not in it: back that one up with pg_dump, at about the same time.';
  return ephemeral ? `${held} This instance is ephemeral: the folder is removed when it ends.` : held;
}

function Progress({
  progress,
  expectedBytes,
}: {
  readonly progress: BackupProgress;
  readonly expectedBytes: number | null;
}) {
  if (progress.kind === 'none') return null;
  if (progress.kind === 'failed') return <ErrorNote error={progress.error} />;
  return (
    <div className="backups__progress">
      {progress.kind === 'running' ? (
        <progress
          aria-label="The backup"
          max={expectedBytes ?? undefined}
          value={shownValue(progress.bytes, expectedBytes)}
        />
      ) : null}
      <p role="status">{describeProgress(progress, expectedBytes)}</p>
    </div>
  );
}

/** The size is not known before the end, so the last backup's stands for it. Without one, the bar shows no share. */
function shownValue(bytes: number, expectedBytes: number | null): number | undefined {
  return expectedBytes === null ? undefined : Math.min(bytes, expectedBytes);
}

function describeProgress(
  progress: Exclude<BackupProgress, { kind: 'none' } | { kind: 'failed' }>,
  expectedBytes: number | null,
): string {
  if (progress.kind === 'saved')
    return `Saved: ${formatBytes(progress.bytes)}, complete. Check that it can be restored with sluice restore into an empty folder.`;
  if (progress.kind === 'canceled') return 'Canceled. Nothing was saved.';
  const last = expectedBytes === null ? '' : ` (the last one had ${formatBytes(expectedBytes)})`;
  if (progress.bytes === 0) return 'The databases are being copied …';
  return `${formatBytes(progress.bytes)} received${last} …`;
}
