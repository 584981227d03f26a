import './transaction-actions.css';
import { useMutation } from '@tanstack/react-query';
import { useMemo, useState } from 'react';
import { useInstance } from '../../../api/instance.ts';
import { Button } from '../../../parts/button.tsx';
import { ErrorNote } from '../../../parts/status.tsx';
import type { SentAnswer } from '../request/send-request.ts';
import { type FoundTransaction, findTransactions, parseTransactionText } from './find-transactions.ts';
import { findInstructions, type InstructionSet } from './find-instructions.ts';
import { TransactionPanel } from './transaction-panel.tsx';

/** The request whose answer is shown. */
export interface AnsweredRequest {
  readonly path: string;
}

/** Longer answers are lists, and have no transactions to sign. */
const MAX_SEARCHED = 1_000_000;

/** What can be done with the transactions of an answer: read, simulate, sign and send them. */
export function TransactionActions({
  answer,
  request,
}: {
  readonly answer: SentAnswer;
  readonly request: AnsweredRequest;
}) {
  const { transactions, instructions } = useMemo(() => findSubjects(answer), [answer]);
  if (transactions.length === 0 && instructions === null) return null;
  return (
    <section className="transaction-actions" aria-label="Transactions of the answer">
      {transactions.map((found) => (
        <TransactionPanel key={found.path} found={found} request={request} />
      ))}
      {instructions === null || transactions.length > 0 ? null : (
        <CompiledPanel set={instructions} request={request} />
      )}
    </section>
  );
}

function findSubjects({ body, status }: SentAnswer): {
  readonly transactions: readonly FoundTransaction[];
  readonly instructions: InstructionSet | null;
} {
  const nothing = { transactions: [], instructions: null };
  if (status >= 400 || body.kind !== 'text' || body.text.length > MAX_SEARCHED) return nothing;
  try {
    const json: unknown = JSON.parse(body.text);
    return { transactions: findTransactions(json), instructions: findInstructions(json) };
  } catch {
    return nothing;
  }
}

/** Compiles instructions to a transaction, on which the same can be done. */
function CompiledPanel({
  set,
  request,
}: {
  readonly set: InstructionSet;
  readonly request: AnsweredRequest;
}) {
  const { data: instance } = useInstance();
  const [compiled, setCompiled] = useState<FoundTransaction | null>(null);
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const { compileInstructions } = await import('./compile-instructions.ts');
      const transaction = await compileInstructions(set);
      const parsed = parseTransactionText(transaction);
      if (parsed === null) throw new Error('The instructions are too large for one transaction.');
      setCompiled({ path: 'the compiled transaction', transaction, ...parsed, requestId: null });
    },
  });
  if (compiled !== null) return <TransactionPanel found={compiled} request={request} />;
  const needsNetwork = set.blockhash === null || set.lookupTableAddresses.length > set.lookupTables.size;
  if (needsNetwork && instance?.network.kind !== 'embedded') return null;
  return (
    <div className="transaction-actions__panel">
      <p>
        The answer has {set.instructions.length} instructions. Compiled to a transaction, they can be read,
        simulated, signed and sent.
      </p>
      <div className="transaction-actions__buttons">
        <Button busy={isPending} onClick={() => mutate()}>
          Compile
        </Button>
      </div>
      {error === null ? null : <ErrorNote error={error} />}
    </div>
  );
}
