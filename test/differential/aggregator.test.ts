import { setImmediate as otherWork } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AGGREGATOR_PROGRAM } from '../../src/market/aggregator/program.ts';
import type { Outcome } from '../svm/network.ts';
import { type RouteCase, routeCase } from './aggregator/route-cases.ts';
import { CaseWorld, differenceOf, swapsTold } from './aggregator/route-twin.ts';
import { readDump } from './twin.ts';

const SEED = 20_261_122;
const CASES = Number(process.env.SLUICE_DIFFERENTIAL_CASES ?? 20_000);

const dump = readDump(AGGREGATOR_PROGRAM);

describe.skipIf(dump === null)('aggregator and the public program', () => {
  it('do the same in random routes, right and wrong', async () => {
    if (dump === null) throw new Error('no dump');
    let worlds = [new CaseWorld(), new CaseWorld(dump)] as const;
    const differences: string[] = [];
    const count = { succeeded: 0, swaps: 0, expected: 0 };
    for (const [index, each] of fc.sample(routeCase, { seed: SEED, numRuns: CASES }).entries()) {
      if (index % 100 === 0) await otherWork();
      if (index % 500 === 499) {
        // Every case leaves pools behind; fresh worlds keep the networks small.
        worlds = [new CaseWorld(), new CaseWorld(dump)];
      }
      const [ours, theirs] = [worlds[0].prepare(each), worlds[1].prepare(each)];
      const outcomes = [worlds[0].run(ours), worlds[1].run(theirs)] as const;
      if (outcomes[0].error === null) count.succeeded++;
      count.swaps += swapsTold(outcomes[0]);
      if (isExpected(each, ...outcomes)) count.expected++;
      else {
        const different = differenceOf(ours, outcomes, worlds);
        if (different !== null) differences.push(`case ${index}: ${different}\n${describeCase(each)}`);
      }
    }
    process.stdout.write(
      `routes: ${CASES} compared (${count.succeeded} succeeded, ${count.swaps} swaps), ` +
        `${differences.length} different, ${count.expected} different as expected\n`,
    );
    expect(differences.slice(0, 5)).toEqual([]);
  });
});

/**
 * Where the public program panics, the stand-in returns an error. Kinds of steps that it leaves out it refuses at
 * once, the public program when it comes to them.
 */
function isExpected(_: RouteCase, ours: Outcome, theirs: Outcome): boolean {
  if (ours.error?.custom === 6016) return theirs.error !== null;
  return ours.error?.custom === 6008 && theirs.error?.kind === 'ProgramFailedToComplete';
}

function describeCase(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
