import type { ReactNode } from 'react';
import type { DecodedInstruction, TransactionResult } from '../../api/decoded-transaction.ts';
import { Disclosure } from '../disclosure.tsx';
import { type CallNode, countCalls, createCallTrees } from './call-tree.ts';
import { InstructionCard } from './instruction-card.tsx';
import { UnitsBar } from './units-bar.tsx';

/** The instructions of a transaction in their order, each with the calls that it made. The one that failed is open. */
export function InstructionList({
  instructions,
  result,
}: {
  readonly instructions: readonly DecodedInstruction[];
  readonly result: TransactionResult | null;
}) {
  const logs = result?.logs ?? [];
  const trees = createCallTrees(instructions, result);
  return (
    <ol className="instruction-list">
      {trees.map((node, index) => {
        const count = countCalls(node);
        return (
          // biome-ignore lint/suspicious/noArrayIndexKey: the instructions of a transaction never change.
          <li key={index} id={`instruction-${index + 1}`}>
            <NodeCard node={node} logs={logs} total={result?.unitsConsumed ?? null}>
              {count === 0 ? null : (
                <Disclosure summary={count === 1 ? '1 call' : `${count} calls`} open={node.hasFailed}>
                  <CallList nodes={node.children} logs={logs} total={result?.unitsConsumed ?? null} />
                </Disclosure>
              )}
            </NodeCard>
          </li>
        );
      })}
    </ol>
  );
}

/** A chain allows five levels of calls; what claims more is shown beside the fifth. */
const MAX_LEVEL = 5;

interface NodesProps {
  readonly nodes: readonly CallNode[];
  readonly logs: readonly string[];
  readonly total: number | null;
}

function CallList({ nodes, logs, total, level = 1 }: NodesProps & { readonly level?: number }) {
  return (
    <ol
      className={`instruction-list instruction-list--calls${level > MAX_LEVEL ? ' instruction-list--flat' : ''}`}
    >
      {nodes.map((node) => (
        <li key={node.call}>
          <NodeCard node={node} logs={logs} total={total}>
            {node.children.length === 0 ? null : (
              <CallList nodes={node.children} logs={logs} total={total} level={level + 1} />
            )}
          </NodeCard>
        </li>
      ))}
    </ol>
  );
}

function NodeCard({
  node: { decoded, trace, lines, isFailed, hasFailed },
  logs,
  total,
  children,
}: Omit<NodesProps, 'nodes'> & { readonly node: CallNode; readonly children: ReactNode }) {
  return (
    <InstructionCard
      instruction={decoded}
      outcome={isFailed ? 'failed' : hasFailed ? 'failed-within' : null}
      units={trace?.units == null ? null : <UnitsBar units={trace.units} total={total} />}
      lines={lines.flatMap((line) => logs[line] ?? [])}
    >
      {children}
    </InstructionCard>
  );
}
