import type { ReactNode } from 'react';
import type { DecodedAccount, DecodedInstruction } from '../../api/decoded-transaction.ts';
import { AddressText } from '../address-text.tsx';
import { Badge } from '../badge.tsx';
import { Code } from '../code.tsx';
import { DataTable, type TableColumn } from '../data-table.tsx';
import { Disclosure } from '../disclosure.tsx';
import { toWords } from '../../base/to-words.ts';
import { nameInstruction } from './field-text.ts';
import { InstructionFields } from './instruction-fields.tsx';

/** An instruction: what it is, its fields, and on request its accounts and its data. */
export function InstructionCard({
  instruction,
  children,
}: {
  readonly instruction: DecodedInstruction;
  /** What stands below its fields, such as the calls that it made. */
  readonly children?: ReactNode;
}) {
  const { name, program, programLabel, fields, accounts, data } = instruction;
  return (
    <div className="instruction-card">
      <p className="instruction-card__head">
        <strong className="instruction-card__name" title={name ?? undefined}>
          {nameInstruction(name)}
        </strong>
        <span className="instruction-card__program">
          <AddressText address={program} label={programLabel} copy={false} />
        </span>
      </p>
      <InstructionFields fields={fields} />
      {children}
      {accounts.length === 0 && data === '' ? null : (
        <Disclosure summary={describeDetails(accounts.length)}>
          {accounts.length === 0 ? null : (
            <DataTable
              caption={`The accounts of ${name ?? 'the instruction'}`}
              columns={ACCOUNT_COLUMNS}
              rows={accounts}
              rowKey={(_, index) => index}
            />
          )}
          {data === '' ? null : (
            <div className="instruction-card__data">
              <Code text={data} language="text" label="the data in hexadecimal" maxLines={4} />
            </div>
          )}
        </Disclosure>
      )}
    </div>
  );
}

function describeDetails(accounts: number): string {
  if (accounts === 0) return 'Data';
  return accounts === 1 ? '1 account, and data' : `${accounts} accounts, and data`;
}

const ACCOUNT_COLUMNS: readonly TableColumn<DecodedAccount>[] = [
  { heading: 'Role', cell: ({ role }) => (role === null ? '' : toWords(role)) },
  { heading: 'Account', cell: ({ address, label }) => <AddressText address={address} label={label} /> },
  {
    heading: 'Access',
    cell: ({ signer, writable }) => (
      <span className="instruction-card__access">
        {signer ? <Badge tone="accent">signs</Badge> : null}
        {writable ? <Badge>writes</Badge> : null}
      </span>
    ),
  },
];
