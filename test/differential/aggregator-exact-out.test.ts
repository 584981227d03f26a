import { describe, expect, it } from 'vitest';
import type { ExactOutWorld } from '../../programs/aggregator/tests/exact-out-world.ts';
import { AGGREGATOR_PROGRAM } from '../../src/protocol/venue/aggregator-program.ts';
import type { Address } from '../../src/solana/address.ts';
import { reportDifferences, sampleCases } from '../../src/testing/random.ts';
import type { TestOutcome } from '../../src/testing/svm/network.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';
import {
  type ExactOutCase,
  exactOutCase,
  exactOutWorld,
  mintsOf,
  prepareExactOut,
} from './aggregator/exact-out-cases.ts';
import { outcomeDifference, swapsTold } from './aggregator/route-twin.ts';
import { PUBLIC_PROGRAM, readDump } from './twin.ts';

const dump = readDump(AGGREGATOR_PROGRAM);

describe.skipIf(dump === null)('routes for an exact output and the public program', () => {
  it('do the same in random routes over concentrated liquidity, right and wrong', async () => {
    const differences: string[] = [];
    const counts = { succeeded: 0, swaps: 0, expected: 0 };
    const cases = sampleCases(exactOutCase, { cases: ROUTES, seed: SEED, against: PUBLIC_PROGRAM });
    for (const [index, each] of cases.entries()) {
      if (index % 100 === 0) await yieldToOtherWork();
      const pair = worldsOf(each);
      const [ours, theirs] = pair;
      const instruction = prepareExactOut(ours, each);
      const outcomes = [ours.send(instruction), theirs.send(prepareExactOut(theirs, each))] as const;
      counts.swaps += swapsTold(outcomes[0]);
      if (outcomes[0].error === null) counts.succeeded++;
      const different =
        outcomeDifference(...outcomes) ??
        accountDifference(
          instruction.accounts.map(({ address }) => address),
          pair,
        );
      if (different === null) continue;
      if (refusesInItsOwnWords(each, ...outcomes)) counts.expected++;
      else differences.push(`case ${index}, ${textOf(each)}: ${different}`);
    }
    process.stdout.write(
      `routes for an exact output: ${cases.length} compared (${counts.succeeded} succeeded, ${counts.swaps} swaps), ` +
        `${differences.length} different, ${counts.expected} different as expected\n`,
    );
    reportDifferences(differences.length, cases.length, PUBLIC_PROGRAM);
    expect(differences.slice(0, 5)).toEqual([]);
  });
});

const SEED = 20_261_127;
/** The least that a form has before its steps. */
const FIXED_ACCOUNTS = 10;
const ROUTES = 3_000;

type Pair = readonly [standIn: ExactOutWorld, publicBuild: ExactOutWorld];

const worlds = new Map<string, Pair>();

/** Loading the programs takes far longer than a case. */
function worldsOf(each: ExactOutCase): Pair {
  const mints = mintsOf(each);
  const known = worlds.get(mints);
  if (known !== undefined) return known;
  const pair = [exactOutWorld(each), exactOutWorld(each, dump ?? undefined)] as const;
  // More than the network allows, so that neither ends before the other does.
  for (const { network } of pair) network.setComputeUnits(1_000_000_000n);
  worlds.set(mints, pair);
  return pair;
}

/**
 * Both refuse. The public program panics on some accounts that are not a step's, and says otherwise why it refuses
 * others.
 */
function refusesInItsOwnWords({ change }: ExactOutCase, ours: TestOutcome, theirs: TestOutcome): boolean {
  if (ours.error === null || theirs.error === null) return false;
  // What the stand-in leaves out, it refuses before it looks at shares.
  if (theirs.error.kind === 'ProgramFailedToComplete' || ours.error.custom === 6016) return true;
  return (change.kind === 'account' || change.kind === 'swapped') && change.at >= FIXED_ACCOUNTS;
}

function accountDifference(
  addresses: readonly Address[],
  [ours, theirs]: readonly [ExactOutWorld, ExactOutWorld],
): string | null {
  const at = ({ network }: ExactOutWorld, address: Address) => {
    const account = network.account(address);
    return account === null ? null : `${account.lamports} ${Buffer.from(account.data).toString('hex')}`;
  };
  const different = addresses.find(
    (each) => each !== AGGREGATOR_PROGRAM && at(ours, each) !== at(theirs, each),
  );
  return different === undefined ? null : `account ${different}`;
}

function textOf(each: ExactOutCase): string {
  return JSON.stringify(each, (_, value) => (typeof value === 'bigint' ? `${value}` : value));
}
