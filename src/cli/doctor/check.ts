import { OperatorError } from '../../common/operator-error.ts';
import { type Timers, waitWithin } from '../../common/ports/timers.ts';
import { Unavailable } from '../../common/unavailable.ts';

/** `warning`: Sluice starts and serves, but something can be lost or will fail later. `fault`: it does not start or serve. */
export type FindingStatus = 'ok' | 'warning' | 'fault';

/** The result of a check: the state that was found, or what is wrong and what to do. */
export interface DoctorFinding {
  readonly status: FindingStatus;
  readonly message: string;
}

/** One thing that an instance needs. */
export interface DoctorCheck {
  /** The name of the setting or part, unique among the checks. */
  readonly name: string;
  readonly run: () => DoctorFinding | Promise<DoctorFinding>;
}

export interface NamedFinding extends DoctorFinding {
  readonly name: string;
}

/** The time limit of each check. */
export const CHECK_MS = 10_000;
const MAX_MESSAGE = 600;
/** Control characters, and those that change the direction of text: a hostile server chooses some of what is shown. */
const UNPRINTABLE = /[\p{Cc}\u200e\u200f\u202a-\u202e\u2066-\u2069]+/gu;

export const ok = (message: string): DoctorFinding => ({ status: 'ok', message });
export const warning = (message: string): DoctorFinding => ({ status: 'warning', message });
export const fault = (message: string): DoctorFinding => ({ status: 'fault', message });

/**
 * Runs all checks at once. One that throws, or does not end in time, is a fault.
 *
 * @param secrets - Texts that are replaced wherever a message contains them.
 * @returns The findings, in the order of the checks.
 */
export function runChecks(
  checks: readonly DoctorCheck[],
  secrets: readonly string[],
  timers: Pick<Timers, 'after'>,
): Promise<readonly NamedFinding[]> {
  return Promise.all(
    checks.map(async ({ name, run }) => {
      const { status, message } = await runBounded(run, timers);
      return { name, status, message: hideSecrets(message, secrets) };
    }),
  );
}

async function runBounded(run: DoctorCheck['run'], timers: Pick<Timers, 'after'>): Promise<DoctorFinding> {
  try {
    const finding = await waitWithin(Promise.resolve().then(run), CHECK_MS, timers);
    if (finding !== undefined) return finding;
  } catch (error) {
    return fault(describeFailure(error));
  }
  return fault(
    `it has not answered within ${CHECK_MS / 1_000} seconds; see that it runs and is not blocked by a firewall`,
  );
}

/** Runs a check, and says what to do when it throws. */
export async function runWithRemedy(
  run: () => Promise<DoctorFinding>,
  remedy: string,
): Promise<DoctorFinding> {
  try {
    return await run();
  } catch (error) {
    return fault(`${describeFailure(error)}; ${remedy}`);
  }
}

/** Returns why a check failed, in one line. */
export function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof Unavailable && error.cause instanceof Error) return describeFailure(error.cause);
  if (error instanceof OperatorError || error.message !== '') return error.message;
  return 'code' in error ? String(error.code) : error.name;
}

function hideSecrets(message: string, secrets: readonly string[]): string {
  const hidden = secrets.reduce((text, secret) => text.replaceAll(secret, '(secret)'), message);
  const line = hidden.replace(UNPRINTABLE, ' ');
  return line.length > MAX_MESSAGE ? `${line.slice(0, MAX_MESSAGE)}...` : line;
}
