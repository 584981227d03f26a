import { useQuery } from '@tanstack/react-query';
import { AddressText } from '../../../parts/address-text.tsx';
import { Amount } from '../../../parts/amount.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { fetchHeldTokens } from './held-token-list.ts';
import { useTokenSymbols } from './token-symbols.ts';

/** The token accounts of a wallet. */
export function HeldTokens({ owner }: { readonly owner: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['held-tokens', owner],
    queryFn: () => fetchHeldTokens(owner),
  });
  const symbols = useTokenSymbols((data ?? []).map(({ mint }) => mint));
  if (data === undefined) {
    return error === null ? (
      <Loading what="token accounts" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyNote>It owns no token accounts.</EmptyNote>;
  return (
    <DataTable
      caption="Token accounts"
      columns={[
        {
          heading: 'Token',
          cell: ({ mint }) => <AddressText address={mint} label={symbols.get(mint) ?? null} copy={false} />,
        },
        {
          heading: 'Amount',
          align: 'end',
          cell: ({ amount, decimals, mint }) => (
            <Amount raw={amount} decimals={decimals} symbol={symbols.get(mint) ?? null} />
          ),
        },
        { heading: 'Account', cell: ({ account }) => <AddressText address={account} /> },
      ]}
      rows={data}
      rowKey={({ account }) => account}
    />
  );
}
