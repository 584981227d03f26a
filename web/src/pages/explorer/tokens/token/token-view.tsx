import { useQuery } from '@tanstack/react-query';
import { useInstance } from '../../../../api/instance.ts';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { listItems } from '../../../../base/read-json.ts';
import { Badge } from '../../../../parts/badge.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { FieldTree } from '../../decoded/field-tree.tsx';
import { fetchShownAccount } from '../../decoded/shown-account.ts';
import { fetchRecentOf } from '../../recent/recent-signatures.ts';
import { TransactionTable } from '../../recent/transaction-table.tsx';
import { readTokenRow, type TokenRow } from '../data/token-row.ts';
import { LargestHolders } from './largest-holders.tsx';
import { PriceLine } from './price-line.tsx';
import { TokenFacts } from './token-facts.tsx';
import { TokenPools } from './token-pools.tsx';

const REFRESH_MS = 4_000;

/** A token: its price, who may change it, where it is traded, and who has it. */
export function TokenView({ mint }: { readonly mint: string }) {
  const { data: instance } = useInstance();
  const path = `/tokens/v2/search?${new URLSearchParams({ query: mint })}`;
  const raw = useRawQuery<unknown>(path, { refetchMs: REFRESH_MS });
  const account = useQuery({
    queryKey: ['shown-account', mint],
    queryFn: () => fetchShownAccount(mint),
    refetchInterval: REFRESH_MS,
  });
  const token = listItems(raw.data?.exact)
    .map(readTokenRow)
    .find((row) => row?.mint === mint);
  const error = account.error ?? raw.error;
  if (account.data === undefined || raw.data === undefined) {
    return error === null ? (
      <Loading what="the token" />
    ) : (
      <ErrorNote error={error} onRetry={() => void Promise.all([account.refetch(), raw.refetch()])} />
    );
  }
  if (!account.data.links.token) {
    return (
      <EmptyNote>
        No token has this address. Its page as an account says what it is, if there is anything.
      </EmptyNote>
    );
  }
  return (
    <>
      <Panel title={nameToken(token)} aside={<TokenMark token={token} />}>
        <TokenFacts token={token ?? null} />
        <RawAnswer raw={raw.data} name="of the token" />
      </Panel>
      <Panel title="Price">
        <PriceLine mint={mint} />
      </Panel>
      <Panel title="Mint">
        <FieldTree fields={account.data.fields} />
      </Panel>
      <Panel title="Pools">
        <TokenPools mint={mint} />
      </Panel>
      {instance?.network.kind === 'embedded' && !instance.production ? (
        <Panel title="Largest holders">
          <LargestHolders
            mint={mint}
            symbol={token?.symbol ?? null}
            supply={readSupply(account.data.fields)}
          />
        </Panel>
      ) : null}
      <Panel title="Transactions">
        <TokenTransactions mint={mint} />
      </Panel>
    </>
  );
}

function nameToken(token: TokenRow | null | undefined): string {
  if (token == null) return 'A token in no list';
  const { symbol, name } = token;
  return [symbol, name].filter((text) => text !== null).join(' · ') || 'A token without a name';
}

function TokenMark({ token }: { readonly token: TokenRow | null | undefined }) {
  return token?.isVerified === true ? (
    <Badge tone="good">verified</Badge>
  ) : (
    <Badge tone="warning">not verified: anybody can choose this name</Badge>
  );
}

function readSupply(fields: readonly { readonly name: string; readonly value: string }[]): bigint | null {
  const supply = fields.find(({ name }) => name === 'supply')?.value ?? '';
  return /^\d{1,20}$/.test(supply) ? BigInt(supply) : null;
}

function TokenTransactions({ mint }: { readonly mint: string }) {
  const { data, error, refetch } = useQuery({
    queryKey: ['recent-transactions', mint],
    queryFn: () => fetchRecentOf(mint),
    refetchInterval: REFRESH_MS,
  });
  if (data === undefined) {
    return error === null ? (
      <Loading what="transactions" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  if (data.length === 0)
    return <EmptyNote>No transaction in the history of the network names the mint.</EmptyNote>;
  return <TransactionTable caption="The last transactions that name the mint" transactions={data} />;
}
