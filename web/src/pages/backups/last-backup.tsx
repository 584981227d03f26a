import { formatBytes } from '../../base/format-bytes.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatDistance } from '../../base/format-distance.ts';
import { formatBriefDuration, formatUtcTime } from '../../base/format-time.ts';
import { Stat, StatList } from '../../parts/stat.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import { useMinuteClock } from '../../parts/use-minute-clock.ts';
import type { BackupLine } from './backup-shape.ts';

const OLD_MS = 7 * 86_400_000;

/** When the last backup was made, how large it is and who made it. */
export function LastBackup({
  backups,
  hasMore,
}: {
  readonly backups: readonly BackupLine[];
  readonly hasMore: boolean;
}) {
  const now = useMinuteClock();
  const last = backups.find(({ failure }) => failure === null);
  const [newest] = backups;
  if (last === undefined)
    return (
      <EmptyNote>
        <p>
          {hasMore
            ? 'None of the newest tries was completed.'
            : 'No backup was made yet. If the disk of this instance is lost, so are its keys, organisations, orders and secrets.'}
        </p>
        <p>Make one below, and let a timer run sluice backup every day.</p>
      </EmptyNote>
    );
  const isOld = now - last.at > OLD_MS;
  return (
    <>
      <StatList>
        <Stat
          label="When"
          value={formatDistance(last.at, now)}
          note={formatUtcTime(last.at)}
          tone={isOld ? 'warning' : 'good'}
        />
        <Stat
          label="How large"
          value={formatBytes(last.bytes)}
          note={last.files === null ? undefined : `${last.files} files, compressed`}
        />
        <Stat label="Who" value={escapeInvisible(last.by)} note={`from ${escapeInvisible(last.from)}`} />
        <Stat label="How long it took" value={formatBriefDuration(last.durationMs)} />
      </StatList>
      {isOld ? (
        <p className="backups__note">
          It is more than a week old. What was changed since would be lost with the disk.
        </p>
      ) : null}
      {newest !== undefined && newest.failure !== null ? (
        <p className="backups__note">
          A later try failed {formatDistance(newest.at, now)}: {escapeInvisible(newest.failure)}.
        </p>
      ) : null}
    </>
  );
}
