import { isDeepStrictEqual } from 'node:util';

/** The answer of an instance. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The parsed body, or null if it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: statements read bodies of every shape, and a wrong shape is a finding.
  readonly json: any;
}

/** The demands of a statement on an answer. Absent fields are not checked. */
export interface Expectation {
  readonly status?: number;
  /** Members that the JSON body must have with exactly these values; the body may have others. */
  readonly body?: Readonly<Record<string, unknown>>;
}

const MAX_SHOWN = 300;

/** Returns null if the answer is as expected; otherwise the beginning of the answer. */
export function difference(answer: Answer, { status, body }: Expectation): string | null {
  const statusHolds = status === undefined || answer.status === status;
  const bodyHolds = Object.entries(body ?? {}).every(([name, value]) =>
    isDeepStrictEqual(answer.json?.[name], value),
  );
  return statusHolds && bodyHolds ? null : shown(answer);
}

/** Returns the status and the beginning of the body, in one line. */
export function shown({ status, text }: Answer): string {
  return `${status} ${text.length > MAX_SHOWN ? `${text.slice(0, MAX_SHOWN)}…` : text}`;
}

/** Returns null if `holds`; otherwise the observed value as JSON. */
export function unless(holds: boolean, seen: unknown): string | null {
  return holds ? null : JSON.stringify(seen, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}

/** Returns the first difference, or null if there is none. */
export function firstOf(...differences: readonly (string | null)[]): string | null {
  return differences.find((each) => each !== null) ?? null;
}
