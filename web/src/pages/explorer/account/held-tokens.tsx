import { useQuery } from '@tanstack/react-query';
import { AddressText } from '../../../parts/address-text.tsx';
import { Amount } from '../../../parts/amount.tsx';
import { formatWhole } from '../../../base/format-amount.ts';
import { DataTable } from '../../../parts/data-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { fetchHeldTokens, type HeldToken } from './held-token-list.ts';
import { useNetworkRefresh } from '../decoded/account-queries.ts';
import { TokenLink } from '../../../parts/token-link.tsx';
import { useTokenSymbols } from './token-symbols.ts';

/** Anybody can create any number of token accounts for an owner. */
const MAX_SHOWN = 200;

/**
 * The token accounts of an address, in a panel.
 *
 * @param props.isExpected - Whether it is said that there are none. Accounts of programs rarely have some.
 */
export function HeldTokens({ owner, isExpected }: { readonly owner: string; readonly isExpected: boolean }) {
  const { data } = useHeldTokens(owner);
  return isExpected || (data !== undefined && data.length > 0) ? (
    <Panel title="Tokens">
      <TokenTable owner={owner} />
    </Panel>
  ) : null;
}

function useHeldTokens(owner: string) {
  return useQuery({
    queryKey: ['held-tokens', owner],
    queryFn: () => fetchHeldTokens(owner),
    refetchInterval: useNetworkRefresh(),
  });
}

function TokenTable({ owner }: { readonly owner: string }) {
  const { data, error, refetch } = useHeldTokens(owner);
  const symbols = useTokenSymbols((data ?? []).map(({ mint }) => mint));
  if (data === undefined) {
    return error === null ? (
      <Loading what="token accounts" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0) return <EmptyNote>It owns no token accounts.</EmptyNote>;
  const shown = sortBySymbol(data, symbols).slice(0, MAX_SHOWN);
  return (
    <>
      <DataTable
        caption="Token accounts"
        columns={[
          {
            heading: 'Token',
            cell: ({ mint }) => <TokenLink mint={mint} label={symbols.get(mint) ?? null} />,
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
        rows={shown}
        rowKey={({ account }) => account}
      />
      {data.length > shown.length ? (
        <p>
          The first {MAX_SHOWN} of {formatWhole(data.length)} are shown.
        </p>
      ) : null}
    </>
  );
}

/** Those whose symbol is known come first. */
function sortBySymbol(
  held: readonly HeldToken[],
  symbols: ReadonlyMap<string, string>,
): readonly HeldToken[] {
  const order = (mint: string) => symbols.get(mint) ?? `\uffff${mint}`;
  return held.toSorted((one, other) => (order(one.mint) < order(other.mint) ? -1 : 1));
}
