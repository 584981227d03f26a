import { Link } from '@tanstack/react-router';
import type { KnownTokens } from '../../../api/known-tokens.ts';
import { escapeInvisible, shortenName } from '../../../base/format-text.ts';
import { describeReason } from '../../../base/losing-reasons.ts';
import { DataTable, type TableColumn } from '../../../parts/data-table.tsx';
import type { OrderBid } from '../source/ledger-shapes.ts';
import { LedgerAmount } from '../text/ledger-amount.tsx';
import { ChainStep } from './chain-step.tsx';

/** The makers that were considered for an order, and why each lost. The operator alone sees it. */
export function MakersStep({
  makers,
  tokens,
}: {
  readonly makers: readonly OrderBid[] | null;
  readonly tokens: KnownTokens;
}) {
  const columns: readonly TableColumn<OrderBid>[] = [
    {
      heading: 'Maker',
      cell: ({ maker }) => (
        <Link to="/makers/$maker" params={{ maker }} preload={false}>
          {shortenName(maker, 64)}
        </Link>
      ),
    },
    { heading: 'By', cell: ({ channel }) => (channel === null ? 'not known' : escapeInvisible(channel)) },
    {
      heading: 'Result',
      cell: ({ lost, detail }) => (
        <div className="ledger-cell ledger-cell--wide">
          <span>{lost === null ? 'won' : `lost: ${escapeInvisible(describeReason(lost))}`}</span>
          {detail === null ? null : <span className="ledger-muted">{escapeInvisible(detail)}</span>}
        </div>
      ),
    },
    {
      heading: 'Quoted',
      align: 'end',
      cell: ({ channel, outAmount, outputMint }) =>
        outAmount === null ? (
          <span className="ledger-muted">{channel === 'stream' ? 'by its book' : 'nothing'}</span>
        ) : (
          <LedgerAmount tokens={tokens} mint={outputMint} atoms={outAmount} />
        ),
    },
  ];
  if (makers === null) {
    return (
      <ChainStep title="Offers of makers">
        <p className="ledger-muted">
          Which makers were considered, and why they lost, is between them and the operator of this instance.
        </p>
      </ChainStep>
    );
  }
  return (
    <ChainStep title="Offers of makers">
      {makers.length === 0 ? (
        <p>
          No maker was considered: none that is connected trades the pair. The order is through pools alone.
        </p>
      ) : (
        <DataTable
          caption="Makers that were considered"
          columns={columns}
          rows={makers}
          rowKey={({ maker }) => maker}
        />
      )}
    </ChainStep>
  );
}
