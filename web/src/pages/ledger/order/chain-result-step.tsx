import type { DecodedTransaction } from '../../../api/decoded-transaction.ts';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import { ErrorNote, Loading } from '../../../parts/status.tsx';
import { FailurePanel } from '../../../parts/transaction-view/failure-panel.tsx';
import { TransactionFacts } from '../../../parts/transaction-view/transaction-facts.tsx';
import type { LedgerOrder } from '../source/ledger-shapes.ts';
import { LedgerAmount } from '../text/ledger-amount.tsx';
import { ChainStep } from './chain-step.tsx';

/** What the transaction did on the chain, and how that compares with what was quoted. */
export function ChainResultStep({
  order,
  decoded,
  error,
  onRetry,
  tokens,
}: {
  readonly order: LedgerOrder;
  /** Null while it is read, or if it cannot be. */
  readonly decoded: DecodedTransaction | null;
  readonly error: unknown;
  /** Reads it again. */
  readonly onRetry: () => void;
  readonly tokens: KnownTokens;
}) {
  const isFailed = decoded?.result?.error != null || (order.execution?.code ?? 0) !== 0;
  return (
    <ChainStep title="On the chain" tone={isFailed ? 'danger' : 'good'}>
      {decoded !== null ? (
        <>
          <FailurePanel decoded={decoded} isAlone />
          <Disclosure summary="The facts of the transaction">
            <TransactionFacts decoded={decoded} />
          </Disclosure>
        </>
      ) : error === null ? (
        <Loading what="the transaction" />
      ) : (
        <ErrorNote error={error} onRetry={onRetry} />
      )}
      {order.execution?.code === 0 ? <QuotedAndPaid order={order} tokens={tokens} /> : null}
    </ChainStep>
  );
}

interface ComparedRow {
  readonly what: string;
  readonly mint: string | null;
  readonly quoted: bigint | null;
  readonly moved: bigint | null;
}

function QuotedAndPaid({ order, tokens }: { readonly order: LedgerOrder; readonly tokens: KnownTokens }) {
  const { execution } = order;
  const rows: readonly ComparedRow[] = [
    { what: 'Paid', mint: order.inputMint, quoted: order.inAmount, moved: execution?.totalInput ?? null },
    {
      what: 'Received',
      mint: order.outputMint,
      quoted: order.outAmount,
      moved: execution?.totalOutput ?? null,
    },
  ];
  const amount = (mint: string | null, atoms: bigint | null) =>
    atoms === null ? 'not known' : <LedgerAmount tokens={tokens} mint={mint} atoms={atoms} />;
  const columns: readonly TableColumn<ComparedRow>[] = [
    { heading: 'The taker', cell: ({ what }) => what },
    { heading: 'As quoted', align: 'end', cell: ({ mint, quoted }) => amount(mint, quoted) },
    { heading: 'As it was', align: 'end', cell: ({ mint, moved }) => amount(mint, moved) },
    {
      heading: 'Difference',
      align: 'end',
      cell: ({ mint, quoted, moved }) =>
        quoted === null || moved === null ? '' : quoted === moved ? 'none' : amount(mint, moved - quoted),
    },
  ];
  return (
    <DataTable
      caption="What was quoted, and what was paid"
      columns={columns}
      rows={rows}
      rowKey={({ what }) => what}
    />
  );
}
