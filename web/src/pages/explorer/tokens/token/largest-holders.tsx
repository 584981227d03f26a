import { useQuery } from '@tanstack/react-query';
import { callRpc } from '../../../../api/network.ts';
import { formatShare } from '../../../../base/format-dollars.ts';
import { isAddress } from '../../../../base/is-address.ts';
import { shape } from '../../../../base/json-shape.ts';
import { AddressText } from '../../../../parts/address-text.tsx';
import { Amount } from '../../../../parts/amount.tsx';
import { DataTable } from '../../../../parts/data-table.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';

const REFRESH_MS = 5_000;
const MILLION = 1_000_000n;

const readLargest = shape.object({
  value: shape.list(shape.object({ address: shape.text, amount: shape.whole, decimals: shape.number })),
});

/** The token accounts with the most tokens of a mint, which only the embedded network knows. */
export function LargestHolders({
  mint,
  symbol,
  supply,
}: {
  readonly mint: string;
  readonly symbol: string | null;
  /** In smallest units; null if it is not known. */
  readonly supply: bigint | null;
}) {
  const { data, error, refetch } = useQuery({
    queryKey: ['largest-holders', mint],
    queryFn: async () => readLargest(await callRpc('getTokenLargestAccounts', [mint])),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what="holders" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  const rows = data.value.filter(({ address, amount }) => isAddress(address) && amount > 0n);
  if (rows.length === 0) return <EmptyNote>Nobody holds any.</EmptyNote>;
  return (
    <DataTable
      caption="The token accounts with the most tokens"
      columns={[
        { heading: 'Token account', cell: ({ address }) => <AddressText address={address} /> },
        {
          heading: 'Amount',
          align: 'end',
          cell: ({ amount, decimals }) => <Amount raw={amount} decimals={decimals} symbol={symbol} />,
        },
        {
          heading: 'Of the supply',
          align: 'end',
          cell: ({ amount }) =>
            supply === null || supply === 0n ? '–' : formatShare((amount * MILLION) / supply),
        },
      ]}
      rows={rows}
      rowKey={({ address }) => address}
    />
  );
}
