import { describe, expect, it } from 'vitest';
import { reportDifferences, sampleCases } from '../../src/testing/random.ts';
import { AGGREGATOR_PROGRAM } from '../../src/protocol/venue/aggregator-program.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import type { TestOutcome } from '../../src/testing/svm/network.ts';
import { type RouteCase, routeCase } from './aggregator/route-cases.ts';
import { accountDifference, CaseWorld, outcomeDifference, swapsTold } from './aggregator/route-twin.ts';
import { stepInstructions, validInstructions } from './aggregator/valid-instructions.ts';
import { mutations } from './mutations.ts';
import { PUBLIC_PROGRAM, readDump } from './twin.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

const dump = readDump(AGGREGATOR_PROGRAM);

describe.skipIf(dump === null)('aggregator and the public program', () => {
  it('do the same in random routes, right and wrong', async () => {
    const report = new Report('routes');
    let worlds = pair();
    for (const [index, each] of sampleCases(routeCase, {
      cases: ROUTES,
      seed: SEED,
      against: PUBLIC_PROGRAM,
    }).entries()) {
      if (index % 100 === 0) await yieldToOtherWork();
      // Every case leaves pools behind; fresh worlds keep the networks small.
      if (index % 500 === 499) worlds = pair();
      const instruction = worlds[0].prepare(each);
      const [ours, theirs] = [worlds[0].run(instruction), worlds[1].run(worlds[1].prepare(each))];
      const expected = refusesInstead(ours, theirs) || knowsNewerTag(each, ours);
      const name = `case ${index}, ${JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? `${value}` : value))}`;
      if (report.add(ours, theirs, expected, () => name)) continue;
      const different = accountDifference(instruction, worlds);
      if (different !== null) report.addDifference(`${name}: ${different}`);
    }
    report.finish();
  });

  it('do the same in every kind of step, with right and wrong accounts', async () => {
    await compareMutated('kinds of steps', stepInstructions);
  });

  it('do the same in every instruction, with right and wrong accounts', async () => {
    await compareMutated('instructions', validInstructions);
  });
});

const SEED = 20_261_122;
const ROUTES = 20_000;
/** Tags above this are newer than the interface that the stand-in follows; the dump may know them. */
const LAST_TAG = 125;

type Pair = readonly [standIn: CaseWorld, publicBuild: CaseWorld];

function pair(): Pair {
  if (dump === null) throw new Error('no dump');
  return [new CaseWorld(), new CaseWorld(dump)];
}

/** Counts what was compared, prints it, and fails on the first differences. */
class Report {
  readonly #name: string;
  readonly #differences: string[] = [];
  #compared = 0;
  #succeeded = 0;
  #expected = 0;
  #swaps = 0;

  constructor(name: string) {
    this.#name = name;
  }

  /** True when there is nothing more to look at. */
  add(ours: TestOutcome, theirs: TestOutcome, expected: boolean, describe: () => string): boolean {
    this.#compared++;
    this.#swaps += swapsTold(ours);
    if (ours.error === null) this.#succeeded++;
    const different = outcomeDifference(ours, theirs);
    if (different === null) return ours.error !== null;
    if (expected) this.#expected++;
    else this.#differences.push(`${describe()}: ${different}`);
    return true;
  }

  addDifference(different: string): void {
    this.#differences.push(different);
  }

  finish(): void {
    process.stdout.write(
      `${this.#name}: ${this.#compared} compared (${this.#succeeded} succeeded, ${this.#swaps} swaps), ` +
        `${this.#differences.length} different, ${this.#expected} different as expected\n`,
    );
    reportDifferences(this.#differences.length, this.#compared, PUBLIC_PROGRAM);
    expect(this.#differences.slice(0, 5)).toEqual([]);
  }
}

async function compareMutated(
  name: string,
  instructionsOf: (world: CaseWorld) => Iterable<readonly [string, Instruction]>,
): Promise<void> {
  const report = new Report(name);
  const worlds = pair();
  // The instructions are the same for both; each world gets the accounts that they name.
  const [instructions] = worlds.map((world) => [...instructionsOf(world)]);
  for (const world of worlds) world.fund();
  const { world } = worlds[0];
  const strangers = [world.stranger, world.strangers.a, world.users.c, world.mints.b, AGGREGATOR_PROGRAM];
  for (const [what, instruction] of instructions ?? []) {
    await yieldToOtherWork();
    const valid = worlds.map((each) => each.simulate(instruction)) as [TestOutcome, TestOutcome];
    expect(valid[0].error, what).toBeNull();
    report.add(...valid, false, () => what);
    for (const { change, changed } of mutations(instruction, strangers)) {
      const [ours, theirs] = worlds.map((each) => each.simulate(changed)) as [TestOutcome, TestOutcome];
      report.add(ours, theirs, refusesInstead(ours, theirs), () => `${what} with ${change}`);
    }
  }
  report.finish();
}

/** Where the public program panics, the stand-in returns an error; and it refuses what it leaves out at once. */
function refusesInstead(ours: TestOutcome, theirs: TestOutcome): boolean {
  if (ours.error === null) return false;
  if (ours.error.custom === 6016) return theirs.error !== null;
  const { custom, kind } = ours.error;
  const refusal = custom === 6008 || kind === 'NotEnoughAccountKeys' || kind === 'InvalidArgument';
  return refusal && theirs.error?.kind === 'ProgramFailedToComplete';
}

function knowsNewerTag({ mutation }: RouteCase, ours: TestOutcome): boolean {
  return ours.error?.custom === 102 && mutation.kind === 'byte' && mutation.value > LAST_TAG;
}
