import type { DecodedInstruction, DecodedTrace, TransactionResult } from '../../api/decoded-transaction.ts';

/** An instruction or a call, with the calls that it made. */
export interface CallNode {
  readonly decoded: DecodedInstruction;
  /** The index among the calls of its instruction; null for the instruction itself. */
  readonly call: number | null;
  /** What the log says about it; null if it does not, or if there is none. */
  readonly trace: DecodedTrace | null;
  /** The indexes of those lines of the log that are its own, and of none of its calls. */
  readonly lines: readonly number[];
  readonly isFailed: boolean;
  /** Whether the failure is in it or in one of its calls. */
  readonly hasFailed: boolean;
  readonly children: readonly CallNode[];
}

type OpenNode = CallNode & { hasFailed: boolean; readonly children: OpenNode[] };

/** Makes a tree of each instruction, from its calls in their order and depths. Calls of an unknown depth are its own. */
export function createCallTrees(
  instructions: readonly DecodedInstruction[],
  result: TransactionResult | null,
): readonly CallNode[] {
  return instructions.map((decoded, index) => {
    const calls = result?.inner.find((group) => group.index === index)?.instructions ?? [];
    const root = createNode(decoded, index, null, result);
    const path: OpenNode[] = [root];
    for (const [at, call] of calls.entries()) {
      const node = createNode(call, index, at, result);
      path.length = Math.max(1, Math.min(path.length, call.depth - 1));
      path.at(-1)?.children.push(node);
      path.push(node);
    }
    markFailures(root);
    return root;
  });
}

function createNode(
  decoded: DecodedInstruction,
  instruction: number,
  call: number | null,
  result: TransactionResult | null,
): OpenNode {
  const trace =
    result?.trace.find(
      (each) => each.instruction === instruction && each.call === call && isOf(each, decoded),
    ) ?? null;
  const { failure } = result ?? { failure: null };
  const isFailed = failure != null && failure.instruction === instruction && failure.call === call;
  return {
    decoded,
    call,
    trace,
    lines: trace === null || result === null ? [] : listOwnLines(trace, result.trace),
    isFailed,
    hasFailed: isFailed,
    children: [],
  };
}

function isOf(trace: DecodedTrace, { program }: DecodedInstruction): boolean {
  return trace.program === program;
}

function listOwnLines(trace: DecodedTrace, all: readonly DecodedTrace[]): readonly number[] {
  const { firstLine, lastLine } = trace;
  const inner = all.filter(
    (each) => each !== trace && each.firstLine > firstLine && each.lastLine <= lastLine,
  );
  const isOwn = (line: number) => inner.every((each) => line < each.firstLine || line > each.lastLine);
  const lines = Array.from({ length: lastLine - firstLine + 1 }, (_, offset) => firstLine + offset);
  return lines.filter(isOwn);
}

function markFailures(node: OpenNode): boolean {
  for (const child of node.children) if (markFailures(child)) node.hasFailed = true;
  return node.hasFailed;
}

/** Counts a node's calls, and theirs. */
export function countCalls({ children }: CallNode): number {
  return children.reduce((sum, child) => sum + 1 + countCalls(child), 0);
}
