import '../../../parts/manage/manage.css';
import { Link } from '@tanstack/react-router';
import type { OrganisationLine } from '../../../api/organisations/organisation-shapes.ts';
import { useOrganisationList } from '../../../api/organisations/use-organisations.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Badge } from '../../../parts/badge.tsx';
import { Button } from '../../../parts/button.tsx';
import type { TableColumn } from '../../../parts/data-table.tsx';
import { FilterField } from '../../../parts/filter-field.tsx';
import { VirtualTable } from '../../../parts/live/virtual-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { TimeText } from '../../../parts/time-text.tsx';
import { formatUse, formatUsedShare, isNearLimit } from '../text/describe-use.ts';
import { CreateOrganisation } from './create-organisation.tsx';

/** All organisations, for the operator. */
export function OrganisationList() {
  const { data, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOrganisationList();
  const [{ find = '' }, change] = usePageSearch();
  if (data === undefined)
    return error === null ? (
      <Loading what="organisations" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  const all = data.pages.flatMap(({ organisations }) => organisations);
  const shown = all.filter(({ slug, plan }) => slug.includes(find) || plan === find);
  return (
    <>
      {error === null ? null : <ErrorNote error={error} onRetry={() => void refetch()} />}
      <div className="manage-bar">
        <FilterField
          label="Find"
          value={find}
          placeholder="acme"
          onChange={(text) => change({ find: text })}
        />
        <div className="manage-bar__end">
          <CreateOrganisation />
        </div>
      </div>
      <Panel>
        {shown.length > 0 ? (
          <VirtualTable
            caption="The organisations"
            columns={COLUMNS}
            rows={shown}
            rowKey={({ slug }) => slug}
            estimate={57}
          />
        ) : all.length === 0 ? (
          <EmptyNote>There is no organisation yet. Create one: it gets teams, and teams get keys.</EmptyNote>
        ) : (
          <EmptyNote>No organisation that is loaded has this name or plan.</EmptyNote>
        )}
        {hasNextPage ? (
          <div>
            <Button busy={isFetchingNextPage} onClick={() => void fetchNextPage()}>
              Show more
            </Button>
          </div>
        ) : null}
      </Panel>
    </>
  );
}

const COLUMNS: readonly TableColumn<OrganisationLine>[] = [
  {
    heading: 'Organisation',
    cell: ({ slug }) => (
      <Link to="/organisations/$organisation" params={{ organisation: slug }}>
        {escapeInvisible(slug)}
      </Link>
    ),
  },
  { heading: 'Plan', cell: ({ plan }) => <Badge>{escapeInvisible(plan)}</Badge> },
  {
    heading: 'Requests, last 60 s',
    align: 'end',
    cell: ({ usage }) => (usage === null ? '' : <UseCell {...usage.main} />),
  },
  {
    heading: 'Credits this month',
    align: 'end',
    cell: ({ credits }) => (credits === null ? '' : <CreditCell {...credits} />),
  },
  { heading: 'Created', cell: ({ createdAt }) => <TimeText at={createdAt} /> },
];

function UseCell({ current, limit }: { readonly current: number | null; readonly limit: number }) {
  const text = formatUse({ current, limit });
  return isNearLimit(current, limit) ? <Badge tone="warning">{text}</Badge> : text;
}

function CreditCell({ used, included, overage }: NonNullable<OrganisationLine['credits']>) {
  if (included === null) return `${formatWhole(used)}, unlimited`;
  const share = formatUsedShare(used, included) ?? '';
  return (
    <div className="manage-name">
      <span>
        {formatWhole(used)} of {formatWhole(included)}
      </span>
      {overage > 0 ? (
        <Badge tone="warning">{formatWhole(overage)} over</Badge>
      ) : (
        <span className="manage-muted">{share}</span>
      )}
    </div>
  );
}
