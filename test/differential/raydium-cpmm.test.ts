import { describe, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import {
  layOut,
  type Pool,
  swapParties,
  writeMint,
  writePool,
  writePoolAccounts,
  writeTokenAccount,
} from '../../programs/raydium-cpmm/tests/fixture.ts';
import {
  EPOCH,
  NOW,
  type SwapCase,
  swapCase,
  tokensOf,
} from '../../programs/raydium-cpmm/tests/swap-cases.ts';
import { swapBaseInput, swapBaseOutput } from '../../src/protocols/raydium-cpmm/program/instructions.ts';
import { RAYDIUM_CPMM_PROGRAM } from '../../src/protocols/raydium-cpmm/program/program.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../src/solana/units.ts';
import { Comparison, compareCases, compareWrongAccounts } from './comparison.ts';
import { createPool, instructionOf, lives } from './raydium-cpmm/lives.ts';
import { allowancesFor, dump, knowsCreatorFee } from './raydium-cpmm/public-build.ts';
import { validInstructions } from './raydium-cpmm/valid-instructions.ts';
import { PUBLIC_PROGRAM, Twin } from './twin.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

describe.skipIf(dump === null)('raydium-cpmm and the public program', () => {
  it('do the same in single swaps of pools of every kind', async () => {
    const networks = twin();
    const pools = new Map<string, Pool>();
    const drawn = sampleCases(swapCase, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    const cases = knowsCreatorFee ? drawn : drawn.map(withoutCreatorFee);
    await compareCases(new Comparison('single swaps', networks), cases, (each) => {
      const pool = writeSwapCase(networks, pools, each);
      return networks.difference(swapOf(pool, each), allowancesFor(pool));
    });
  });

  it('do the same through the lives of pools', async () => {
    const networks = twin();
    const comparison = new Comparison('steps in the lives of pools', networks);
    for (const [index, life] of sampleCases(lives, {
      cases: 150,
      seed: SEED,
      against: PUBLIC_PROGRAM,
    }).entries()) {
      await yieldToOtherWork();
      const pool = createPool(comparison, index, life);
      for (const [at, step] of life.steps.entries()) {
        advance(networks, index * 100 + at);
        const different = networks.difference(instructionOf(networks, pool, step), allowancesFor(pool));
        comparison.add(different, { pool: index, at, step });
      }
    }
    comparison.finish();
  });

  it('refuse the same wrong accounts in the same way', async () => {
    const networks = twin();
    const comparison = new Comparison('instructions with wrong accounts', networks);
    await compareWrongAccounts(comparison, validInstructions(networks));
  });
});

const SEED = 20_261_121;

function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const twin = new Twin('raydium-cpmm', RAYDIUM_CPMM_PROGRAM, dump);
  twin.both((network) => {
    network.setUnixTime(NOW);
    network.setEpoch(EPOCH);
  });
  return twin;
}

function withoutCreatorFee(each: SwapCase): SwapCase {
  const pool = { ...each.pool, creatorFeeOn: 0, creatorFeeEnabled: false, creatorFees: [0n, 0n] as const };
  return { ...each, pool, config: { ...each.config, creatorFeeRate: 0n } };
}

function writeSwapCase(networks: Twin, pools: Map<string, Pool>, each: SwapCase): Pool {
  const tokens = tokensOf(each);
  const name = each.kinds.join(' ');
  networks.both((network) => {
    if (!pools.has(name)) writePool(network, { tokens });
  });
  const pool = { ...(pools.get(name) ?? layOut(tokens)), tokens };
  pools.set(name, pool);
  networks.both((network) => {
    writePoolAccounts(network, pool, each);
    for (const side of [0, 1] as const) {
      writeMint(network, tokens[side]);
      const amount = side === each.inputSide ? U64_MAX - each.vaultAmounts[side] : 1n;
      writeTokenAccount(network, pool.user.tokens[side], pool.user.owner, tokens[side], amount);
    }
  });
  return pool;
}

function swapOf(pool: Pool, { inputSide, exact, amount }: SwapCase): Instruction {
  const parties = swapParties(pool, inputSide);
  const inputMint = pool.addresses.mints[inputSide];
  return exact === 'in'
    ? swapBaseInput(pool.addresses, inputMint, parties, amount, 0n)
    : swapBaseOutput(pool.addresses, inputMint, parties, U64_MAX, amount);
}

/** At least the 15 seconds after which every build starts a new observation. */
function advance(networks: Twin, step: number): void {
  networks.both((network) => network.setUnixTime(NOW + BigInt(step) * 20n + 20n));
}
