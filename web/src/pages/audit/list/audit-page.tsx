import '../audit.css';
import { useMemo } from 'react';
import { toScopePath, type Scope } from '../../../api/scope.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { Button } from '../../../parts/button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { Field } from '../../../parts/field.tsx';
import { FilterField } from '../../../parts/filter-field.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { type PageSearch, usePageSearch } from '../../../parts/page-search.ts';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { type AuditLine, type ExistingSubjects, useAuditLog, useExistingSubjects } from './audit-queries.ts';
import { ChangeCell } from './change-cell.tsx';
import { SubjectLink } from './subject-link.tsx';

const MAX_KEPT = 2_000;
const NO_ENTRIES: readonly AuditLine[] = [];
const MAX_NAME = 80;
const TIME = /^\d{1,15}$/;
const HOUR_MS = 3_600_000;
const RANGES: readonly (readonly [name: string, label: string, ms: number])[] = [
  ['', 'all that is kept', 0],
  ['24h', 'the last 24 hours', 24 * HOUR_MS],
  ['7d', 'the last 7 days', 168 * HOUR_MS],
  ['30d', 'the last 30 days', 720 * HOUR_MS],
];

/** Who changed what: every change by the interface, a command, or the market, with what was and what is. */
export function AuditPage({ scope }: { readonly scope: Scope }) {
  const [search, change] = usePageSearch();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the list begins again when the address changes, not with the clock.
  const filters = useMemo(() => toAuditFilters(search, Date.now()), [JSON.stringify(search)]);
  const { data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage } = useAuditLog(
    scope,
    filters,
  );
  const existing = useExistingSubjects(scope);
  const entries = useMemo(() => data?.pages.flatMap(({ value }) => value.entries) ?? NO_ENTRIES, [data]);
  return (
    <>
      <Panel>
        <AuditFilters scope={scope} search={search} change={change} />
      </Panel>
      <Panel
        title="Changes"
        aside={
          <Button kind="quiet" onClick={() => void refetch()}>
            Look again
          </Button>
        }
      >
        {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
        {data === undefined ? (
          error === null ? (
            <Loading what="the audit log" />
          ) : null
        ) : entries.length === 0 ? (
          <NothingChanged isFiltered={Object.keys(filters).length > 0} />
        ) : (
          <AuditTable entries={entries} existing={existing} onActor={(actor) => change({ actor })} />
        )}
        {hasNextPage && entries.length < MAX_KEPT ? (
          <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
            Show older ones
          </Button>
        ) : null}
        {hasNextPage && entries.length >= MAX_KEPT ? (
          <p className="audit-muted">
            The newest {formatWhole(entries.length)} are shown. Choose a filter to see older ones.
          </p>
        ) : null}
        <RawAnswer raw={data?.pages[0]?.raw} name={`of ${toScopePath(scope, '/audit')}`} />
      </Panel>
    </>
  );
}

/** @param now - Unix milliseconds. */
function toAuditFilters(search: PageSearch, now: number): Readonly<Record<string, string>> {
  const texts = ['actor', 'action', 'subject'].flatMap((name) => {
    const value = search[name]?.trim() ?? '';
    return value === '' ? [] : [[name, value] as const];
  });
  const range = RANGES.find(([name]) => name !== '' && name === search.range);
  const times = ['since', 'until'].flatMap((name) => {
    const value = search[name];
    return value === undefined || !TIME.test(value) ? [] : [[name, value] as const];
  });
  return {
    ...(range === undefined ? {} : { since: `${now - range[2]}` }),
    ...Object.fromEntries([...texts, ...times]),
  };
}

function AuditFilters({
  scope,
  search,
  change,
}: {
  readonly scope: Scope;
  readonly search: PageSearch;
  readonly change: (changes: Readonly<Record<string, string | null>>) => void;
}) {
  const isOwnRange = search.since !== undefined || search.until !== undefined;
  const subject = scope.kind === 'instance' ? 'acme, acme/web or acme/web/ci' : `${scope.organisation}/web`;
  return (
    <div className="audit-filters">
      <FilterField
        label="Who"
        help="Such as operator, operator (ann), market, or acme/ann"
        value={search.actor ?? ''}
        onChange={(actor) => change({ actor })}
      />
      <FilterField
        label="What"
        help="Such as api_key.created, or api_key for all of them"
        value={search.action ?? ''}
        onChange={(action) => change({ action })}
      />
      <FilterField
        label="Of what"
        help={`Such as ${subject}`}
        value={search.subject ?? ''}
        onChange={(text) => change({ subject: text })}
      />
      <Field label="When">
        {(control) => (
          <select
            {...control}
            value={isOwnRange ? 'own' : (search.range ?? '')}
            onChange={({ target }) => change({ range: target.value, since: null, until: null })}
          >
            {isOwnRange ? <option value="own">the times in the address</option> : null}
            {RANGES.map(([name, label]) => (
              <option key={name} value={name}>
                {label}
              </option>
            ))}
          </select>
        )}
      </Field>
    </div>
  );
}

function AuditTable({
  entries,
  existing,
  onActor,
}: {
  readonly entries: readonly AuditLine[];
  readonly existing: ExistingSubjects;
  readonly onActor: (actor: string) => void;
}) {
  const columns: readonly TableColumn<AuditLine>[] = [
    { heading: 'Time', cell: ({ at }) => <TimeText at={at} /> },
    {
      heading: 'Who',
      cell: ({ actor, origin }) => (
        <div className="audit-cell">
          <button
            type="button"
            className="audit-actor"
            title="Show the changes of this party alone"
            onClick={() => onActor(actor)}
          >
            {shortenName(actor, MAX_NAME)}
          </button>
          <span className="audit-muted">{describeOrigin(actor, origin)}</span>
        </div>
      ),
    },
    { heading: 'What', cell: ({ action }) => <code>{escapeInvisible(action)}</code> },
    {
      heading: 'Of what',
      cell: (entry) => (
        <div className="audit-cell">
          <SubjectLink entry={entry} existing={existing} />
        </div>
      ),
    },
    { heading: 'Change', cell: (entry) => <ChangeCell entry={entry} /> },
  ];
  return (
    <VirtualTable
      caption="Changes, newest first"
      columns={columns}
      rows={entries}
      rowKey={({ at, action, subject }, index) => `${at} ${action} ${subject} ${index}`}
      estimate={64}
    />
  );
}

/** The market is no person: what it did, no caller asked for. */
function describeOrigin(actor: string, origin: string): string {
  if (actor === 'market') return 'no person: what makers did, and their connections';
  return `from ${shortenName(origin, MAX_NAME)}`;
}

function NothingChanged({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyNote>
      <p>{isFiltered ? 'Nothing that is kept fits these filters.' : 'Nothing was changed so far.'}</p>
      {isFiltered ? (
        <p>
          Who, what and of what are compared with whole names: <code>api_key</code> finds{' '}
          <code>api_key.created</code>, <code>acme</code> finds <code>acme/web</code>, and parts of words find
          nothing.
        </p>
      ) : null}
    </EmptyNote>
  );
}
