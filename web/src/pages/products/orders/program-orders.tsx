import { useMemo } from 'react';
import { useRawQuery } from '../../../api/raw-query.ts';
import type { ExactJson } from '../../../base/exact-json.ts';
import { SOL_MINT, USDC_MINT } from '../../../base/mints.ts';
import { AnswerPanel } from '../frame/answer-panel.tsx';
import { parseLimitOrders, parseRecurringOrders } from './model/parse-program-orders.ts';
import type { OrderView } from './model/order-view.ts';
import { NoOrders } from './table/no-orders.tsx';
import { OrderPages } from './table/order-pages.tsx';
import { OrderTable } from './table/order-table.tsx';

const REFETCH_MS = 4_000;

interface ProgramOrdersProps {
  readonly address: string;
  readonly isPast: boolean;
  /** From 1. */
  readonly page: number;
  /** Called with the number of another page. */
  readonly onPage: (page: number) => void;
}

/** The limit orders of a wallet in the program on the chain. */
export function LimitOrders({ address, isPast, page, onPage }: ProgramOrdersProps) {
  const query = useRawQuery(
    `/trigger/v1/getTriggerOrders?${new URLSearchParams({
      user: address,
      orderStatus: isPast ? 'history' : 'active',
      page: String(page),
    })}`,
    { refetchMs: REFETCH_MS },
  );
  return (
    <AnswerPanel title="Limit orders" what="limit orders" query={query}>
      {({ exact }) => (
        <ProgramOrderList
          caption="Limit orders"
          exact={exact}
          parse={parseLimitOrders}
          empty={
            <NoOrders
              isPast={isPast}
              operationId="CreateLimitOrder"
              search={{
                body: JSON.stringify({
                  maker: address,
                  payer: address,
                  inputMint: USDC_MINT,
                  outputMint: SOL_MINT,
                  params: { makingAmount: '10000000', takingAmount: '100000000' },
                  computeUnitPrice: 'auto',
                }),
              }}
              guide="program-orders"
            />
          }
          page={page}
          onPage={onPage}
        />
      )}
    </AnswerPanel>
  );
}

/** The orders of a wallet that trade at regular times. */
export function RecurringOrders({ address, isPast, page, onPage }: ProgramOrdersProps) {
  const query = useRawQuery(
    `/recurring/v1/getRecurringOrders?${new URLSearchParams({
      user: address,
      recurringType: 'time',
      orderStatus: isPast ? 'history' : 'active',
      includeFailedTx: 'false',
      page: String(page),
    })}`,
    { refetchMs: REFETCH_MS },
  );
  return (
    <AnswerPanel title="Recurring orders" what="recurring orders" query={query}>
      {({ exact }) => (
        <ProgramOrderList
          caption="Recurring orders"
          exact={exact}
          parse={parseRecurringOrders}
          empty={
            <NoOrders
              isPast={isPast}
              operationId="CreateRecurringOrder"
              search={{
                body: JSON.stringify({
                  user: address,
                  inputMint: USDC_MINT,
                  outputMint: SOL_MINT,
                  params: { time: { inAmount: 104_000_000, numberOfOrders: 2, interval: 86_400 } },
                }),
              }}
              guide="program-orders"
            />
          }
          page={page}
          onPage={onPage}
        />
      )}
    </AnswerPanel>
  );
}

function ProgramOrderList({
  caption,
  exact,
  parse,
  empty,
  page,
  onPage,
}: {
  readonly caption: string;
  readonly exact: ExactJson;
  readonly parse: (answer: ExactJson) => readonly OrderView[];
  readonly empty: React.ReactNode;
  readonly page: number;
  readonly onPage: (page: number) => void;
}) {
  const orders = useMemo(() => parse(exact), [parse, exact]);
  return (
    <>
      {orders.length === 0 && page === 1 ? empty : <OrderTable caption={caption} orders={orders} />}
      <OrderPages what={caption} exact={exact} page={page} onPage={onPage} />
    </>
  );
}
