import type { ProgramErrorExplanation, ProgramErrorName } from '../market/program-errors.ts';
import { findAggregatorError } from '../market/aggregator/errors.ts';
import { AGGREGATOR_PROGRAM } from '../protocol/venue/aggregator-program.ts';
import { type Address, parseAddress } from '../solana/address.ts';

/** Why a transaction failed. */
export interface TransactionFailure {
  /** A program's own code; null when the runtime refused. */
  readonly code: number | null;
  /** The program that failed first; null when the runtime refused. */
  readonly program: Address | null;
  /** The programs that failed because of it, each called by the next. */
  readonly callers: readonly Address[];
  /** The error's name, and what is known about it. */
  readonly message: string;
}

const FAILED = /^Program (\w{32,44}) failed: /;
const ANCHOR_NAME = /Error Code: (\w+)\. Error Number: (\d+)\./;

/** Describes why a transaction failed, from the RPC's `TransactionError` value and the transaction's logs. */
export type DescribeFailure = (error: unknown, logs: readonly string[]) => TransactionFailure;

/**
 * @param errorName - Names the errors of programs; an error that it does not know is named by the logs or by its code.
 * @param explanationOf - Explains errors that have a name. Those of the aggregator need none. Default: no other is explained.
 */
export function createFailureDescriber(
  errorName: ProgramErrorName,
  explanationOf: ProgramErrorExplanation = () => undefined,
): DescribeFailure {
  return (error, logs) => {
    const code = customCode(error);
    const [program = null, ...callers] = listFailedPrograms(logs);
    if (code === null) return { code: null, program, callers, message: runtimeWords(error) };
    const known = program === null ? null : errorName(program, code);
    const name = known ?? loggedName(code, logs);
    return { code, program, callers, message: programWords(program, code, name, explanationOf) };
  };
}

/** `{ InstructionError: [index, { Custom: code }] }`. */
function customCode(error: unknown): number | null {
  const cause = instructionCause(error);
  if (typeof cause !== 'object' || cause === null || !('Custom' in cause)) return null;
  return typeof cause.Custom === 'number' ? cause.Custom : null;
}

function instructionCause(error: unknown): unknown {
  if (typeof error !== 'object' || error === null || !('InstructionError' in error)) return undefined;
  return Array.isArray(error.InstructionError) ? error.InstructionError[1] : undefined;
}

/** An error with fields is an object whose only key is the error's name. */
function runtimeWords(error: unknown): string {
  const cause = instructionCause(error) ?? error;
  if (typeof cause === 'string') return cause;
  return typeof cause === 'object' && cause !== null ? Object.keys(cause).join() : String(cause);
}

/** The innermost program that failed is the first to say so. */
function listFailedPrograms(logs: readonly string[]): readonly Address[] {
  const failed = logs.flatMap((line) => FAILED.exec(line)?.[1] ?? []);
  return [...new Set(failed)].flatMap((program) => parseAddress(program) ?? []);
}

function programWords(
  program: Address | null,
  code: number,
  name: string | null,
  explanationOf: ProgramErrorExplanation,
): string {
  if (name === null) return `custom program error: 0x${code.toString(16)} of ${program ?? 'a program'}`;
  const explained = program === null ? undefined : explain(program, code, explanationOf);
  return explained === undefined ? name : `${name}: ${explained}`;
}

function explain(program: Address, code: number, explanationOf: ProgramErrorExplanation): string | undefined {
  return program === AGGREGATOR_PROGRAM
    ? findAggregatorError(code)?.explanation
    : explanationOf(program, code);
}

/** Programs that are made with Anchor log the names of their errors. */
function loggedName(code: number, logs: readonly string[]): string | null {
  for (const line of logs) {
    const found = ANCHOR_NAME.exec(line);
    if (found !== null && Number(found[2]) === code) return found[1] ?? null;
  }
  return null;
}
