import type { DestinationStream } from 'pino';

const LEVELS: Readonly<Record<number, string>> = {
  10: 'trace',
  20: 'debug',
  30: 'info ',
  40: 'WARN ',
  50: 'ERROR',
  60: 'FATAL',
};
const WARN = 40;
const HIDDEN = new Set(['level', 'time', 'pid', 'hostname', 'msg', 'err']);
const TIME_AT = 11;
const TIME_LENGTH = 8;
/** Control characters could move the cursor or hide text, and a line may hold what a client sent. */
const UNPRINTABLE = /[^\P{C}\n]/gu;
/** The most lines that wait for the banner. Further lines are written at once. */
const MAX_HELD = 1_000;

/**
 * Formats a JSON line of the log for a person: time (UTC), level, message, and the fields.
 * Returns the line with its end; a text that is not JSON is returned as it is.
 */
export function formatLogLine(line: string): string {
  let fields: Record<string, unknown>;
  try {
    fields = JSON.parse(line) as Record<string, unknown>;
  } catch {
    return line;
  }
  const { level, time, msg, err } = fields;
  const at =
    typeof time === 'number' ? new Date(time).toISOString().slice(TIME_AT, TIME_AT + TIME_LENGTH) : '';
  const rest = Object.entries(fields)
    .filter(([name]) => !HIDDEN.has(name))
    .map(([name, value]) => ` ${name}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('');
  const { message, stack } = (err ?? {}) as { message?: unknown; stack?: unknown };
  const failure = err === undefined ? '' : `\n${String(stack ?? message)}`;
  const text = `${at} ${LEVELS[Number(level)] ?? level} ${String(msg ?? '')}${rest}${failure}`;
  return `${text.replace(UNPRINTABLE, '\uFFFD')}\n`;
}

/** A destination for a terminal that holds back less urgent lines until the banner is written. */
export interface TerminalLog extends DestinationStream {
  /** Writes the lines that waited. Call it once, after the banner or when the start fails. */
  readonly release: () => void;
}

/**
 * Writes lines for a person. Until `release` is called, lines below `warn` wait.
 * @param write - Writes a text to the terminal.
 */
export function createTerminalLog(write: (text: string) => void): TerminalLog {
  let held: string[] | null = [];
  return {
    write: (line) => {
      const text = formatLogLine(line);
      if (held === null || held.length >= MAX_HELD || isUrgent(line)) write(text);
      else held.push(text);
    },
    release: () => {
      const waiting = held ?? [];
      held = null;
      for (const text of waiting) write(text);
    },
  };
}

function isUrgent(line: string): boolean {
  return Number(/^\{"level":(\d+)/.exec(line)?.[1] ?? WARN) >= WARN;
}
