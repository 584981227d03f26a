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
import { TransactionLogs } from './transaction-logs.tsx';

/** An instruction: what it is, its fields, and on request its accounts and its data. */
export function InstructionCard({
  instruction,
  outcome = null,
  units = null,
  lines = [],
  children,
}: {
  readonly instruction: DecodedInstruction;
  /** Whether it is what failed, or called what did. Default: neither. */
  readonly outcome?: 'failed' | 'failed-within' | null;
  /** Shown beside its name. */
  readonly units?: ReactNode;
  /** Its own lines of the log. */
  readonly lines?: readonly string[];
  /** What stands below its fields, such as the calls that it made. */
  readonly children?: ReactNode;
}) {
  const { name, program, programLabel, fields, accounts, data } = instruction;
  const log =
    lines.length === 0 ? null : (
      <TransactionLogs logs={lines} label={`What the log says of ${nameInstruction(name)}`} />
    );
  return (
    <div className={outcome === 'failed' ? 'instruction-card instruction-card--failed' : 'instruction-card'}>
      <p className="instruction-card__head">
        <strong className="instruction-card__name" title={name ?? undefined}>
          {nameInstruction(name)}
        </strong>
        <span className="instruction-card__program">
          <AddressText address={program} label={programLabel} copy={false} />
        </span>
        {outcome === 'failed' ? <Badge tone="danger">failed</Badge> : null}
        {outcome === 'failed-within' ? <Badge tone="warning">failed by a call</Badge> : null}
        {units}
      </p>
      <InstructionFields fields={fields} />
      {outcome === 'failed' ? log : null}
      {children}
      {accounts.length === 0 && data === '' && lines.length === 0 ? null : (
        <Disclosure summary={describeDetails(accounts.length, lines.length)}>
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
          {outcome === 'failed' ? null : log}
        </Disclosure>
      )}
    </div>
  );
}

function describeDetails(accounts: number, lines: number): string {
  const counts = [
    accounts === 0 ? [] : [accounts === 1 ? '1 account' : `${accounts} accounts`],
    ['data'],
    lines === 0 ? [] : [lines === 1 ? '1 line of the log' : `${lines} lines of the log`],
  ].flat();
  const text = counts.join(', ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
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
