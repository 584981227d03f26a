import './transaction-view.css';
import type { DecodedTransaction } from '../../api/decoded-transaction.ts';
import { Disclosure } from '../disclosure.tsx';
import { AccountList, listUsedAccounts } from './account-list.tsx';
import { BalanceChanges } from './balance-changes.tsx';
import { FailurePanel } from './failure-panel.tsx';
import { InstructionList } from './instruction-list.tsx';
import { LoggedEvents, ReturnedData } from './logged-data.tsx';
import { TransactionFacts } from './transaction-facts.tsx';
import { TransactionLogs } from './transaction-logs.tsx';

/** A transaction that can be read: its facts, what it changed, and its instructions with their calls. */
export function TransactionView({ decoded }: { readonly decoded: DecodedTransaction }) {
  const { result, instructions, signers } = decoded;
  const accounts = listUsedAccounts(decoded);
  return (
    <div className="transaction-view">
      <FailurePanel decoded={decoded} />
      <TransactionFacts decoded={decoded} />
      {result === null ? null : (
        <section className="transaction-view__part">
          <h3>Balances</h3>
          <BalanceChanges balances={result.balances} signers={signers} />
        </section>
      )}
      <section className="transaction-view__part">
        <h3>{instructions.length === 1 ? 'Instruction' : 'Instructions'}</h3>
        <InstructionList instructions={instructions} result={result} />
      </section>
      {result === null || result.events.length === 0 ? null : (
        <Disclosure summary={result.events.length === 1 ? '1 event' : `${result.events.length} events`}>
          <LoggedEvents events={result.events} />
        </Disclosure>
      )}
      {result?.returned == null ? null : (
        <Disclosure summary="Returned data">
          <ReturnedData returned={result.returned} />
        </Disclosure>
      )}
      <Disclosure summary={accounts.length === 1 ? '1 account' : `All ${accounts.length} accounts`}>
        <AccountList accounts={accounts} />
      </Disclosure>
      {result === null || result.logs.length === 0 ? null : (
        <Disclosure summary={`Log, ${result.logs.length} lines`}>
          <TransactionLogs logs={result.logs} />
        </Disclosure>
      )}
    </div>
  );
}
