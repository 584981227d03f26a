import type { DecodedInstruction, TransactionResult } from '../../api/decoded-transaction.ts';
import { Disclosure } from '../disclosure.tsx';
import { InstructionCard } from './instruction-card.tsx';

/** The instructions of a transaction in their order, each with the calls that it made. */
export function InstructionList({
  instructions,
  inner,
}: {
  readonly instructions: readonly DecodedInstruction[];
  readonly inner: TransactionResult['inner'];
}) {
  return (
    <ol className="instruction-list">
      {instructions.map((instruction, index) => {
        const calls = inner.find((group) => group.index === index)?.instructions ?? [];
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the instructions of a transaction never change.
          <li key={index}>
            <InstructionCard instruction={instruction}>
              {calls.length === 0 ? null : (
                <Disclosure summary={calls.length === 1 ? '1 call' : `${calls.length} calls`}>
                  <CallList calls={calls} />
                </Disclosure>
              )}
            </InstructionCard>
          </li>
        );
      })}
    </ol>
  );
}

/** Calls stand the further to the right, the deeper they are. A chain allows five levels. */
const MAX_LEVEL = 4;

function CallList({ calls }: { readonly calls: readonly DecodedInstruction[] }) {
  return (
    <ol className="instruction-list instruction-list--calls">
      {calls.map((call, index) => (
        <li
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a transaction never change.
          key={index}
          className={`instruction-list__level-${Math.min(Math.max(call.depth - 2, 0), MAX_LEVEL)}`}
        >
          <InstructionCard instruction={call} />
        </li>
      ))}
    </ol>
  );
}
