import '../ledger.css';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useKnownTokens } from '../../../api/known-tokens.ts';
import type { DecodedTransaction } from '../../../api/decoded-transaction.ts';
import type { Scope } from '../../../api/scope.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';
import { escapeInvisible } from '../../../base/format-text.ts';
import { Panel } from '../../../parts/page.tsx';
import { RawAnswer } from '../../../parts/raw-answer.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { useMinuteClock } from '../../../parts/use-minute-clock.ts';
import { explainOrder } from '../cause/explain-order.ts';
import type { ChainFailure } from '../cause/order-cause.ts';
import {
  isAbsent,
  useLandedTransaction,
  useLedgerOrder,
  useOrderLandings,
  useOrderRequests,
  useOwnFill,
} from '../source/ledger-queries.ts';
import type { LedgerOrder, OrderBid } from '../source/ledger-shapes.ts';
import { formatTokenAmount } from '../text/ledger-amount.tsx';
import { CausePanel } from './cause-panel.tsx';
import { ChainResultStep } from './chain-result-step.tsx';
import { FillStep } from './fill-step.tsx';
import { GivenStep } from './given-step.tsx';
import { LandingStep } from './landing-step.tsx';
import { MakersStep } from './makers-step.tsx';
import { RequestsStep } from './requests-step.tsx';
import { UnknownOrder } from './unknown-order.tsx';

/** One order: what became of it, whose doing that was, and everything that is known of it in its order. */
export function OrderPage({ scope, id }: { readonly scope: Scope; readonly id: string }) {
  const { data, error, refetch } = useLedgerOrder(scope, id);
  return (
    <>
      <p className="ledger-searched">
        <BackLink scope={scope} />
        <code>{escapeInvisible(id.slice(0, 100))}</code>
        <CopyButton text={id} label="Copy the id of the order" />
      </p>
      {data !== undefined ? (
        <OrderContent scope={scope} order={data.value.order} makers={data.value.makers} />
      ) : error === null ? (
        <Loading what="the order" />
      ) : isAbsent(error) || !/^[0-9a-zA-Z-]{1,64}$/.test(id) ? (
        <UnknownOrder scope={scope} id={id} />
      ) : (
        <ErrorNote error={error} onRetry={() => void refetch()} />
      )}
      <RawAnswer raw={data?.raw} name="about the order" />
    </>
  );
}

function OrderContent({
  scope,
  order,
  makers,
}: {
  readonly scope: Scope;
  readonly order: LedgerOrder;
  readonly makers: readonly OrderBid[] | null;
}) {
  const { execution } = order;
  const landed = execution?.slot == null ? null : execution.signature;
  const requests = useOrderRequests(scope, order);
  const landings = useOrderLandings(scope, execution?.signature ?? null);
  const ownFill = useOwnFill(scope, order);
  const transaction = useLandedTransaction(landed);
  const mints = useMemo(() => listMints(order), [order]);
  const tokens = useKnownTokens(mints);
  const now = Math.max(useMinuteClock(), Date.now());
  const entries = requests.data?.entries ?? null;
  const fill = makers?.find(({ lost }) => lost === null)?.fill ?? ownFill?.fill ?? null;
  const decoded = transaction.data ?? null;
  const isWhole = landed === null || decoded !== null || transaction.errorUpdateCount > 0;
  const cause = explainOrder({
    order,
    fill,
    requests: entries,
    failure: readFailure(decoded),
    now,
    formatAmount: (mint, atoms) => formatTokenAmount(tokens, mint, atoms),
  });
  const executed = entries?.filter(({ method, order: about }) => method === 'POST' && about !== null) ?? null;
  const given = entries?.find(({ method, order: about }) => method === 'GET' && about?.code === null) ?? null;
  return (
    <>
      {isWhole ? <CausePanel cause={cause} /> : <Loading what="the transaction" />}
      <Panel title="What happened">
        <ol className="order-chain">
          <GivenStep scope={scope} order={order} request={given} tokens={tokens} />
          <MakersStep makers={makers} tokens={tokens} />
          <RequestsStep
            scope={scope}
            order={order}
            requests={executed === null ? null : [...executed].reverse()}
            error={requests.error !== null}
          />
          {order.maker === null ? null : <FillStep order={order} fill={fill} />}
          <LandingStep order={order} landings={landings.data?.landings ?? null} />
          {landed === null ? null : (
            <ChainResultStep
              order={order}
              decoded={decoded}
              error={transaction.error}
              onRetry={() => void transaction.refetch()}
              tokens={tokens}
            />
          )}
        </ol>
      </Panel>
    </>
  );
}

function BackLink({ scope }: { readonly scope: Scope }) {
  return scope.kind === 'instance' ? (
    <Link to="/operate/orders">All orders</Link>
  ) : (
    <Link to="/organisations/$organisation/orders" params={{ organisation: scope.organisation }}>
      All orders
    </Link>
  );
}

function readFailure(decoded: DecodedTransaction | null): ChainFailure | null {
  const result = decoded?.result ?? null;
  if (result === null || result.failure === null) return null;
  const { kind, sentence, advice } = result.failure;
  return { kind, sentence, advice, feeLamports: BigInt(result.feeLamports) };
}

function listMints({ inputMint, outputMint, feeMint }: LedgerOrder): readonly string[] {
  return [inputMint, outputMint, feeMint].filter((mint): mint is string => mint !== null);
}
