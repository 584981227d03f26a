import { expect, vi } from 'vitest';

/** A slow machine under load needs many times what a fast one does; a condition that never holds fails all the same. */
export const PATIENCE_MS = 60_000;

/** Lines of each report that a failed wait shows. */
const SHOWN_LINES = 50;

type WaitOptions = number | { readonly timeout?: number; readonly interval?: number };
type Poll = typeof expect.poll;

/** What outlives a test file: files may share a process, and each of them loads this module again. */
interface SharedWaits {
  readonly waitFor: typeof vi.waitFor;
  readonly waitUntil: typeof vi.waitUntil;
  readonly poll: Poll;
  readonly reports: Set<() => string>;
}

const SHARED = Symbol.for('sluice.waits');
const holder = globalThis as { [SHARED]?: SharedWaits };
holder[SHARED] ??= {
  waitFor: vi.waitFor.bind(vi),
  waitUntil: vi.waitUntil.bind(vi),
  poll: expect.poll,
  reports: new Set(),
};
const shared: SharedWaits = holder[SHARED];

/**
 * Registers more that a failed wait shows, such as the log of an instance that the test has started. Only its last
 * 50 lines are shown.
 *
 * @param describe - Called when a wait has failed. The first line of what it returns should say what the others are.
 * @returns A function that ends the registration.
 */
export function onFailedWait(describe: () => string): () => void {
  // The same function may be registered twice, and each registration is ended by itself.
  const report = () => describe();
  shared.reports.add(report);
  return () => shared.reports.delete(report);
}

/** Returns Unix milliseconds. */
export function now(): number {
  return Date.now();
}

/** Returns milliseconds of a clock that nobody sets, for code that measures durations. */
export function stopwatch(): number {
  return performance.now();
}

/** Lets everything run that can run now: other tests of a long property, pending I/O, and what they start. */
export function yieldToOtherWork(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

// Set up before each test file: by default, all three give up after a second.
vi.waitFor = (callback, options) => explained(() => shared.waitFor(callback, patient(options)));
vi.waitUntil = (callback, options) => explained(() => shared.waitUntil(callback, patient(options)));
expect.poll = ((callback, options) =>
  explainedAssertion(shared.poll(callback, { timeout: PATIENCE_MS, ...options }))) as Poll;

function patient(options: WaitOptions = {}): Exclude<WaitOptions, number> {
  return typeof options === 'number' ? { timeout: options } : { timeout: PATIENCE_MS, ...options };
}

async function explained<T>(wait: () => Promise<T>): Promise<T> {
  try {
    return await wait();
  } catch (error) {
    throw withReports(error);
  }
}

/** Wraps what `expect.poll` returns: its matchers wait, and its properties such as `not` are assertions too. */
function explainedAssertion<T extends object>(assertion: T): T {
  return new Proxy(assertion, {
    get: (target, key) => {
      const value: unknown = Reflect.get(target, key);
      if (typeof value === 'object' && value !== null) return explainedAssertion(value);
      if (typeof value !== 'function') return value;
      return (...args: unknown[]) => {
        const waiting = value(...args);
        // Vitest begins to wait when somebody asks for the result, and objects if nobody does.
        const { then } = waiting ?? {};
        if (typeof then !== 'function') return waiting;
        const begin = () => explained(() => Promise.resolve(waiting));
        return {
          // biome-ignore lint/suspicious/noThenProperty: A promise would begin before somebody asks for its result.
          then: (...handlers: Parameters<Promise<unknown>['then']>) => begin().then(...handlers),
          catch: (handler: Parameters<Promise<unknown>['catch']>[0]) => begin().catch(handler),
          finally: (handler: () => void) => begin().finally(handler),
        };
      };
    },
  });
}

function withReports(error: unknown): unknown {
  if (!(error instanceof Error)) return error;
  const frames = error.stack?.split('\n').filter((line) => !line.includes('/testing/waits.ts'));
  if (frames !== undefined) error.stack = frames.join('\n');
  for (const describe of shared.reports) {
    error.message += `\n\n${describe().trimEnd().split('\n').slice(-SHOWN_LINES).join('\n')}`;
  }
  return error;
}
