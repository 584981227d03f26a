import './log.css';
import { useState } from 'react';
import type { Scope } from '../../api/scope.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { ChoiceBar } from '../../parts/choice-bar.tsx';
import { Button } from '../../parts/button.tsx';
import { Panel } from '../../parts/page.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import { RangeChoice } from '../../parts/traffic/range-choice.tsx';
import { LogFilterForm } from './filters/filter-form.tsx';
import { LiveLog } from './list/live-log.tsx';
import { NewestLog } from './list/newest-log.tsx';
import { RequestDetail } from './request/request-detail.tsx';
import type { LoggedRequest } from './source/log-shapes.ts';
import { type LogFilters, readLogFilters, readLogRange } from './source/log-search.ts';
import { useLoggedRequest } from './source/use-log.ts';

const VIEWS = [
  ['list', 'Newest'],
  ['live', 'Live'],
] as const;

/** The request log of an organisation or of the instance: its filters, the list or the live log, and the request that is open. */
export function LogView({ scope }: { readonly scope: Scope }) {
  const [search, change] = usePageSearch();
  const filters = readLogFilters(search, scope.kind === 'instance');
  const range = readLogRange(search, filters);
  const isLive = search.view === 'live';
  const [held, setHeld] = useState<LoggedRequest | null>(null);
  const openId = search.request ?? null;
  const open = (request: LoggedRequest) => {
    // A live request may be one that the log drops.
    setHeld(request);
    change({ request: request.requestId });
  };
  const close = () => change({ request: null });
  const filterBy = (changes: Readonly<Record<string, string | null>>) => {
    // Teams and keys have their names in what is chosen above them.
    const isElsewhere = 'organisation' in changes && !('team' in changes);
    const { team = null, key = null } = isElsewhere ? {} : filters;
    // A link may name the key with its team, which the form has apart.
    change({ team, key, ...changes });
  };
  const list = { scope, filters, openId, onOpen: open };
  return (
    <>
      <Panel>
        <div className="log-head">
          <ChoiceBar
            label="Which requests"
            choices={VIEWS}
            chosen={isLive ? 'live' : 'list'}
            onChoose={(view) => change({ view: view === 'live' ? view : null })}
          />
          {isLive ? null : <RangeChoice range={range} onChange={change} />}
        </div>
        <LogFilterForm
          filters={filters}
          organisation={scope.kind === 'organisation' ? scope.organisation : null}
          onChange={filterBy}
        />
      </Panel>
      <div className={openId === null ? 'log-columns' : 'log-columns log-columns--open'}>
        <Panel>{isLive ? <LiveLog {...list} /> : <NewestLog {...list} range={range} />}</Panel>
        {openId === null ? null : (
          <OpenRequest
            scope={scope}
            requestId={openId}
            held={held?.requestId === openId ? held : null}
            onFilter={filterBy}
            onClose={close}
          />
        )}
      </div>
    </>
  );
}

/** The request that is open: what the list had of it, or else what the log has. */
function OpenRequest({
  scope,
  requestId,
  held,
  onFilter,
  onClose,
}: {
  readonly scope: Scope;
  readonly requestId: string;
  readonly held: LoggedRequest | null;
  readonly onFilter: (changes: LogFilters) => void;
  readonly onClose: () => void;
}) {
  const { data, error, refetch } = useLoggedRequest(scope, held === null ? requestId : null);
  const request = held ?? data ?? null;
  if (request !== null)
    return <RequestDetail request={request} scope={scope} onFilter={onFilter} onClose={onClose} />;
  return (
    <Panel title="The request" aside={<Button onClick={onClose}>Close</Button>}>
      {error !== null ? (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      ) : data === undefined ? (
        <Loading what="the request" />
      ) : (
        <EmptyNote>
          The log has no request {escapeInvisible(requestId)}. It may be older than the log, or was dropped
          because too many requests were refused.
        </EmptyNote>
      )}
    </Panel>
  );
}
