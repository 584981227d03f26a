import './settings.css';
import { useQuery } from '@tanstack/react-query';
import { callAdmin } from '../../api/admin.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { ErrorNote, Loading } from '../../parts/status.tsx';
import { CopyPanel } from './copy-panel.tsx';
import { RestartPanel } from './restart-panel.tsx';
import { SettingList } from './setting-list.tsx';
import { readSettings } from './setting-shape.ts';

const REFRESH_MS = 10_000;

/** Settings of the instance: what holds, where each comes from, and what a restart would change. */
export function SettingsPage() {
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Settings"
      lead="What this instance was started with and where each value comes from. Settings change with a restart, so this page changes none: it says what the next one would do."
      what="The settings of this instance"
    >
      <Settings />
    </ManageFrame>
  );
}

function Settings() {
  const generation = useCredentialGeneration();
  const { data, error, refetch, isFetching } = useQuery({
    queryKey: ['settings', generation],
    queryFn: async () => readAnswer('the settings', readSettings, await callAdmin('/admin/v1/settings')),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined)
    return error === null ? (
      <Loading what="the settings" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  return (
    <div className="settings">
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <RestartPanel view={data} isReading={isFetching} onRead={() => void refetch()} />
      <SettingList settings={data.settings} />
      <CopyPanel settings={data.settings} />
    </div>
  );
}
