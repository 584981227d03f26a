import type { ExactJson } from '../../../../base/exact-json.ts';
import { getCoordinate } from '../../../../base/read-json.ts';
import { PageTurner } from '../../frame/page-turner.tsx';

/** The way to the other pages of a list of orders, where there are any. */
export function OrderPages({
  what,
  exact,
  page,
  onPage,
}: {
  readonly what: string;
  readonly exact: ExactJson;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) {
  const pages = getCoordinate(exact, 'totalPages') ?? 1;
  if (pages <= 1 && page === 1) return null;
  return <PageTurner what={what} page={page} hasNext={page < pages} total={pages} onPage={onPage} />;
}
