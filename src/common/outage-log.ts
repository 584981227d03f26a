/** Writes a line with its details to the log, at a level. */
type WriteLine = (details: object, message: string) => void;

/** Logs outages of a dependency: one line when an outage begins, and one when it has ended. */
export interface OutageLog {
  /** Call it for each failure. Those after the first are logged at `debug`. */
  readonly onFailure: (error: unknown) => void;
  /** Call it for each success. */
  readonly onAnswer: () => void;
}

/**
 * @param failing - The line when an outage begins.
 * @param over - The line when it has ended, followed by its duration in seconds.
 * @param now - Returns milliseconds.
 * @example
 * ```ts
 * import pino from 'pino';
 * import { createOutageLog } from './outage-log.ts';
 *
 * const { onFailure, onAnswer } = createOutageLog(pino(), 'the database does not answer', 'the database answers again');
 * ```
 */
export function createOutageLog(
  logger: { readonly debug: WriteLine; readonly error: WriteLine; readonly info: WriteLine },
  failing: string,
  over: string,
  now: () => number = Date.now,
): OutageLog {
  let since: number | null = null;
  return {
    onFailure: (error) => {
      const isFirst = since === null;
      since ??= now();
      logger[isFirst ? 'error' : 'debug'](describeOutage(error), failing);
    },
    onAnswer: () => {
      if (since === null) return;
      logger.info({ seconds: Math.round((now() - since) / 1_000) }, over);
      since = null;
    },
  };
}

/**
 * Describes a failure of a dependency by its innermost cause, because the statement and the stack say nothing about an
 * outage. An error without a cause is a defect of Sluice, and keeps its stack.
 */
function describeOutage(error: unknown): object {
  if (!(error instanceof Error) || !(error.cause instanceof Error)) return { err: error };
  let innermost: Error = error.cause;
  for (let depth = 0; depth < 5 && innermost.cause instanceof Error; depth++) innermost = innermost.cause;
  return { reason: innermost.message };
}

/** What the library of the database writes of a statement that failed: the statement and its parameters. */
const STATEMENT = /\bFailed query:.*$/s;

/**
 * Returns why a dependency failed, for anybody who may ask whether a part works. A statement of the database that failed is told
 * by its cause: its own message holds the statement and its parameters.
 *
 * @example
 * ```ts
 * import { describeOutageReason } from './outage-log.ts';
 *
 * const failed = new Error('Failed query: select * from keys', { cause: new Error('the server is stopping') });
 * describeOutageReason(failed); // 'the server is stopping'
 * ```
 */
export function describeOutageReason(error: unknown): string {
  let told = error;
  for (let depth = 0; depth < 5 && told instanceof Error && STATEMENT.test(told.message); depth++)
    told = told.cause ?? 'a statement failed';
  if (!(told instanceof Error)) return String(told);
  // The error of several tries to connect has a code alone.
  const code = 'code' in told && typeof told.code === 'string' ? told.code : told.name;
  return removeStatement(told.message || code);
}

/** Removes a statement of the database that failed, with its parameters, from a text that others may read. */
export function removeStatement(text: string): string {
  return text.replace(STATEMENT, 'a statement failed');
}
