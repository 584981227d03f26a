import { isSandbox, useInstance } from '../../../../api/instance.ts';
import { useRawQuery } from '../../../../api/raw-query.ts';
import { listItems } from '../../../../base/read-json.ts';
import { Badge } from '../../../../parts/badge.tsx';
import { Panel } from '../../../../parts/page.tsx';
import { RawAnswer } from '../../../../parts/raw-answer.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../../parts/status.tsx';
import { useShownAccount } from '../../decoded/account-queries.ts';
import { RecentOf } from '../../decoded/recent-of.tsx';
import { FieldTree } from '../../decoded/field-tree.tsx';
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
  const account = useShownAccount(mint);
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
      {isSandbox(instance) ? (
        <Panel title="Largest holders">
          <LargestHolders
            mint={mint}
            symbol={token?.symbol ?? null}
            supply={readSupply(account.data.fields)}
          />
        </Panel>
      ) : null}
      <Panel title="Transactions">
        <RecentOf address={mint} what="the mint" />
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
