import type { TransactionFailure } from '../../transaction-failure.ts';
import { formatShortAddress } from '../form/short-address.ts';
import type { DecodedFailure, DecodedInstruction, DecodedTrace } from '../form/decoded-transaction.ts';
import { FAILURE_ADVICE, type FailureKind, findErrorMeaning, findFailureKind } from './failure-kinds.ts';
import { type FailedTransaction, type FailureScene, listFailureFacts, listMissing } from './failure-facts.ts';

/** What a failure is explained from. */
export interface FailureSources {
  readonly landed: FailedTransaction;
  readonly described: TransactionFailure;
  readonly instructions: readonly DecodedInstruction[];
  /** The calls of each instruction, by its index. */
  readonly inner: ReadonlyMap<number, readonly DecodedInstruction[]>;
  readonly trace: readonly DecodedTrace[];
  readonly findLabel: (program: string) => string | null;
  /** Whether faults can be set in the network that fail transactions without running them. */
  readonly hasFaults: boolean;
}

/** Explains to people why a transaction failed, where, with which amounts, and what they can do. */
export function describeLandedFailure(sources: FailureSources): DecodedFailure {
  const { landed, described, instructions, inner, trace, findLabel, hasFaults } = sources;
  const at = findFirstFailed(trace);
  const cause = readCause(landed.error);
  const instruction = at?.instruction ?? cause.instruction;
  const call = at?.call ?? null;
  const scene: FailureScene = {
    landed,
    instructions,
    calls: instruction === null ? [] : (inner.get(instruction) ?? []),
    instruction,
    call,
    lines: at === null ? landed.logs : landed.logs.slice(at.firstLine, at.lastLine + 1),
    at,
  };
  const failing = findFailing(scene);
  const program = described.program ?? failing?.program ?? null;
  const name = readName(described, cause);
  const kind = findKind({ scene, name, hasFaults });
  const said = readAnchorMessage(scene.lines);
  const meaning = readMeaning(described, name) ?? said;
  const label = program === null ? null : (findLabel(program) ?? formatShortAddress(program));
  const shown = kind === 'compute' ? 'it used all of its compute units' : meaning;
  return {
    kind,
    sentence: describe({ scene, kind, label, name, code: described.code, meaning: shown }),
    instruction,
    call,
    program,
    programLabel: program === null ? null : findLabel(program),
    code: described.code,
    name,
    meaning: shown,
    logLine: findLine(landed.logs, at),
    facts: listFailureFacts(scene, kind),
    advice: FAILURE_ADVICE[kind],
  };
}

/** What failed first is what ended first: its callers fail because of it, after it. */
function findFirstFailed(trace: readonly DecodedTrace[]): DecodedTrace | null {
  const failed = trace.filter(({ outcome }) => outcome === 'failed');
  return failed.toSorted((one, other) => one.lastLine - other.lastLine || other.depth - one.depth)[0] ?? null;
}

interface FailureCause {
  readonly instruction: number | null;
  /** The runtime's own name of the error; null for a program's own code. */
  readonly name: string | null;
}

/** The error of the RPC is a name, an object with one key, or `{ InstructionError: [index, cause] }`. */
function readCause(error: unknown): FailureCause {
  if (typeof error === 'string') return { instruction: null, name: error };
  if (typeof error !== 'object' || error === null) return { instruction: null, name: null };
  const { InstructionError: pair } = error as Record<string, unknown>;
  if (!Array.isArray(pair)) return { instruction: null, name: Object.keys(error)[0] ?? null };
  const [index, cause] = pair as readonly unknown[];
  const instruction = typeof index === 'number' && Number.isInteger(index) && index >= 0 ? index : null;
  if (typeof cause === 'string') return { instruction, name: cause };
  const own = typeof cause === 'object' && cause !== null ? (Object.keys(cause)[0] ?? null) : null;
  return { instruction, name: own === 'Custom' ? null : own };
}

function findFailing({ instructions, calls, instruction, call }: FailureScene): DecodedInstruction | null {
  if (instruction === null) return null;
  return (call === null ? instructions[instruction] : calls[call]) ?? null;
}

const NAMED = /^([A-Za-z]\w*)(?::|$)/;

/** A program's error is described as its name, with what is known about it after a colon. */
function readName({ code, message }: TransactionFailure, cause: FailureCause): string | null {
  if (code === null) return cause.name;
  return NAMED.exec(message)?.[1] ?? null;
}

function readMeaning({ message }: TransactionFailure, name: string | null): string | null {
  if (name === null) return null;
  return message.startsWith(`${name}: `) ? message.slice(name.length + 2) : findErrorMeaning(name);
}

const ANCHOR_MESSAGE = /Error Code: \w+\. Error Number: \d+\. Error Message: (.{1,300}?)\.?$/;

/** Programs that are made with Anchor log a sentence about their errors. */
function readAnchorMessage(lines: readonly string[]): string | null {
  return lines.flatMap((line) => ANCHOR_MESSAGE.exec(line)?.[1] ?? [])[0] ?? null;
}

/** What the embedded network writes into the log of a transaction that it fails on purpose. */
const INJECTED = 'Program log: failed by an injected fault';
const OUT_OF_UNITS =
  /exceeded CUs meter|exceeded maximum number of instructions|Computational budget exceeded/i;

function findKind({
  scene,
  name,
  hasFaults,
}: {
  readonly scene: FailureScene;
  readonly name: string | null;
  readonly hasFaults: boolean;
}): FailureKind {
  const { landed, lines, at } = scene;
  if (lines.some((line) => OUT_OF_UNITS.test(line))) return 'compute';
  // No program can write the last line of a log: what it writes stands before its end.
  if (hasFaults && at === null && landed.logs.at(-1) === INJECTED) return 'injected';
  if (lines.some((line) => line.includes('insufficient lamports'))) return 'lamports';
  const kind = name === null ? 'other' : findFailureKind(name);
  // Programs say the same of an account that is the wrong one, and of one that is not there.
  if (['wrong-account', 'other', 'authority', 'input'].includes(kind) && listMissing(scene).length > 0)
    return 'missing-account';
  if (name !== null) return kind;
  return lines.some((line) => /insufficient funds/i.test(line)) ? 'tokens' : 'other';
}

function describe({
  scene: { instruction, call, instructions, calls },
  kind,
  label,
  name,
  code,
  meaning,
}: {
  readonly scene: FailureScene;
  readonly kind: FailureKind;
  readonly label: string | null;
  readonly name: string | null;
  readonly code: number | null;
  readonly meaning: string | null;
}): string {
  const why = meaning === null ? '' : `: ${lowerFirst(meaning)}`;
  const what = name ?? (code === null ? 'an error without a name' : `the program’s own error ${code}`);
  if (instruction === null) return `The network refused the transaction with ${what}${why}.`;
  const outer = `instruction ${instruction + 1} of ${instructions.length}`;
  if (kind === 'injected')
    return `${upperFirst(outer)} failed with code ${code}, although no program did: a fault that was set in the network does this.`;
  const where = call === null ? outer : `call ${call + 1} of ${calls.length} within ${outer}`;
  return `${label ?? 'A program'} failed in ${where} with ${what}${why}.`;
}

function lowerFirst(text: string): string {
  // A name in capitals stays one.
  const trimmed = text.replace(/\.$/, '');
  return /^[A-Z][a-z ]/.test(trimmed) ? `${trimmed.charAt(0).toLowerCase()}${trimmed.slice(1)}` : trimmed;
}

function upperFirst(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}`;
}

const TELLING =
  /Error Code: |insufficient|exceeded|^Program log: Error|^Program log: panicked|custom program error/i;

/** The line that says best why: what the program said itself before its end, otherwise its end. */
function findLine(logs: readonly string[], at: DecodedTrace | null): number | null {
  if (logs.at(-1) === INJECTED) return logs.length - 1;
  if (at === null) {
    const last = logs.findLastIndex((line) => TELLING.test(line));
    return last < 0 ? null : last;
  }
  const own = logs
    .slice(at.firstLine, at.lastLine)
    .findLastIndex((line) => TELLING.test(line) && !line.includes(' consumed '));
  return own < 0 ? at.lastLine : at.firstLine + own;
}
