import { Link } from '@tanstack/react-router';
import type { RawAnswerText } from '../../../api/raw-query.ts';
import { getApiKey } from '../../../api/credentials.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { formatDollars } from '../../../base/format-dollars.ts';
import { formatUtcTime } from '../../../base/format-time.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import type { EventSourceState } from '../../../parts/live/use-event-source.ts';
import { usePageSearch } from '../../../parts/page-search.ts';
import { Allocation } from './allocation.tsx';
import { HistoryPanel } from './history-panel.tsx';
import { readPlatforms } from './model/read-platforms.ts';
import type { PlatformGroup, PortfolioView } from './model/portfolio-view.ts';
import { PositionGroupView } from './positions/position-group.tsx';
import { usePortfolio } from './state/use-portfolio.ts';

/** The portfolio of a wallet: what it is worth, where it is, and each position. */
export function PortfolioContent({ address }: { readonly address: string }) {
  const [search, setSearch] = usePageSearch();
  const hidesSpam = search.spam !== 'show';
  // A stream costs five times as much as a request, so a caller who pays asks for it.
  const isFollowed = search.live === undefined ? getApiKey() === '' : search.live === 'on';
  const { view, raw, platforms, error, refetch, live } = usePortfolio(address, isFollowed, hidesSpam);
  if (view === undefined) {
    return error === null ? <Loading what="the positions" /> : <ErrorNote error={error} onRetry={refetch} />;
  }
  return (
    <>
      <Panel title="In all" aside={<LiveBadge live={live} />}>
        <PortfolioStats view={view} />
        <div className="portfolio-options">
          <label>
            <input
              type="checkbox"
              checked={isFollowed}
              onChange={({ target }) => setSearch({ live: target.checked ? 'on' : 'off' })}
            />
            Follow changes
          </label>
          <label>
            <input
              type="checkbox"
              checked={!hidesSpam}
              onChange={({ target }) => setSearch({ spam: target.checked ? 'show' : null })}
            />
            Show spam
          </label>
        </div>
        {error === null ? null : <ErrorNote error={error} onRetry={refetch} />}
        <FailedReports view={view} />
        <Allocation view={view} />
        <RawAnswer raw={raw} name="of the positions" />
      </Panel>
      {view.platforms.map((platform) => (
        <PlatformPanel key={platform.id} platform={platform} />
      ))}
      {view.positions === 0 ? (
        <EmptyNote>
          This wallet has nothing that is read here. The <Link to="/">start page</Link> gives a wallet of this
          browser test tokens, on the embedded network.
        </EmptyNote>
      ) : null}
      <HistoryPanel address={address} />
      <Panel title="Platforms that are read">
        <PlatformList raw={platforms} />
        <RawAnswer raw={platforms} name="of the platforms" />
      </Panel>
    </>
  );
}

function PortfolioStats({ view }: { readonly view: PortfolioView }) {
  const { total, debt, positions, unvalued, fetchers, failed, date } = view;
  return (
    <StatList>
      <Stat label="Value" value={formatDollars(total)} note="after debt" />
      <Stat label="Debt" value={formatDollars(debt)} />
      <Stat
        label="Positions"
        value={formatWhole(positions)}
        {...(unvalued === 0 ? {} : { note: `${formatWhole(unvalued)} without a known value` })}
      />
      <Stat
        label="Kinds of positions read"
        value={`${formatWhole(fetchers - failed.length)} of ${formatWhole(fetchers)}`}
        tone={failed.length === 0 ? 'plain' : 'warning'}
      />
      {date === null ? null : <Stat label="As of" value={formatUtcTime(date)} />}
    </StatList>
  );
}

function FailedReports({ view: { failed } }: { readonly view: PortfolioView }) {
  if (failed.length === 0) return null;
  return (
    <div className="status status--error" role="status">
      <p>These kinds of positions could not be read. What is missing here may exist.</p>
      <ul className="portfolio-failed">
        {failed.map(({ id, error }) => (
          <li key={id}>
            <code>{id}</code>: {error}
          </li>
        ))}
      </ul>
    </div>
  );
}

function PlatformPanel({ platform }: { readonly platform: PlatformGroup }) {
  const { name, value, groups } = platform;
  return (
    <Panel title={name} aside={<span className="platform-value">{formatDollars(value)}</span>}>
      {groups.map((group) => (
        <PositionGroupView key={group.label} platform={name} group={group} />
      ))}
    </Panel>
  );
}

function PlatformList({ raw }: { readonly raw: RawAnswerText<unknown> | undefined }) {
  return (
    <ul className="platform-list">
      {readPlatforms(raw?.exact).map(({ id, name, description }) => (
        <li key={id} title={description}>
          {name}
        </li>
      ))}
    </ul>
  );
}

function LiveBadge({ live }: { readonly live: EventSourceState }) {
  switch (live.kind) {
    case 'open':
      return <Badge tone="good">live</Badge>;
    case 'closed':
      return <Badge>as of the request</Badge>;
    case 'connecting':
      return <Badge>connecting</Badge>;
    case 'waiting':
    case 'refused':
      return (
        <span title={live.reason}>
          <Badge tone="warning">{live.kind === 'refused' ? 'not followed' : 'connecting again'}</Badge>
        </span>
      );
  }
}
