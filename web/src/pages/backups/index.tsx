import './backups.css';
import { useInfiniteQuery } from '@tanstack/react-query';
import { callAdmin } from '../../api/admin.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { Button } from '../../parts/button.tsx';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { Panel } from '../../parts/page.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { BackupList } from './backup-list.tsx';
import { type BackupsView, readBackups } from './backup-shape.ts';
import { LastBackup } from './last-backup.tsx';
import { MakeBackup } from './make-backup.tsx';
import { RestoreNote } from './restore-note.tsx';
import { BACKUPS_KEY } from './use-backup.ts';

const PAGE = 50;
const RUNNING_MS = 1_000;
const IDLE_MS = 30_000;

/** Backups of the instance: when the last one was made, one more, and how to use it. */
export function BackupsPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Backups"
      lead="A backup is one file with everything that this instance keeps in its data folder. It is made while the instance goes on answering."
      what="The backups of this instance"
    >
      <Backups />
    </ManageFrame>
  );
}

function Backups() {
  const generation = useCredentialGeneration();
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: [BACKUPS_KEY, generation],
    queryFn: ({ pageParam }) => readPage(pageParam),
    initialPageParam: '',
    getNextPageParam: (page: BackupsView) => page.next,
    refetchInterval: ({ state }) => (state.data?.pages[0]?.running == null ? IDLE_MS : RUNNING_MS),
  });
  const first = data?.pages[0];
  if (data === undefined || first === undefined)
    return error === null ? (
      <Loading what="the backups" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const backups = data.pages.flatMap((page) => page.backups);
  return (
    <div className="backups">
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <Panel title="The last backup">
        <LastBackup backups={backups} hasMore={hasNextPage} />
      </Panel>
      <MakeBackup view={first} expectedBytes={backups.find(isMade)?.bytes ?? null} />
      <Panel title="Backups so far">
        <BackupList backups={backups} />
        {hasNextPage ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older ones
          </Button>
        ) : null}
      </Panel>
      <RestoreNote view={first} />
    </div>
  );
}

function isMade({ failure }: BackupsView['backups'][number]): boolean {
  return failure === null;
}

async function readPage(cursor: string): Promise<BackupsView> {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor === '' ? {} : { cursor }) });
  return readAnswer('the backups', readBackups, await callAdmin(`/admin/v1/backups?${query}`));
}
