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

const readOwners = shape.object({
  value: shape.list(
    shape.nullable(
      shape.object({
        data: shape.object({ parsed: shape.object({ info: shape.object({ owner: shape.text }) }) }),
      }),
    ),
  ),
});

/** Reads the largest token accounts of a mint, and who owns them. */
async function fetchLargest(mint: string) {
  const largest = readLargest(await callRpc('getTokenLargestAccounts', [mint]));
  const held = largest.value.filter(({ address, amount }) => isAddress(address) && amount > 0n);
  if (held.length === 0) return [];
  const addresses = held.map(({ address }) => address);
  const owners = readOwners(await callRpc('getMultipleAccounts', [addresses, { encoding: 'jsonParsed' }]));
  return held.map((each, index) => {
    const owner = owners.value[index]?.data.parsed.info.owner ?? '';
    return { ...each, owner: isAddress(owner) ? owner : null };
  });
}

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
    queryFn: () => fetchLargest(mint),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what="holders" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyNote>Nobody holds any.</EmptyNote>;
  return (
    <DataTable
      caption="The token accounts with the most tokens"
      columns={[
        {
          heading: 'Owner',
          cell: ({ owner }) => (owner === null ? '–' : <AddressText address={owner} />),
        },
        { heading: 'Token account', cell: ({ address }) => <AddressText address={address} copy={false} /> },
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
      rows={data}
      rowKey={({ address }) => address}
    />
  );
}
