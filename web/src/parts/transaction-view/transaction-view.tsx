import './transaction-view.css';
import type { DecodedTransaction } from '../../api/decoded-transaction.ts';
import { escapeInvisible } from '../../base/format-text.ts';
import { Disclosure } from '../disclosure.tsx';
import { BalanceChanges } from './balance-changes.tsx';
import { InstructionList } from './instruction-list.tsx';
import { TransactionFacts } from './transaction-facts.tsx';
import { TransactionLogs } from './transaction-logs.tsx';

/** A transaction that can be read: its facts, what it changed, and its instructions with their calls. */
export function TransactionView({ decoded }: { readonly decoded: DecodedTransaction }) {
  const { result, instructions, signers } = decoded;
  return (
    <div className="transaction-view">
      {result === null || result.error === null ? null : (
        <div className="transaction-view__error" role="status">
          <p>
            <strong>The transaction failed.</strong> {escapeInvisible(result.errorText ?? result.error)}
          </p>
          <p className="transaction-view__error-code">{result.error}</p>
        </div>
      )}
      <TransactionFacts decoded={decoded} />
      {result === null ? null : (
        <section className="transaction-view__part">
          <h3>Balances</h3>
          <BalanceChanges balances={result.balances} signers={signers} />
        </section>
      )}
      <section className="transaction-view__part">
        <h3>{instructions.length === 1 ? 'Instruction' : 'Instructions'}</h3>
        <InstructionList instructions={instructions} inner={result?.inner ?? []} />
      </section>
      {result === null || result.logs.length === 0 ? null : (
        <Disclosure summary={`Log, ${result.logs.length} lines`} open={result.error !== null}>
          <TransactionLogs logs={result.logs} />
        </Disclosure>
      )}
    </div>
  );
}
