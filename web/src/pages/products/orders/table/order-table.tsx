import './order-table.css';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { type KnownTokens, useKnownTokens } from '../../../../api/known-tokens.ts';
import { escapeInvisible, shortenAddress } from '../../../../base/format-text.ts';
import { formatUtcTime } from '../../../../base/format-time.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Badge } from '../../../../parts/badge.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { FilledBar } from '../../frame/filled-bar.tsx';
import { StackedRows } from '../../frame/stacked-rows.tsx';
import { MintAmount } from '../../frame/mint-amount.tsx';
import { computeFilled } from '../model/order-distance.ts';
import type { OrderView } from '../model/order-view.ts';
import { OrderEvents } from './order-events.tsx';
import { OrderTerms } from './order-terms.tsx';
import { TokenLink } from '../../../../parts/token-link.tsx';

/** Orders of one kind, each with its price, how far it is, and its transactions. */
export function OrderTable({
  caption,
  orders,
}: {
  readonly caption: string;
  readonly orders: readonly OrderView[];
}) {
  const mints = useMemo(
    () => [...new Set(orders.flatMap(({ inputMint, outputMint }) => [inputMint, outputMint]))],
    [orders],
  );
  const tokens = useKnownTokens(
    mints,
    orders.some(({ isOpen }) => isOpen),
  );
  return (
    <StackedRows>
      <DataTable
        caption={caption}
        rows={orders}
        rowKey={({ id }) => id}
        columns={[
          { heading: 'Order', cell: (order) => <OrderHead order={order} tokens={tokens} /> },
          { heading: 'Terms', cell: (order) => <OrderTerms order={order} tokens={tokens} /> },
          { heading: 'Sold', cell: (order) => <OrderProgress order={order} tokens={tokens} /> },
          { heading: 'State', cell: (order) => <OrderState order={order} /> },
          { heading: 'What happened', cell: (order) => <OrderEvents order={order} tokens={tokens} /> },
        ]}
      />
    </StackedRows>
  );
}

function OrderHead({ order, tokens }: { readonly order: OrderView; readonly tokens: KnownTokens }) {
  const isAccount = order.source === 'limit' || order.source === 'recurring';
  return (
    <>
      <span className="order-table__pair">
        <TokenLink mint={order.inputMint} label={tokens.getSymbol(order.inputMint)} /> to{' '}
        <TokenLink mint={order.outputMint} label={tokens.getSymbol(order.outputMint)} />
      </span>
      <span className="order-table__note">{order.kind}</span>
      {isAccount ? (
        <AddressText address={order.id} />
      ) : (
        <code title={order.id}>{shortenAddress(escapeInvisible(order.id))}</code>
      )}
    </>
  );
}

function OrderProgress({ order, tokens }: { readonly order: OrderView; readonly tokens: KnownTokens }) {
  return (
    <>
      <FilledBar millionths={computeFilled(order)}>
        of <MintAmount raw={order.sells} mint={order.inputMint} tokens={tokens} />
      </FilledBar>
      {order.received === null || order.received === 0n ? null : (
        <span className="order-table__note">
          for <MintAmount raw={order.received} mint={order.outputMint} tokens={tokens} />
        </span>
      )}
    </>
  );
}

function OrderState({ order }: { readonly order: OrderView }) {
  const { state, tone, createdAt, expiresAt, cancel } = order;
  return (
    <span className="order-table__times">
      <Badge tone={tone}>{escapeInvisible(state)}</Badge>
      {createdAt === null ? null : (
        <span className="order-table__note">created {formatUtcTime(createdAt)}</span>
      )}
      {expiresAt === null ? null : (
        <span className="order-table__note">
          {order.isOpen ? 'expires' : 'would have expired'} {formatUtcTime(expiresAt)}
        </span>
      )}
      {cancel === null ? null : (
        <Link
          to="/playground/$operationId"
          params={{ operationId: cancel.operationId }}
          search={cancel.search as never}
        >
          Cancel it in the playground
        </Link>
      )}
    </span>
  );
}
