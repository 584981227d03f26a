import type { DecodedEvent, DecodedReturn, DecodedTrace } from '../form/decoded-transaction.ts';

/** Reads an event that a program logged. Its name is null if it is not known. */
export type EventReader = (
  program: string,
  data: Uint8Array,
) => {
  readonly label: string | null;
  readonly name: string | null;
  readonly fields: readonly { readonly name: string; readonly value: string; readonly unit: null }[];
};

const EMITTED = /^Program data: ([A-Za-z0-9+/]+={0,2})$/;
const RETURNED = /^Program return: (\w{32,44}) ([A-Za-z0-9+/]*={0,2})$/;
const MAX_EVENTS = 100;

/** Reads the events that programs logged, each with the program that was running. */
export function readLoggedEvents(
  logs: readonly string[],
  trace: readonly DecodedTrace[],
  read: EventReader,
): readonly DecodedEvent[] {
  const events: DecodedEvent[] = [];
  for (const [line, text] of logs.entries()) {
    if (events.length === MAX_EVENTS) break;
    const data = EMITTED.exec(text)?.[1];
    if (data === undefined) continue;
    // The innermost call that contains the line is the last one that began before it.
    const by = trace.findLast(({ firstLine, lastLine }) => firstLine < line && line < lastLine);
    if (by === undefined) continue;
    const bytes = Buffer.from(data, 'base64');
    const { label, name, fields } = read(by.program, bytes);
    const { program } = by;
    events.push({ program, programLabel: label, name, fields, data: bytes.toString('hex'), logLine: line });
  }
  return events;
}

/** Reads what the last program that returned something has returned; null if there is none. */
export function readReturnData(
  logs: readonly string[],
  findLabel: (program: string) => string | null,
): DecodedReturn | null {
  const found = logs.findLast((text) => RETURNED.test(text));
  const [, program, data] = found === undefined ? [] : (RETURNED.exec(found) ?? []);
  if (program === undefined || data === undefined) return null;
  return { program, programLabel: findLabel(program), data: Buffer.from(data, 'base64').toString('hex') };
}
