import './operations-frame.css';
import { Link, useParams } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { ApiGroup } from '../../openapi/model/api-model.ts';
import type { ApiSide } from '../../openapi/use-api-model.ts';
import { Disclosure } from '../disclosure.tsx';
import { OperationList } from './operation-list.tsx';
import { useWideWindow } from './use-wide-window.ts';

/** A page of operations: the list at its side, and what is shown of one of them. */
export function OperationsFrame({
  page,
  side,
  groups,
  hasAdmin,
  children,
}: {
  /** The page that an operation is opened in. */
  readonly page: '/playground' | '/reference';
  readonly side: ApiSide;
  readonly groups: readonly ApiGroup[];
  /** Whether the page may show the admin interface too. */
  readonly hasAdmin: boolean;
  readonly children: ReactNode;
}) {
  const { operationId } = useParams({ strict: false });
  const isWide = useWideWindow();
  const list = (
    <OperationList
      groups={groups}
      side={side}
      to={`${page}/$operationId`}
      head={hasAdmin ? <SideSwitch page={page} side={side} /> : null}
    />
  );
  // In a narrow window the list would stand between the header and the operation that was chosen.
  const isClosed = !isWide && operationId !== undefined;
  return (
    <div className="operations-frame">
      <div className="operations-frame__list">
        {isClosed ? (
          <Disclosure key={operationId} summary="All endpoints">
            {list}
          </Disclosure>
        ) : (
          list
        )}
      </div>
      {children}
    </div>
  );
}

function SideSwitch({ page, side }: { readonly page: '/playground' | '/reference'; readonly side: ApiSide }) {
  return (
    <div className="operations-frame__sides">
      <Link
        to={page}
        search={{}}
        activeOptions={{ exact: true }}
        aria-current={side === 'public' ? 'true' : undefined}
      >
        Public
      </Link>
      <Link
        to={page}
        search={{ side: 'admin' }}
        activeOptions={{ exact: true }}
        aria-current={side === 'admin' ? 'true' : undefined}
      >
        Admin
      </Link>
    </div>
  );
}
