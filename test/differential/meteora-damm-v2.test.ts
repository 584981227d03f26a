import { describe, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import { token, withTransferFee, writeMint } from '../../programs/raydium-cpmm/tests/fixture.ts';
import { EPOCH, NOW, SLOT, type SwapCase, swapCase } from '../../programs/meteora-damm-v2/tests/cases.ts';
import {
  layOut,
  type Pool,
  parties,
  REFERRALS,
  setClock,
  writeBalances,
  writePool,
} from '../../programs/meteora-damm-v2/tests/fixture.ts';
import { swap, swap2 } from '../../src/protocols/meteora-damm-v2/instructions.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../src/protocols/meteora-damm-v2/program/program.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { U64_MAX } from '../../src/solana/units.ts';
import { Comparison, compareCases, compareWrongAccounts } from './comparison.ts';
import { createPool, instructionOf, lives } from './meteora-damm-v2/lives.ts';
import { validInstructions } from './meteora-damm-v2/valid-instructions.ts';
import { PUBLIC_PROGRAM, readDump, Twin, type Allowances } from './twin.ts';
import { yieldToOtherWork } from '../../src/testing/waits.ts';

const dump = readDump(METEORA_DAMM_V2_PROGRAM);

describe.skipIf(dump === null)('meteora-damm-v2 and the public program', () => {
  it('do the same in single swaps of pools of every kind', async () => {
    const networks = twin();
    const cases = sampleCases(swapCase, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('single swaps', networks), cases, (each, index) =>
      networks.difference(swapOf(writeCase(networks, each), each, index)),
    );
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
      advance(networks, 0n);
      const [lived, creation] = createPool(networks, index, life, ALLOWED);
      comparison.addPreparation(creation, `creation of pool ${index}`);
      let time = 0n;
      for (const [at, step] of life.steps.entries()) {
        time += BigInt((at * 7) % 31);
        advance(networks, time);
        const different = networks.difference(instructionOf(networks, lived, step), ALLOWED);
        comparison.add(different, { pool: index, at, step });
      }
    }
    comparison.finish();
  });

  it('refuse the same wrong accounts, swaps in the same way', async () => {
    const networks = twin();
    const comparison = new Comparison('instructions with wrong accounts', networks);
    await compareWrongAccounts(comparison, validInstructions(networks), (changed, name) =>
      name.startsWith('swap') ? networks.endDifference(changed) : networks.refusalDifference(changed),
    );
  });
});

const SEED = 20_261_124;

function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('meteora-damm-v2', METEORA_DAMM_V2_PROGRAM, dump, { comparesCalls: true });
  advance(networks, 0n);
  return networks;
}

function advance(networks: Twin, by: bigint): void {
  networks.both((network) => setClock(network, { slot: SLOT + by, time: NOW + by, epoch: EPOCH }));
}

/** The stand-in has an error of newer builds for pools with a fee that rises with the amount. */
const ALLOWED: Allowances = { expected: (_, ours) => ours.error?.custom === 6071 };

function writeCase(networks: Twin, each: SwapCase): Pool {
  const pool = layOut([tokenOf(0, each), tokenOf(1, each)]);
  networks.both((network) => {
    for (const one of pool.tokens) writeMint(network, one);
    writePool(network, pool, each.pool);
    const full = [U64_MAX, 0n] as const;
    const empty = [0n, U64_MAX] as const;
    writeBalances(network, pool, each.aToB ? empty : full, each.aToB ? full : empty);
  });
  return pool;
}

function tokenOf(side: 0 | 1, { fees }: SwapCase) {
  const terms = fees[side];
  return terms === null ? token(`damm ${side}`) : token(`damm fee ${side}`, [withTransferFee(terms)]);
}

/** Every third exact input may be filled in part. */
function swapOf(pool: Pool, each: SwapCase, index: number): Instruction {
  const { amount, aToB, exactIn, referral } = each;
  if (exactIn && !referral && index % 3 !== 0) return swap(pool, parties(aToB), amount, 0n);
  const feeSide = !aToB && each.pool.collectFeeMode === 0 ? 0 : 1;
  const mode = exactIn ? (index % 3 === 0 ? 1 : 0) : 2;
  const amounts = [amount, exactIn ? 0n : U64_MAX] as const;
  return swap2(pool, parties(aToB), { amounts, mode, ...(referral ? { referral: REFERRALS[feeSide] } : {}) });
}
