import { Link } from '@tanstack/react-router';
import { escapeInvisible } from '../../base/format-text.ts';
import { formatUtcTime } from '../../base/format-time.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { DataTable, type TableColumn } from '../../parts/data-table.tsx';
import { Panel } from '../../parts/page.tsx';
import { EmptyNote } from '../../parts/status.tsx';
import { TimeText } from '../../parts/time-text.tsx';
import type { SettingsView, SettingView } from './setting-shape.ts';
import { SettingValueText } from './setting-value.tsx';
import { describeSettingSource } from './setting-text.ts';

/** What a restart would change: of the settings, and of what else a start reads. */
export function RestartPanel({
  view,
  isReading,
  onRead,
}: {
  readonly view: SettingsView;
  readonly isReading: boolean;
  /** Called to have everything read again. */
  readonly onRead: () => void;
}) {
  const { problems, changes, settings, file, version, startedAt } = view;
  const changed = settings.filter(({ restart }) => restart !== null);
  const isNothing = problems.length === 0 && changes.length === 0 && changed.length === 0;
  return (
    <Panel
      title="What a restart would change"
      aside={
        <Button busy={isReading} onClick={onRead}>
          Read again
        </Button>
      }
    >
      {problems.length === 0 ? null : (
        <div className="settings__problems" role="alert">
          <p>
            <strong>A restart would be refused.</strong> Nothing happens to this process until then.
          </p>
          <ul>
            {problems.map((problem) => (
              <li key={problem}>{escapeInvisible(problem)}</li>
            ))}
          </ul>
        </div>
      )}
      {changed.length === 0 ? null : (
        <DataTable
          caption="Settings that a restart would change"
          columns={COLUMNS}
          rows={changed}
          rowKey={({ name }) => name}
        />
      )}
      {changes.length === 0 ? null : (
        <ul className="settings__changes">
          {changes.map(({ kind, subject, text, at }) => (
            <li key={`${kind} ${subject} ${text}`}>
              <Badge tone={kind === 'fault' || kind === 'schema' ? 'danger' : 'warning'}>
                {escapeInvisible(subject)}
              </Badge>
              <span>
                {escapeInvisible(text)}
                {at === null ? null : <span className="settings__muted"> {formatUtcTime(at)}</span>}
              </span>
            </li>
          ))}
        </ul>
      )}
      {isNothing ? (
        <EmptyNote>
          Nothing. With the same command and variables, this instance would come up as it is now.
        </EmptyNote>
      ) : null}
      <dl className="settings__facts">
        <div>
          <dt>Running since</dt>
          <dd>
            <TimeText at={startedAt} />
          </dd>
        </div>
        <div>
          <dt>Version</dt>
          <dd>
            {escapeInvisible(version.running)}
            <span className="settings__muted">
              {version.onDisk === version.running
                ? 'the same on disk'
                : `on disk: ${version.onDisk === null ? 'not found' : escapeInvisible(version.onDisk)}`}
            </span>
          </dd>
        </div>
        <div>
          <dt>Configuration file</dt>
          <dd>
            <code>{escapeInvisible(file.path)}</code>
            <span className="settings__muted">{describeFile(file)}</span>
          </dd>
        </div>
      </dl>
      <p className="settings__muted">
        Flags and variables are those of this process. A service or a container that was changed may start it
        with others, which this page cannot see.
      </p>
    </Panel>
  );
}

const FILE_STATES: Readonly<Record<string, string>> = {
  absent: 'there is none, now and at the start',
  unchanged: 'not written since the start',
  written: 'written since the start',
  appeared: 'there was none at the start',
  gone: 'it was there at the start',
};

function describeFile({ state, writtenAt }: SettingsView['file']): string {
  const text = FILE_STATES[state] ?? escapeInvisible(state);
  return state === 'written' && writtenAt !== null ? `${text}, ${formatUtcTime(writtenAt)}` : text;
}

const COLUMNS: readonly TableColumn<SettingView>[] = [
  {
    heading: 'Setting',
    cell: ({ name }) => (
      <Link to="." search={{ filter: name } as never}>
        {escapeInvisible(name)}
      </Link>
    ),
  },
  {
    heading: 'Now',
    cell: (setting) => (
      <Valued setting={setting} value={setting.value} isSet={setting.isSet} source={setting.source} />
    ),
  },
  {
    heading: 'After a restart',
    cell: (setting) =>
      setting.restart === null ? null : (
        <>
          <Valued setting={setting} {...setting.restart} />
          <span className="settings__muted">{describeChange(setting)}</span>
        </>
      ),
  },
];

function Valued({
  setting,
  value,
  isSet,
  source,
}: {
  readonly setting: SettingView;
  readonly value: SettingView['value'];
  readonly isSet: boolean;
  readonly source: SettingView['source'];
}) {
  return (
    <div className="settings__cell">
      <SettingValueText value={value} isSet={isSet} kind={setting.kind} />
      <span className="settings__muted">{describeSettingSource(source)}</span>
    </div>
  );
}

function describeChange({ restart, secret }: SettingView): string {
  if (restart?.change === 'unknown')
    return 'The file was written since. Whether the secret in it is the same is not told.';
  if (restart?.change !== 'source') return '';
  return secret
    ? 'It comes from elsewhere. Whether it is the same is not told.'
    : 'The same value, from elsewhere.';
}
