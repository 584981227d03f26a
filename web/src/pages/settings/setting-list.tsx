import { useMemo } from 'react';
import { escapeInvisible } from '../../base/format-text.ts';
import { Badge } from '../../parts/badge.tsx';
import { ChoiceBar } from '../../parts/choice-bar.tsx';
import { Disclosure } from '../../parts/disclosure.tsx';
import { Field } from '../../parts/field.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { Panel } from '../../parts/page.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { EmptyNote } from '../../parts/status.tsx';
import type { SettingView } from './setting-shape.ts';
import { SettingValueText } from './setting-value.tsx';
import {
  describeSettingSource,
  filterSettings,
  formatSettingValue,
  groupSettings,
  type SettingChoice,
} from './setting-text.ts';

const CHOICES: readonly (readonly [SettingChoice, string])[] = [
  ['all', 'All'],
  ['changed', 'Given'],
];

/** Every setting by its group, with a filter that stands in the address. */
export function SettingList({ settings }: { readonly settings: readonly SettingView[] }) {
  const [search, changeSearch] = usePageSearch();
  const { filter = '', group = '' } = search;
  const choice: SettingChoice = search.show === 'changed' ? 'changed' : 'all';
  const groups = useMemo(() => [...groupSettings(settings).keys()].sort(), [settings]);
  const shown = useMemo(
    () => filterSettings(settings, { text: filter, choice, group }),
    [settings, filter, choice, group],
  );
  const isNarrowed = filter !== '' || group !== '' || choice === 'changed';
  return (
    <Panel
      title="All settings"
      aside={
        <span className="settings__muted" role="status">
          {shown.length} of {settings.length}
        </span>
      }
    >
      <div className="settings__filters">
        <FilterField
          label="Filter"
          value={filter}
          placeholder="port, tls, SLUICE_"
          onChange={(text) => changeSearch({ filter: text })}
        />
        <Field label="Group">
          {(control) => (
            <select
              {...control}
              value={group}
              onChange={({ target }) => changeSearch({ group: target.value })}
            >
              <option value="">All groups</option>
              {groups.map((name) => (
                <option key={name} value={name}>
                  {name}
                </option>
              ))}
            </select>
          )}
        </Field>
        <ChoiceBar
          label="Which settings"
          choices={CHOICES}
          chosen={choice}
          onChoose={(show) => changeSearch({ show: show === 'all' ? null : show })}
        />
      </div>
      {shown.length === 0 ? (
        <EmptyNote>
          {choice === 'changed' && filter === '' && group === ''
            ? 'No setting was given: every one has its default.'
            : 'No setting matches. Remove the filter, or show all.'}
        </EmptyNote>
      ) : (
        [...groupSettings(shown)].map(([name, members]) => (
          <Group key={`${name} ${isNarrowed}`} name={name} settings={members} isOpen={isNarrowed} />
        ))
      )}
    </Panel>
  );
}

/** A closed list of many groups is short, and the search of the browser opens what it finds. */
function Group({
  name,
  settings,
  isOpen,
}: {
  readonly name: string;
  readonly settings: readonly SettingView[];
  readonly isOpen: boolean;
}) {
  const [first] = settings;
  const given = settings.filter(({ source }) => source.kind !== 'default').length;
  return (
    <div className="settings__group">
      <Disclosure
        open={isOpen}
        summary={
          <>
            {escapeInvisible(name)}{' '}
            <span className="settings__muted">
              {settings.length} {settings.length === 1 ? 'setting' : 'settings'}
              {given === 0 ? '' : `, ${given} given`}
            </span>
          </>
        }
      >
        {first === undefined ? null : (
          <a href={`/docs/${encodeURIComponent(first.docs)}`}>{escapeInvisible(name)} in the documentation</a>
        )}
        <ul>
          {settings.map((setting) => (
            <SettingRow key={setting.name} setting={setting} />
          ))}
        </ul>
      </Disclosure>
    </div>
  );
}

function SettingRow({ setting }: { readonly setting: SettingView }) {
  const { name, description, secret, value, isSet, kind, source, inForce, restart } = setting;
  return (
    <li className="settings__row">
      <div>
        <code className="settings__name">{name}</code> {secret ? <Badge>secret</Badge> : null}{' '}
        {restart === null ? null : <Badge tone="warning">changes with a restart</Badge>}
        <p className="settings__description">{escapeInvisible(description)}</p>
        <p className="settings__muted">
          {setting.flag} · {setting.variables.join(' or ')}
        </p>
      </div>
      <div>
        <SettingValueText value={value} isSet={isSet} kind={kind} />
        {inForce === null ? null : <p className="settings__muted">In force: {escapeInvisible(inForce)}</p>}
      </div>
      <div>
        {source.kind === 'default' ? (
          <span className="settings__muted">default</span>
        ) : (
          <>
            {describeSettingSource(source)}
            {isSet ? (
              <p className="settings__muted">
                Default: {secret ? 'none' : formatSettingValue(setting.default, { isSet: false })}
              </p>
            ) : (
              <p className="settings__muted">The same as the default</p>
            )}
          </>
        )}
      </div>
    </li>
  );
}
