import type { DecodedTransaction } from '../../../api/decoded-transaction.ts';

/** The instructions of a transaction by their names. */
export function DecodedView({ decoded }: { readonly decoded: DecodedTransaction }) {
  return (
    <ol>
      {decoded.instructions.map(({ program, programLabel, name }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the instructions of a transaction never change.
        <li key={index}>
          {programLabel ?? program}: {name ?? 'unknown instruction'}
        </li>
      ))}
    </ol>
  );
}
