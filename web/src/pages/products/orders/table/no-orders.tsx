import { Link } from '@tanstack/react-router';
import { useDocsUrl } from '../../../../api/instance.ts';
import { EmptyNote } from '../../../../parts/status.tsx';

/** Said where a wallet has no orders, with how it makes the first one. */
export function NoOrders({
  isPast,
  operationId,
  search = {},
  guide,
}: {
  readonly isPast: boolean;
  /** The operation of the playground that makes one. */
  readonly operationId: string;
  /** The values of its form. */
  readonly search?: Readonly<Record<string, string>>;
  /** The name of the page of the documentation. */
  readonly guide: string;
}) {
  const docs = useDocsUrl();
  if (isPast) return <EmptyNote>No order of this kind has ended yet.</EmptyNote>;
  return (
    <EmptyNote>
      No order of this kind is open.{' '}
      <Link to="/playground/$operationId" params={{ operationId }} search={search as never}>
        Make one in the playground
      </Link>
      , or <a href={`${docs}/${guide}`}>read how it works</a>.
    </EmptyNote>
  );
}
