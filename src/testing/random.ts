import { appendFileSync, mkdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { expect, onTestFailed, onTestFinished } from 'vitest';
import { getCurrentTest } from 'vitest/suite';

/** How many random cases a suite has, and where its random numbers come from. */
export interface RandomSuite {
  /** The full count, which `npm run test:long` runs. */
  readonly cases: number;
  /** The count in `npm test`. By default it is a tenth of 1,000 cases and more, but at least 300, and all of fewer. */
  readonly short?: number;
  /** The seed in `npm test`; `npm run test:long` mixes the seed of the run into it. */
  readonly seed: number;
  /**
   * Seeds with which the suite has failed before, as the failure printed them. Every run tries them again. The suite then
   * always has its full count, because the case that failed may be a late one.
   */
  readonly failedOnce?: readonly number[];
  /** What the code is compared with, if it is compared. The report then counts differences. */
  readonly against?: string;
}

/** A suite that repeats something that no seed controls, such as killing a process. */
export interface Campaign {
  readonly rounds: number;
  readonly short: number;
}

/** What the table of `npm run test:long` shows for a suite. */
export interface SuiteReport {
  readonly file: string;
  readonly test: string;
  readonly passed: boolean;
  readonly cases: number;
  readonly seeds: readonly number[];
  readonly against: string | null;
  /** Null if the suite compares nothing, or failed without having counted its differences. */
  readonly differences: number | null;
}

/** A suite or campaign that a test has begun. */
type Ran = Omit<SuiteReport, 'file' | 'test' | 'passed' | 'differences'> & { differences: number | null };

const LARGE = 1_000;
const SHORTEST = 300;
const root = fileURLToPath(new URL('../..', import.meta.url));
/** What ran so far in each test, by the test's object in Vitest. */
const ranIn = new WeakMap<object, Ran[]>();

/** Whether this is `npm run test:long`, in which the suites run their full counts. */
export function isLongRun(): boolean {
  return process.env.SLUICE_TEST_LONG === '1';
}

/** Returns how many cases of a suite run with each of its seeds, so that a test can require a share of them. */
export function countCases({ cases, short, failedOnce = [] }: RandomSuite): number {
  if (isLongRun() || failedOnce.length > 0) return cases;
  return short ?? (cases < LARGE ? cases : Math.max(SHORTEST, Math.ceil(cases / 10)));
}

/**
 * Returns the seeds of a suite: its own one, changed by the seed of the run where `SLUICE_TEST_SEED` names one, and
 * those that failed before. The seeds of two suites that differ stay different.
 *
 * @throws Error if `SLUICE_TEST_SEED` is not a whole number.
 */
export function getSeeds({ seed, failedOnce = [] }: RandomSuite): number[] {
  return [mixSeed(seed, process.env.SLUICE_TEST_SEED), ...failedOnce];
}

function mixSeed(seed: number, ofRun: string | undefined): number {
  if (ofRun === undefined || ofRun === '') return seed;
  if (!/^\d{1,15}$/.test(ofRun)) throw new Error(`SLUICE_TEST_SEED must be a whole number, got "${ofRun}"`);
  // Without the multiplication, the seeds of tomorrow would mostly be those that a neighbouring suite has today.
  return (seed + Math.imul(Number(ofRun), 0x9e3779b1)) & 0x7fffffff;
}

/**
 * Checks a property of fast-check with the count and the seeds of the suite.
 *
 * @param property - A property, which may be asynchronous.
 * @param suite - May have `examples` that are always tried first.
 * @returns A promise for an asynchronous property.
 * @throws Error with the counterexample and its seed.
 * @example
 * ```ts
 * import fc from 'fast-check';
 * import { assertProperty } from './random.ts';
 *
 * const isEven = (each: number) => each % 2 === 0;
 * assertProperty(
 *   fc.property(fc.integer({ max: 1_000 }), (each) => isEven(2 * each)),
 *   { cases: 5_000, seed: 42 },
 * );
 * ```
 */
export function assertProperty<Ts>(
  property: fc.IAsyncProperty<Ts>,
  suite: RandomSuite & { readonly examples?: readonly Ts[] },
): Promise<void>;
export function assertProperty<Ts>(
  property: fc.IProperty<Ts>,
  suite: RandomSuite & { readonly examples?: readonly Ts[] },
): void;
export function assertProperty<Ts>(
  property: fc.IRawProperty<Ts>,
  suite: RandomSuite & { readonly examples?: readonly Ts[] },
): void | Promise<void> {
  const { count, seeds } = startSuite(suite);
  const check = (seed: number) =>
    fc.assert(property as fc.IAsyncProperty<Ts>, {
      seed,
      numRuns: count,
      ...(suite.examples === undefined ? {} : { examples: [...suite.examples] }),
    }) as unknown;
  if (!property.isAsync()) {
    for (const seed of seeds) check(seed);
    return;
  }
  return seeds.reduce<Promise<unknown>>(
    (before, seed) => before.then(() => check(seed)),
    Promise.resolve(),
  ) as Promise<void>;
}

/**
 * Returns the random cases of a suite, for tests that walk through them on their own.
 *
 * @param arbitrary - Where the cases come from.
 * @param suite - May have `examples`, which come first.
 */
export function sampleCases<T>(
  arbitrary: fc.Arbitrary<T>,
  suite: RandomSuite & { readonly examples?: readonly T[] },
): T[] {
  const { count, seeds } = startSuite(suite);
  const sampled = seeds.flatMap((seed) => fc.sample(arbitrary, { seed, numRuns: count }));
  return [...(suite.examples ?? []), ...sampled];
}

/** Begins a suite that draws its random numbers itself. The test runs `count` cases with each of the seeds. */
export function startSuite(suite: RandomSuite): {
  readonly count: number;
  readonly seeds: readonly number[];
} {
  const [count, seeds] = [countCases(suite), getSeeds(suite)];
  const { against = null } = suite;
  remember({ cases: count * seeds.length, seeds, against, differences: null });
  return { count, seeds };
}

/** Begins a suite of one case, in a test that exists once for each of the seeds that `getSeeds` returns. */
export function startSeed(seed: number): void {
  remember({ cases: 1, seeds: [seed], against: null, differences: null });
}

/** Begins a campaign, and returns how many rounds it has in this run. */
export function startCampaign({ rounds, short }: Campaign): number {
  const count = isLongRun() ? rounds : short;
  remember({ cases: count, seeds: [], against: null, differences: null });
  return count;
}

/**
 * Reports how often the two sides of a comparison differed, where the test goes on after a difference. It belongs to the
 * suite that ran before in the same test, or is one of its own if nothing random was compared.
 */
export function reportDifferences(differences: number, compared: number, against: string): void {
  const suite = ranIn.get(getCurrentTest() ?? {})?.at(-1);
  if (suite?.against === against) suite.differences = differences;
  else remember({ cases: compared, seeds: [], against, differences });
}

/** Keeps what runs for the report, and for the message if the test fails. */
function remember(ran: Ran): void {
  const test: object | undefined = getCurrentTest();
  const earlier = test === undefined ? undefined : ranIn.get(test);
  // Cases that are drawn outside of a test are for several tests, and have no end of their own.
  if (test === undefined) writeReport('', true, [ran]);
  else if (earlier === undefined) rememberFirst(test, [ran]);
  else earlier.push(ran);
}

function rememberFirst(test: object, all: Ran[]): void {
  ranIn.set(test, all);
  const name = expect.getState().currentTestName ?? '';
  onTestFinished(({ task }) => writeReport(name, task.result?.state === 'pass', all));
  onTestFailed(({ task }) => {
    for (const error of task.result?.errors ?? []) {
      const said = error.message;
      error.message = `${said}\n\n${[...new Set(all.map(describeRan))].join('\n')}`;
      if (error.stack !== undefined) error.stack = error.stack.replace(said, () => error.message);
    }
  });
}

function describeRan({ cases, seeds }: Ran): string {
  const long = isLongRun() ? ' (SLUICE_TEST_LONG=1)' : '';
  if (seeds.length === 0) return `Random suite: ${cases} rounds${long}`;
  return `Random suite: ${cases} cases${long}, seed ${seeds.join(' and ')}`;
}

function writeReport(test: string, passed: boolean, all: readonly Ran[]): void {
  const folder = process.env.SLUICE_TEST_RANDOM_REPORT;
  if (folder === undefined || folder === '') return;
  mkdirSync(folder, { recursive: true });
  const file = relative(root, expect.getState().testPath ?? '');
  for (const ran of all) {
    // A test that passes has found no difference, if it has not counted any.
    const differences = ran.differences ?? (passed && ran.against !== null ? 0 : null);
    const report: SuiteReport = { file, test, passed, ...ran, differences };
    // A short line that is appended is written whole, also when several processes write at once.
    appendFileSync(join(folder, 'suites.jsonl'), `${JSON.stringify(report)}\n`);
  }
}
