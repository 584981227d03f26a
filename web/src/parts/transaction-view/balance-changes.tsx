import type { BalanceChange, DecodedTransaction } from '../../api/decoded-transaction.ts';
import { AddressText } from '../address-text.tsx';
import { Amount } from '../amount.tsx';
import { DataTable, type TableColumn } from '../data-table.tsx';
import { Disclosure } from '../disclosure.tsx';
import { EmptyNote } from '../status.tsx';
import { shortenAddress } from '../../base/format-text.ts';

/** What the signers had before and after, and on request the same of all other accounts. */
export function BalanceChanges({
  balances,
  signers,
}: {
  readonly balances: readonly BalanceChange[];
  readonly signers: DecodedTransaction['signers'];
}) {
  const owners = new Set(signers.map(({ address }) => address));
  const own = balances.filter(({ owner }) => owners.has(owner));
  const others = balances.filter(({ owner }) => !owners.has(owner));
  return (
    <>
      {own.length === 0 ? (
        <EmptyNote>No balance of a signer has changed.</EmptyNote>
      ) : (
        <BalanceTable caption="Balances of the signers" balances={own} />
      )}
      {others.length === 0 ? null : (
        <Disclosure
          summary={
            others.length === 1
              ? '1 balance of another account'
              : `${others.length} balances of other accounts`
          }
        >
          <BalanceTable caption="Balances of other accounts" balances={others} />
        </Disclosure>
      )}
    </>
  );
}

function BalanceTable({
  caption,
  balances,
}: {
  readonly caption: string;
  readonly balances: readonly BalanceChange[];
}) {
  return (
    <div className="balance-changes">
      <DataTable
        caption={caption}
        columns={COLUMNS}
        rows={balances}
        rowKey={({ account, native }) => `${account} ${native}`}
      />
    </div>
  );
}

const COLUMNS: readonly TableColumn<BalanceChange>[] = [
  {
    heading: 'Account',
    cell: ({ account, label }) => (
      <span className="balance-changes__account">
        <AddressText address={account} label={label} copy={false} />
      </span>
    ),
  },
  { heading: 'Before', align: 'end', cell: (change) => <Held change={change} raw={change.before} /> },
  { heading: 'After', align: 'end', cell: (change) => <Held change={change} raw={change.after} /> },
  {
    heading: 'Change',
    align: 'end',
    cell: (change) => {
      const raw = BigInt(change.after) - BigInt(change.before);
      return (
        <span className={raw > 0n ? 'balance-changes__gain' : 'balance-changes__loss'}>
          <Amount raw={raw} decimals={change.decimals} symbol={nameUnit(change)} signed />
        </span>
      );
    },
  },
];

function Held({ change, raw }: { readonly change: BalanceChange; readonly raw: string }) {
  return <Amount raw={raw} decimals={change.decimals} symbol={nameUnit(change)} />;
}

function nameUnit({ symbol, mint }: BalanceChange): string {
  return symbol ?? shortenAddress(mint);
}
