import type { DecodedAccount, DecodedTransaction } from '../../api/decoded-transaction.ts';
import { toWords } from '../../base/to-words.ts';
import { AddressText } from '../address-text.tsx';
import { Badge } from '../badge.tsx';
import { DataTable, type TableColumn } from '../data-table.tsx';

interface UsedAccount {
  readonly address: string;
  readonly label: string | null;
  readonly signer: boolean;
  readonly writable: boolean;
  readonly roles: readonly string[];
  /** The numbers of the instructions that name it. */
  readonly instructions: readonly number[];
}

/** All accounts of a transaction, once each, with their roles and the instructions that name them. */
export function AccountList({ accounts }: { readonly accounts: readonly UsedAccount[] }) {
  return (
    <DataTable
      caption="The accounts of the transaction"
      columns={COLUMNS}
      rows={accounts}
      rowKey={({ address }) => address}
    />
  );
}

const SHOWN_ROLES = 3;

const COLUMNS: readonly TableColumn<UsedAccount>[] = [
  { heading: 'Account', cell: ({ address, label }) => <AddressText address={address} label={label} /> },
  {
    heading: 'Access',
    cell: ({ signer, writable }) => (
      <span className="instruction-card__access">
        {signer ? <Badge tone="accent">signs</Badge> : null}
        {writable ? <Badge>writes</Badge> : <Badge>reads</Badge>}
      </span>
    ),
  },
  {
    heading: 'Roles',
    cell: ({ roles }) => {
      const more = roles.length - SHOWN_ROLES;
      const shown = roles.slice(0, SHOWN_ROLES).map(toWords).join(', ');
      return more > 0 ? `${shown} and ${more} more` : shown;
    },
  },
  { heading: 'Instructions', align: 'end', cell: ({ instructions }) => instructions.join(', ') },
];

/** Collects the accounts that the instructions of a transaction name, the fee payer first. */
export function listUsedAccounts({
  feePayer,
  instructions,
  signers,
}: DecodedTransaction): readonly UsedAccount[] {
  const found = new Map<string, { account: DecodedAccount; roles: Set<string>; instructions: Set<number> }>();
  const payer = { address: feePayer, label: 'fee payer', role: 'fee_payer', signer: true, writable: true };
  const add = (account: DecodedAccount, instruction: number | null) => {
    const entry = found.get(account.address) ?? { account, roles: new Set(), instructions: new Set() };
    if (account.role !== null) entry.roles.add(account.role);
    if (instruction !== null) entry.instructions.add(instruction);
    found.set(account.address, entry);
  };
  add(payer, null);
  for (const { address, label } of signers)
    if (address !== feePayer) add({ address, label, role: null, signer: true, writable: false }, null);
  for (const [index, { program, programLabel, accounts }] of instructions.entries()) {
    for (const account of accounts) if (account.label !== 'not given') add(account, index + 1);
    add(
      { address: program, label: programLabel, role: 'program', signer: false, writable: false },
      index + 1,
    );
  }
  return [...found.values()].map(({ account: { address, label, signer, writable }, ...used }) => ({
    address,
    label,
    signer,
    writable,
    roles: [...used.roles],
    instructions: [...used.instructions],
  }));
}
