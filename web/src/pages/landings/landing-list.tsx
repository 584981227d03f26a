import { useInfiniteQuery } from '@tanstack/react-query';
import { callAdmin } from '../../api/admin.ts';
import { useCredentialGeneration } from '../../api/credentials.ts';
import { readAnswer } from '../../api/read-answer.ts';
import { escapeInvisible, shortenAddress, shortenName } from '../../base/format-text.ts';
import { formatBriefDuration, formatUtcTime } from '../../base/format-time.ts';
import { Badge } from '../../parts/badge.tsx';
import { Button } from '../../parts/button.tsx';
import { ChoiceBar } from '../../parts/choice-bar.tsx';
import type { TableColumn } from '../../parts/data-table.tsx';
import { FilterField } from '../../parts/filter-field.tsx';
import { VirtualTable } from '../../parts/live/virtual-table.tsx';
import { Panel } from '../../parts/page.tsx';
import type { PageSearch } from '../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../parts/status.tsx';
import type { LandingView } from '../../api/landing-report.ts';
import { readLandingList } from './landing-shape.ts';
import { OUTCOMES } from './landing-text.ts';

const PAGE = 50;
/** No page shows more than that. */
const MAX_PAGES = 40;
const REFRESH_MS = 10_000;
const MAX_SLUG = 40;
const CHOICES = [['all', 'all'], ...OUTCOMES.map(([name]) => [name, name] as const)] as const;

type Change = (changes: Readonly<Record<string, string | null>>) => void;

/** The landings, newest first, filtered by outcome and organisation. */
export function LandingList({
  search,
  onChange,
}: {
  readonly search: PageSearch;
  readonly onChange: Change;
}) {
  const generation = useCredentialGeneration();
  const chosen = CHOICES.find(([choice]) => choice === search.outcome)?.[0] ?? 'all';
  const organisation = search.organisation ?? '';
  const { data, error, refetch, fetchNextPage, hasNextPage, isFetchingNextPage } = useInfiniteQuery({
    queryKey: ['landings', generation, chosen, organisation],
    queryFn: async ({ pageParam }) => {
      const query = new URLSearchParams({
        limit: String(PAGE),
        ...(chosen === 'all' ? {} : { outcome: chosen }),
        ...(organisation === '' ? {} : { organisation }),
        ...(pageParam === null ? {} : { cursor: pageParam }),
      });
      return readAnswer('the landings', readLandingList, await callAdmin(`/admin/v1/landings?${query}`));
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }, pages) => (pages.length < MAX_PAGES ? next : null),
    refetchInterval: ({ state }) => ((state.data?.pages.length ?? 1) > 1 ? false : REFRESH_MS),
  });
  const rows = data?.pages.flatMap(({ landings }) => landings) ?? [];
  const lost = data?.pages[0]?.lost ?? 0;
  return (
    <Panel>
      <div className="landings__filters">
        <ChoiceBar
          label="Which landings"
          choices={CHOICES}
          chosen={chosen}
          onChoose={(choice) => onChange({ outcome: choice === 'all' ? null : choice })}
        />
        <FilterField
          label="Organisation"
          value={organisation}
          placeholder="all"
          onChange={(text) => onChange({ organisation: text.trim() })}
        />
        <FilterField
          label="Signature or request id"
          value={search.landing ?? ''}
          onChange={(text) => onChange({ landing: text.trim() })}
        />
      </div>
      {lost === 0 ? null : (
        <p className="landings__lost">
          {lost} reports were lost since the start, because too many waited for the database. The transactions
          landed all the same.
        </p>
      )}
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Loading what="landings" />
        ) : null
      ) : rows.length === 0 ? (
        <NoLandings isFiltered={chosen !== 'all' || organisation !== ''} />
      ) : (
        <VirtualTable
          caption="The landings"
          columns={listColumns(onChange)}
          rows={rows}
          rowKey={({ signature, organisation: owner }) => `${signature} ${owner ?? ''}`}
        />
      )}
      {hasNextPage ? (
        <Button onClick={() => void fetchNextPage()} disabled={isFetchingNextPage}>
          Show more
        </Button>
      ) : null}
    </Panel>
  );
}

function NoLandings({ isFiltered }: { readonly isFiltered: boolean }) {
  return (
    <EmptyNote>
      {isFiltered ? (
        <p>No landing of the last seven days is like that.</p>
      ) : (
        <p>
          No transaction was submitted in the last seven days. Clients submit them with{' '}
          <code>POST /tx/v1/submit</code> or the method <code>sendTransaction</code> of the landing address;
          swaps that are executed are in the ledger of orders.
        </p>
      )}
    </EmptyNote>
  );
}

/** How an outcome is shown. */
export function OutcomeBadge({ outcome }: { readonly outcome: string | null }) {
  if (outcome === null) return <Badge tone="accent">under way</Badge>;
  if (outcome === 'confirmed') return <Badge tone="good">confirmed</Badge>;
  return <Badge tone={outcome === 'unknown' ? 'warning' : 'danger'}>{shortenName(outcome, MAX_SLUG)}</Badge>;
}

function listColumns(onChange: Change): readonly TableColumn<LandingView>[] {
  return [
    { heading: 'Accepted', cell: ({ acceptedAt }) => formatUtcTime(acceptedAt) },
    {
      heading: 'Transaction',
      cell: ({ signature }) => (
        <button type="button" className="landings__open" onClick={() => onChange({ landing: signature })}>
          {shortenAddress(signature)}
        </button>
      ),
    },
    {
      heading: 'Organisation',
      cell: ({ organisation }) =>
        organisation === null ? (
          <span className="landings__muted">no key</span>
        ) : (
          shortenName(organisation, MAX_SLUG)
        ),
    },
    { heading: 'Outcome', cell: ({ outcome }) => <OutcomeBadge outcome={outcome} /> },
    {
      heading: 'Why',
      cell: ({ error }) => (
        <div className="landings__why">{error === null ? '' : escapeInvisible(error)}</div>
      ),
    },
    { heading: 'Slot', align: 'end', cell: ({ slot }) => slot?.toString() ?? '' },
    { heading: 'Sends', align: 'end', cell: ({ sends }) => String(sends) },
    {
      heading: 'Took',
      align: 'end',
      cell: ({ acceptedAt, endedAt }) => (endedAt === null ? '' : formatBriefDuration(endedAt - acceptedAt)),
    },
  ];
}
