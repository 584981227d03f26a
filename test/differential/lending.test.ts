import { describe, expect, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import { REWARDS_PROGRAM } from '../../programs/lending-reward-rate-model/tests/instructions.ts';
import { LENDING_PROGRAM } from '../../src/protocols/jupiter-lend/lending-base/programs.ts';
import { TOKEN_METADATA_PROGRAM } from '../../src/solana/programs/token-metadata/program.ts';
import { LIQUIDITY_PROGRAM } from '../../programs/liquidity/tests/addresses.ts';
import { Comparison } from './comparison.ts';
import { LendingLife, lendingSteps } from './lend/lending-lives.ts';
import { LendTwin } from './lend/public-build.ts';
import { PUBLIC_PROGRAM, readDump } from './twin.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

const NAMES = { lending: LENDING_PROGRAM, 'lending-reward-rate-model': REWARDS_PROGRAM };
const liquidity = readDump(LIQUIDITY_PROGRAM);
const metadata = readDump(TOKEN_METADATA_PROGRAM);
const dumps = Object.values(NAMES).map((address) => [address, readDump(address)] as const);
const complete = liquidity !== null && metadata !== null && dumps.every(([, dump]) => dump !== null);

describe.skipIf(!complete)('lending, its rewards and the public programs', () => {
  it('do the same through the lives of lendings', async () => {
    const networks = twin();
    const comparison = new Comparison('steps in the lives of lendings', networks);
    for (const [index, life] of sampleCases(lendingSteps, {
      cases: LIVES,
      seed: SEED,
      against: PUBLIC_PROGRAM,
    }).entries()) {
      await yieldToOtherWork();
      const run = new LendingLife(networks, comparison, index % 2 === 1);
      life.every((step, at) => run.run(step, { life: index, at }));
    }
    const { standIn, publicBuild } = networks.units;
    process.stdout.write(`compute units: ${standIn} of the public build's ${publicBuild}\n`);
    comparison.finish();
    expect(standIn * 100n).toBeLessThanOrEqual(publicBuild * MAX_UNITS);
  });
});

const SEED = 20_261_122;
const LIVES = 300;
/** At most this many hundredths of the public build's compute units. */
const MAX_UNITS = 130n;

function twin(): LendTwin {
  if (liquidity === null || metadata === null) throw new Error('no dump');
  const networks = new LendTwin('liquidity', LIQUIDITY_PROGRAM, liquidity);
  for (const name of Object.keys(NAMES)) networks.standIn.loadShipped(name);
  for (const [address, dump] of dumps) if (dump !== null) networks.publicBuild.loadProgram(address, dump);
  networks.both((network) => {
    network.loadProgram(TOKEN_METADATA_PROGRAM, metadata);
    network.setComputeUnits(1_000_000n);
  });
  return networks;
}
