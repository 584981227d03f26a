import { formatCounted } from '../../../base/count-words.ts';
import { Link } from '@tanstack/react-router';
import { useInstance } from '../../../api/instance.ts';
import { formatWhole } from '../../../base/format-amount.ts';
import { escapeInvisible } from '../../../base/format-text.ts';
import { toWords } from '../../../base/to-words.ts';
import { AddressText } from '../../../parts/address-text.tsx';
import { Amount } from '../../../parts/amount.tsx';
import { Badge } from '../../../parts/badge.tsx';
import { DataTable } from '../../../parts/data-table.tsx';
import { Panel } from '../../../parts/page.tsx';
import { Stat, StatList } from '../../../parts/stat.tsx';
import { EmptyNote, ErrorNote, Loading } from '../../../parts/status.tsx';
import { useShownAccount } from '../decoded/account-queries.ts';
import { RecentOf } from '../decoded/recent-of.tsx';
import { FieldTree } from '../decoded/field-tree.tsx';
import { HeldTokens } from './held-tokens.tsx';
import { RawData } from './raw-data.tsx';
import type { ShownAccount } from '../decoded/shown-account.ts';
import './account-view.css';

const SOL_DECIMALS = 9;

/** An account: what it is, its fields, its tokens, and the last transactions that name it. */
export function AccountView({ address }: { readonly address: string }) {
  const { data, error, refetch } = useShownAccount(address);
  if (data === undefined) {
    return error === null ? (
      <Loading what="the account" />
    ) : (
      <ErrorNote error={error} onRetry={() => void refetch()} />
    );
  }
  return (
    <>
      <AccountHead address={address} account={data} />
      {data.fields.length === 0 ? null : (
        <Panel title="Fields">
          <FieldTree fields={data.fields} />
        </Panel>
      )}
      {data.instructions.length === 0 ? null : (
        <Panel title="Instructions">
          <p className="account-view__instructions">
            {data.instructions.map((name) => (
              <code key={name}>{escapeInvisible(name)}</code>
            ))}
          </p>
        </Panel>
      )}
      {data.executable || data.links.token ? null : (
        <HeldTokens owner={address} isExpected={data.kind === 'Wallet'} />
      )}
      {data.related.length === 0 ? null : (
        <Panel title="Related accounts">
          <RelatedAccounts related={data.related} />
        </Panel>
      )}
      <Panel title="Transactions">
        <RecentOf address={address} what="the account" />
      </Panel>
      {data.data === null ? null : (
        <Panel title="Data">
          <RawData data={data.data} bytes={data.bytes} />
        </Panel>
      )}
    </>
  );
}

function AccountHead({ address, account }: { readonly address: string; readonly account: ShownAccount }) {
  const { kind, label, summary, exists, links, executable } = account;
  const title = kind ?? (exists ? 'Account of a program' : 'No account');
  return (
    <Panel
      title={executable ? 'Program' : title}
      aside={label === null ? null : <Badge>{escapeInvisible(label)}</Badge>}
    >
      <p>
        {escapeInvisible(summary)}{' '}
        {links.pool ? (
          <Link to="/explorer/pool/$address" params={{ address }} preload={false}>
            Open the pool: its price and depth
          </Link>
        ) : null}
        {kind === 'Wallet' ? <PortfolioLink address={address} /> : null}
        <OrdersLink account={account} />
        {links.token ? (
          <Link to="/explorer/token/$mint" params={{ mint: address }} preload={false}>
            Open the token: its price, pools and holders
          </Link>
        ) : null}
      </p>
      {exists ? <AccountStats account={account} /> : <NoAccount />}
    </Panel>
  );
}

/** What a wallet has is worth something where portfolios are served. */
function PortfolioLink({ address }: { readonly address: string }) {
  const { data: instance } = useInstance();
  return instance?.products.some(({ name }) => name === 'portfolio') === true ? (
    <Link to="/products/portfolio" search={{ address }} preload={false}>
      Open its portfolio: the worth of its tokens, and its positions
    </Link>
  ) : null;
}

/** The fields of orders that say whose they are. */
const ORDER_OWNERS: ReadonlyMap<string | null, string> = new Map([
  ['Limit order', 'maker'],
  ['Recurring order', 'user'],
]);

function OrdersLink({ account: { kind, fields } }: { readonly account: ShownAccount }) {
  const owner = fields.find(({ name, kind: of }) => of === 'address' && name === ORDER_OWNERS.get(kind));
  return owner === undefined ? null : (
    <Link to="/products/orders" search={{ address: owner.value }} preload={false}>
      All orders of the wallet
    </Link>
  );
}

function AccountStats({ account }: { readonly account: ShownAccount }) {
  const { lamports, owner, ownerLabel, program, executable, bytes, slot } = account;
  return (
    <StatList>
      <Stat label="Balance" value={<Amount raw={lamports} decimals={SOL_DECIMALS} symbol="SOL" />} />
      {executable && program !== null ? <Stat label="Name" value={escapeInvisible(program)} /> : null}
      {owner === null ? null : (
        <Stat
          label="Owner"
          value={
            <AddressText
              address={owner}
              label={ownerLabel === null ? null : escapeInvisible(ownerLabel)}
              copy={false}
            />
          }
        />
      )}
      <Stat label="Data" value={formatCounted(bytes, 'byte')} />
      <Stat label="As of slot" value={formatWhole(BigInt(slot))} />
    </StatList>
  );
}

function NoAccount() {
  return (
    <EmptyNote>
      Nothing is stored here now: it was never used, or was closed. Transactions that name the address are
      below.
    </EmptyNote>
  );
}

function RelatedAccounts({ related }: Pick<ShownAccount, 'related'>) {
  return (
    <DataTable
      caption="Accounts that it names"
      columns={[
        { heading: 'Role', cell: ({ role }) => escapeInvisible(toWords(role)) },
        { heading: 'What it is', cell: ({ label }) => (label === null ? '–' : escapeInvisible(label)) },
        { heading: 'Address', cell: ({ address }) => <AddressText address={address} /> },
      ]}
      rows={related}
      rowKey={({ address }) => address}
    />
  );
}
