import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { LIQUIDITY_PROGRAM } from '../../programs/liquidity/tests/addresses.ts';
import { Comparison, compareWrongAccounts } from './comparison.ts';
import { LiquidityLife, steps } from './lend/liquidity-lives.ts';
import { LendTwin } from './lend/public-build.ts';
import { PUBLIC_PROGRAM, readDump } from './twin.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

const dump = readDump(LIQUIDITY_PROGRAM);

describe.skipIf(dump === null)('liquidity and the public program', () => {
  it('do the same through the lives of protocols', async () => {
    const networks = twin();
    const comparison = new Comparison('steps in the lives of protocols', networks);
    for (const [index, life] of sampleCases(steps, {
      cases: LIVES,
      seed: SEED,
      against: PUBLIC_PROGRAM,
    }).entries()) {
      await yieldToOtherWork();
      const run = new LiquidityLife(networks, comparison);
      life.every((step, at) => run.run(step, { life: index, at }));
    }
    const { standIn, publicBuild } = networks.units;
    process.stdout.write(`compute units: ${standIn} of the public build's ${publicBuild}\n`);
    expect(standIn * 100n).toBeLessThanOrEqual(publicBuild * MAX_UNITS);
    comparison.finish();
  });

  it('do the same through lives with wrapped SOL', async () => {
    const networks = twin();
    const comparison = new Comparison('steps in lives with wrapped SOL', networks);
    for (const [index, life] of sampleCases(steps, {
      cases: LIVES,
      seed: SEED + 1,
      against: PUBLIC_PROGRAM,
    }).entries()) {
      await yieldToOtherWork();
      const run = new LiquidityLife(networks, comparison, true);
      life.every((step, at) => run.run(step, { life: index, at }));
    }
    comparison.finish();
  });

  it('refuse the same wrong accounts', async () => {
    const networks = twin();
    const comparison = new Comparison('instructions with wrong accounts', networks);
    const life = new LiquidityLife(networks, comparison);
    const differenceIn = (changed: Instruction) => networks.refusalDifference(changed);
    await compareWrongAccounts(comparison, life.validInstructions(), differenceIn);
  });
});

const SEED = 20_261_122;
const LIVES = 300;
/** At most this many hundredths of the public build's compute units. */
const MAX_UNITS = 130n;

function twin(): LendTwin {
  if (dump === null) throw new Error('no dump');
  return new LendTwin('liquidity', LIQUIDITY_PROGRAM, dump);
}
