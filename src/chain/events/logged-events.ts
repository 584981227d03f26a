import type { LandedCall, LandedTransaction } from '../landed-transactions.ts';
import type { Address } from '../../solana/address.ts';
import type { EmittedEvent } from './emitted-events.ts';

const INVOKE = /^Program (\S+) invoke \[(\d+)\]$/;
const END = /^Program (\S+) (success$|failed: )/;
const DATA = 'Program data: ';

/**
 * Lists the events that a program wrote into the log of a transaction, in their order. Only the running program can write such
 * a line: what programs log as text begins with `Program log:`. A failed transaction has no events. The network cuts off a log
 * that is too long, and the events that would follow are missing.
 */
export function listLoggedEvents(
  { error, logs, instructions, calls }: Pick<LandedTransaction, 'error' | 'logs' | 'instructions' | 'calls'>,
  program: Address,
): readonly EmittedEvent[] {
  if (error !== null) return [];
  const events: EmittedEvent[] = [];
  const running: LandedCall[] = [];
  let instruction = -1;
  let calledBefore = 0;
  for (const line of logs) {
    const invoked = INVOKE.exec(line);
    if (invoked !== null) {
      const [, name, depth] = invoked;
      // Some native programs run without a line in the log.
      const isCalled = (call: LandedCall | undefined) => call?.program === name;
      if (depth === '1') {
        instruction = instructions.findIndex((each, index) => index > instruction && isCalled(each));
        calledBefore = calls.findIndex((each) => each.instruction === instruction);
      }
      const called = depth === '1' ? instructions[instruction] : calls[calledBefore++]?.call;
      running.push(called ?? { program: name as Address, accounts: [], data: new Uint8Array() });
      continue;
    }
    if (END.test(line)) {
      running.pop();
      continue;
    }
    const by = running.at(-1);
    if (by?.program !== program || !line.startsWith(DATA)) continue;
    const data = line.slice(DATA.length).split(' ');
    for (const part of data) events.push({ data: new Uint8Array(Buffer.from(part, 'base64')), by });
  }
  return events;
}
