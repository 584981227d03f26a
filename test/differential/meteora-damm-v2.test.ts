import { setImmediate as otherWork } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { token, withTransferFee, writeMint } from '../../programs/constant-product/tests/fixture.ts';
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
import { swap, swap2 } from '../../src/market/venues/meteora-damm-v2/instructions.ts';
import { METEORA_DAMM_V2_PROGRAM } from '../../src/market/venues/meteora-damm-v2/program.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { U64_MAX } from '../../src/solana/units.ts';
import { createPool, instructionOf, lives } from './meteora-damm-v2/lives.ts';
import { validInstructions } from './meteora-damm-v2/valid-instructions.ts';
import { mutations } from './mutations.ts';
import { type Allowances, readDump, Twin } from './twin.ts';

const SEED = 20_261_124;
const dump = readDump(METEORA_DAMM_V2_PROGRAM);

function twin(): Twin {
  if (dump === null) throw new Error('no dump');
  const networks = new Twin('meteora-damm-v2', METEORA_DAMM_V2_PROGRAM, dump);
  advance(networks, 0n);
  return networks;
}

function advance(networks: Twin, by: bigint): void {
  networks.both((network) => setClock(network, { slot: SLOT + by, time: NOW + by, epoch: EPOCH }));
}

function report(name: string, cases: number, networks: Twin, differences: readonly string[]): void {
  process.stdout.write(
    `${name}: ${cases} compared, ${differences.length} different, ` +
      `${networks.expectedDifferences} different as expected\n`,
  );
  expect(differences.slice(0, 10)).toEqual([]);
}

/** The stand-in has an error of newer builds for pools with a fee that rises with the amount. */
const ALLOWED: Allowances = { expected: (_, ours) => ours.error?.custom === 6071 };

describe.skipIf(dump === null)('meteora-damm-v2 and the public program', () => {
  it('do the same in single swaps of pools of every kind', async () => {
    const networks = twin();
    const differences: string[] = [];
    const cases = fc.sample(swapCase, { seed: SEED, numRuns: 4000 });
    for (const [index, each] of cases.entries()) {
      if (index % 200 === 0) await otherWork();
      const pool = writeCase(networks, each);
      const different = networks.difference(swapOf(pool, each, index));
      if (different !== null) differences.push(`${different} in ${show(each)}`);
    }
    report('single swaps', cases.length, networks, differences);
  });

  it('do the same through the lives of pools', async () => {
    const networks = twin();
    const differences: string[] = [];
    let [steps, time] = [0, 0n];
    for (const [index, life] of fc.sample(lives, { seed: SEED, numRuns: 150 }).entries()) {
      await otherWork();
      advance(networks, 0n);
      const [lived, creation] = createPool(networks, index, life, ALLOWED);
      if (creation !== null) differences.push(`creation of pool ${index}: ${creation}`);
      time = 0n;
      for (const [at, step] of life.steps.entries()) {
        time += BigInt((at * 7) % 31);
        advance(networks, time);
        const different = networks.difference(instructionOf(networks, lived, step), ALLOWED);
        if (different !== null) differences.push(`pool ${index}, step ${at}, ${show(step)}: ${different}`);
        steps++;
      }
    }
    report('steps in the lives of pools', steps, networks, differences);
  });

  it('refuse the same wrong accounts, swaps in the same way', async () => {
    const networks = twin();
    const differences: string[] = [];
    let cases = 0;
    for (const [name, instruction, strangers] of validInstructions(networks)) {
      expect(networks.endDifference(instruction), name).toBeNull();
      await otherWork();
      for (const { change, changed } of mutations(instruction, strangers)) {
        const different = name.startsWith('swap')
          ? networks.endDifference(changed)
          : refusalDifference(networks, changed);
        if (different !== null) differences.push(`${name} with ${change}: ${different}`);
        cases++;
      }
    }
    report('instructions with wrong accounts', cases, networks, differences);
  });
});

/** Whether only one of the two refuses. */
function refusalDifference(networks: Twin, instruction: Instruction): string | null {
  const [ours, theirs] = [networks.standIn, networks.publicBuild].map((one) => one.simulate([instruction]));
  const refuse = [ours, theirs].map((outcome) => outcome?.error !== null);
  return refuse[0] === refuse[1] ? null : `refused ${refuse[0] ? 'here' : 'in public'} only`;
}

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

function show(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
