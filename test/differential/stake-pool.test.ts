import { readFileSync } from 'node:fs';
import { setImmediate as otherWork } from 'node:timers/promises';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type DealCase,
  dealCase,
  fee,
  updateCase,
  writeCase,
} from '../../programs/stake-pool/tests/cases.ts';
import {
  EPOCH,
  NO_FEE,
  PLAIN_POOL,
  WORLD,
  writeStakePool,
  writeUnmade,
  writeUser,
  writeWrappedSolMint,
} from '../../programs/stake-pool/tests/fixture.ts';
import {
  depositSol,
  initialize,
  stakeWrappedSol,
  updateStakePoolBalance,
  withdrawSol,
  withdrawWrappedSol,
} from '../../src/market/venues/spl-stake-pool/instructions.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from '../../src/market/venues/spl-stake-pool/program.ts';
import type { Instruction } from '../../src/solana/instruction.ts';
import { mutations } from './mutations.ts';
import { readDump, Twin } from './twin.ts';

const SEED = 20_261_121;
const { pool, user, referrer } = WORLD;
const party = { authority: user.wallet, tokens: user.tokens };
const poolDump = readDump(STAKE_POOL_PROGRAM);
const wrapperDump = readDump(STAKEDEX_PROGRAM);
const SHIPPED_POOL = readFileSync(new URL('../../programs/dist/stake-pool.so', import.meta.url));

function twin(name: string): Twin {
  const [address, dump] =
    name === 'stake-pool' ? [STAKE_POOL_PROGRAM, poolDump] : [STAKEDEX_PROGRAM, wrapperDump];
  if (dump === null) throw new Error('no dump');
  const networks = new Twin(name, address, dump);
  networks.both((network) => {
    network.setEpoch(EPOCH);
    writeWrappedSolMint(network);
    // Two builds of the wrapper are compared over one stake pool program.
    if (name === 'stakedex') network.loadProgram(STAKE_POOL_PROGRAM, SHIPPED_POOL);
  });
  return networks;
}

function report(name: string, cases: number, networks: Twin, differences: readonly string[]): void {
  process.stdout.write(
    `${name}: ${cases} compared, ${differences.length} different, ` +
      `${networks.expectedDifferences} different as expected\n`,
  );
  expect(differences.slice(0, 10)).toEqual([]);
}

async function compare(
  name: string,
  networks: Twin,
  cases: readonly DealCase[],
  instructionOf: (each: DealCase, index: number) => Instruction,
): Promise<void> {
  const differences: string[] = [];
  for (const [index, each] of cases.entries()) {
    if (index % 200 === 0) await otherWork();
    networks.both((network) => writeCase(network, each));
    const different = networks.difference(instructionOf(each, index));
    if (different !== null) differences.push(`${different} in ${show(each)}`);
  }
  report(name, cases.length, networks, differences);
}

async function compareWrongAccounts(
  name: string,
  networks: Twin,
  instructions: readonly Instruction[],
): Promise<void> {
  const differences: string[] = [];
  let cases = 0;
  networks.both((network) => {
    const fee = { denominator: 1000n, numerator: 5n };
    writeStakePool(network, { pool: { solDepositFee: fee, solReferralFee: 50, solWithdrawalFee: fee } });
    writeUser(network, 10n ** 12n, 10n ** 12n);
  });
  const strangers = [user.tokens, pool.validatorList, referrer, pool.mint];
  for (const instruction of instructions) {
    expect(networks.endDifference(instruction)).toBeNull();
    await otherWork();
    for (const { change, changed } of mutations(instruction, strangers)) {
      const different = networks.endDifference(changed);
      if (different !== null) differences.push(`${instruction.data[0]} with ${change}: ${different}`);
      cases++;
    }
  }
  report(name, cases, networks, differences);
}

function direct(each: DealCase, index: number): Instruction {
  const limits = index % 4 === 0 ? { minimum: each.amount / 2n } : {};
  const other = index % 3 === 0 ? referrer : pool.managerFeeAccount;
  return each.deposit
    ? depositSol(pool, party, { lamports: each.amount, ...limits }, other)
    : withdrawSol(pool, party, user.wallet, { tokens: each.amount, ...limits });
}

function wrapped({ deposit, amount }: DealCase): Instruction {
  const { wallet: authority, tokens, wrappedSol } = user;
  return deposit
    ? stakeWrappedSol(pool, { authority, source: wrappedSol, destination: tokens }, amount)
    : withdrawWrappedSol(pool, { authority, source: tokens, destination: wrappedSol }, amount);
}

const TERMS = { epochFee: NO_FEE, withdrawalFee: NO_FEE, depositFee: NO_FEE };
const newPoolCase = fc.record({
  reserve: fc.bigInt(0n, 1n << 50n),
  terms: fc.record({
    ...{ epochFee: fee, withdrawalFee: fee, depositFee: fee },
    referralFee: fc.integer({ min: 0, max: 105 }),
    mostValidators: fc.constantFrom(4, 4, 4, 4, 0, 3, 20_001),
  }),
});
const SAMPLE: DealCase = {
  ...{ deposit: true, amount: 1_000_000_000n, pool: {}, reserve: 0n, managerFrozen: false, kept: 0n },
};

describe.skipIf(poolDump === null)('stake pool and the public program', () => {
  it('do the same in single deposits and withdrawals', async () => {
    const cases = fc.sample(dealCase, { seed: SEED, numRuns: 4000 });
    await compare('stake pool deals', twin('stake-pool'), cases, direct);
  });

  it('do the same in updates', async () => {
    const networks = twin('stake-pool');
    const differences: string[] = [];
    const cases = fc.sample(updateCase, { seed: SEED, numRuns: 2000 });
    for (const [index, each] of cases.entries()) {
      if (index % 200 === 0) await otherWork();
      networks.both((network) => writeStakePool(network, each));
      const different = networks.difference(updateStakePoolBalance(pool));
      if (different !== null) differences.push(`${different} in ${show(each)}`);
    }
    report('stake pool updates', cases.length, networks, differences);
  });

  it('do the same in making pools', async () => {
    const networks = twin('stake-pool');
    const differences: string[] = [];
    const cases = fc.sample(newPoolCase, { seed: SEED, numRuns: 500 });
    for (const { reserve, terms } of cases) {
      await otherWork();
      networks.both((network) => writeUnmade(network, reserve));
      const different = networks.difference(initialize(pool, PLAIN_POOL, terms));
      if (different !== null) differences.push(`${different} in ${show(terms)}`);
    }
    report('new stake pools', cases.length, networks, differences);
    networks.both((network) => writeUnmade(network, 1n));
    const terms = { ...TERMS, referralFee: 1, mostValidators: 4 };
    const strangers = [user.tokens, pool.validatorList, referrer, pool.mint];
    const wrong: string[] = [];
    let changes = 0;
    const instruction = initialize(pool, PLAIN_POOL, terms);
    expect(networks.endDifference(instruction)).toBeNull();
    for (const { change, changed } of mutations(instruction, strangers)) {
      const different = networks.endDifference(changed);
      if (different !== null) wrong.push(`0 with ${change}: ${different}`);
      changes++;
    }
    report('new stake pools with wrong accounts', changes, networks, wrong);
  });

  it('refuse the same wrong accounts in the same way', async () => {
    const withdrawal = direct({ ...SAMPLE, deposit: false }, 1);
    const instructions = [direct(SAMPLE, 0), withdrawal, updateStakePoolBalance(pool)];
    await compareWrongAccounts('stake pool with wrong accounts', twin('stake-pool'), instructions);
  });
});

describe.skipIf(wrapperDump === null)('the wrapper of stake pools and the public program', () => {
  it('do the same in single deposits and withdrawals', async () => {
    const cases = fc.sample(dealCase, { seed: SEED, numRuns: 4000 });
    await compare('wrapped deals', twin('stakedex'), cases, wrapped);
  });

  it('refuse the same wrong accounts in the same way', async () => {
    const instructions = [wrapped(SAMPLE), wrapped({ ...SAMPLE, deposit: false })];
    await compareWrongAccounts('wrapper with wrong accounts', twin('stakedex'), instructions);
  });
});

function show(value: unknown): string {
  return JSON.stringify(value, (_, each) => (typeof each === 'bigint' ? `${each}` : each));
}
