import type { LandedCall, LandedInnerCall } from '../../../chain/landed-transactions.ts';
import type { DecodedTrace } from '../form/decoded-transaction.ts';

const INVOKED = /^Program (\w{32,44}) invoke \[(\d{1,3})\]$/;
const CONSUMED = /^Program (\w{32,44}) consumed (\d{1,15}) of (\d{1,15}) compute units$/;
const ENDED = /^Program (\w{32,44}) (success$|failed: )/;

/** A log has some thousand lines at most. */
const MAX_CALLS = 1_000;

type OpenCall = { -readonly [Field in keyof DecodedTrace]: DecodedTrace[Field] };

/**
 * Finds the calls of programs in the log of a transaction, in the order in which they began. What a program writes itself
 * begins with `Program log: `, so that it cannot pretend to be a call.
 *
 * @param instructions - The instructions of the message.
 * @param calls - The calls that they made, as the network recorded them.
 */
export function readLogTrace(
  logs: readonly string[],
  instructions: readonly LandedCall[],
  calls: readonly LandedInnerCall[],
): readonly DecodedTrace[] {
  const traced: OpenCall[] = [];
  const open: OpenCall[] = [];
  const locator = createCallLocator(instructions, calls);
  for (const [line, text] of logs.entries()) {
    const top = open.at(-1);
    if (top !== undefined) top.lastLine = line;
    const invoked = INVOKED.exec(text);
    if (invoked !== null && traced.length < MAX_CALLS) {
      const [, program = '', depth = '1'] = invoked;
      // A log that lost lines may go up without saying so.
      open.length = Math.min(open.length, Math.max(Number(depth) - 1, 0));
      const begun = createCall(program, Number(depth), line, locator);
      traced.push(begun);
      open.push(begun);
      continue;
    }
    if (top === undefined) continue;
    const consumed = CONSUMED.exec(text);
    if (consumed?.[1] === top.program) {
      top.units = Number(consumed[2]);
      top.unitsLeft = Number(consumed[3]);
    }
    const ended = ENDED.exec(text);
    if (ended?.[1] !== top.program) continue;
    top.outcome = ended[2] === 'success' ? 'success' : 'failed';
    open.pop();
  }
  return traced;
}

function createCall(program: string, depth: number, line: number, locator: CallLocator): OpenCall {
  return {
    program,
    depth,
    ...locator.find(program, depth),
    firstLine: line,
    lastLine: line,
    units: null,
    unitsLeft: null,
    outcome: 'unfinished',
  };
}

interface CallLocator {
  readonly find: (program: string, depth: number) => Pick<DecodedTrace, 'instruction' | 'call'>;
}

/** Pairs logged calls with recorded ones, in order. Instructions that are checked before the transaction runs log nothing. */
function createCallLocator(
  instructions: readonly LandedCall[],
  calls: readonly LandedInnerCall[],
): CallLocator {
  let next = 0;
  let current: number | null = null;
  let nextCall = 0;
  return {
    find: (program, depth) => {
      if (depth === 1) {
        const at = instructions.findIndex((each, index) => index >= next && each.program === program);
        current = at < 0 ? null : at;
        next = at < 0 ? next : at + 1;
        nextCall = 0;
        return { instruction: current, call: null };
      }
      if (current === null) return { instruction: null, call: null };
      const own = calls.filter(({ instruction }) => instruction === current);
      const at = own.findIndex(
        (each, index) =>
          index >= nextCall && each.call.program === program && (each.depth === depth || each.depth === 0),
      );
      if (at < 0) return { instruction: current, call: null };
      nextCall = at + 1;
      return { instruction: current, call: at };
    },
  };
}
