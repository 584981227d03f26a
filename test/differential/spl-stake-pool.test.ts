import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { sampleCases } from '../../src/testing/random.ts';
import {
  type DealCase,
  dealCase,
  fee,
  updateCase,
  writeCase,
} from '../../programs/spl-stake-pool/tests/cases.ts';
import {
  EPOCH,
  NO_FEE,
  PLAIN_POOL,
  WORLD,
  writeStakePool,
  writeUnmade,
  writeUser,
  writeWrappedSolMint,
} from '../../programs/spl-stake-pool/tests/fixture.ts';
import {
  depositSol,
  initialize,
  stakeWrappedSol,
  updateStakePoolBalance,
  withdrawSol,
  withdrawWrappedSol,
} from '../../src/protocols/spl-stake-pool/instructions.ts';
import { STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM } from '../../src/protocols/spl-stake-pool/program.ts';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import { Comparison, compareCases, compareWrongAccounts, type ValidInstruction } from './comparison.ts';
import { PUBLIC_PROGRAM, readDump, Twin } from './twin.ts';

const poolDump = readDump(STAKE_POOL_PROGRAM);
const wrapperDump = readDump(STAKEDEX_PROGRAM);

describe.skipIf(poolDump === null)('stake pool and the public program', () => {
  it('do the same in single deposits and withdrawals', async () => {
    const networks = twin('spl-stake-pool');
    const cases = sampleCases(dealCase, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('stake pool deals', networks), cases, dealsIn(networks, direct));
  });

  it('do the same in updates', async () => {
    const networks = twin('spl-stake-pool');
    const cases = sampleCases(updateCase, { cases: 2000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('stake pool updates', networks), cases, (each) => {
      networks.both((network) => writeStakePool(network, each));
      return networks.difference(updateStakePoolBalance(pool));
    });
  });

  it('do the same in making pools', async () => {
    const networks = twin('spl-stake-pool');
    const cases = sampleCases(newPoolCase, { cases: 500, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('new stake pools', networks), cases, ({ reserve, terms }) => {
      networks.both((network) => writeUnmade(network, reserve));
      return networks.difference(initialize(pool, PLAIN_POOL, terms));
    });
    networks.both((network) => writeUnmade(network, 1n));
    const terms = { ...TERMS, referralFee: 1, maxValidators: 4 };
    const making = initialize(pool, PLAIN_POOL, terms);
    const comparison = new Comparison('new stake pools with wrong accounts', networks);
    await compareWrongAccounts(comparison, [['0', making, STRANGERS]]);
  });

  it('refuse the same wrong accounts in the same way', async () => {
    const networks = twin('spl-stake-pool');
    const withdrawal = direct({ ...SAMPLE, deposit: false }, 1);
    const instructions = [direct(SAMPLE, 0), withdrawal, updateStakePoolBalance(pool)];
    const comparison = new Comparison('stake pool with wrong accounts', networks);
    await compareWrongAccounts(comparison, validIn(networks, instructions));
  });
});

describe.skipIf(wrapperDump === null)('the wrapper of stake pools and the public program', () => {
  it('do the same in single deposits and withdrawals', async () => {
    const networks = twin('stakedex');
    const cases = sampleCases(dealCase, { cases: 4000, seed: SEED, against: PUBLIC_PROGRAM });
    await compareCases(new Comparison('wrapped deals', networks), cases, dealsIn(networks, wrapped));
  });

  it('refuse the same wrong accounts in the same way', async () => {
    const networks = twin('stakedex');
    const instructions = [wrapped(SAMPLE), wrapped({ ...SAMPLE, deposit: false })];
    const comparison = new Comparison('wrapper with wrong accounts', networks);
    await compareWrongAccounts(comparison, validIn(networks, instructions));
  });
});

const SEED = 20_261_121;
const { pool, user, referrer } = WORLD;
const party = { authority: user.wallet, tokens: user.tokens };
const SHIPPED_POOL = readFileSync(new URL('../../programs/dist/spl-stake-pool.so', import.meta.url));

function twin(name: string): Twin {
  const [address, dump] =
    name === 'spl-stake-pool' ? [STAKE_POOL_PROGRAM, poolDump] : [STAKEDEX_PROGRAM, wrapperDump];
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

function dealsIn(networks: Twin, instructionOf: (each: DealCase, index: number) => Instruction) {
  return (each: DealCase, index: number): string | null => {
    networks.both((network) => writeCase(network, each));
    return networks.difference(instructionOf(each, index));
  };
}

const STRANGERS = [user.tokens, pool.validatorList, referrer, pool.mint];

/** Each by its first byte of data, over a pool with fees. */
function validIn(networks: Twin, instructions: readonly Instruction[]): readonly ValidInstruction[] {
  networks.both((network) => {
    const fee = { denominator: 1000n, numerator: 5n };
    writeStakePool(network, { pool: { solDepositFee: fee, solReferralFee: 50, solWithdrawalFee: fee } });
    writeUser(network, 10n ** 12n, 10n ** 12n);
  });
  return instructions.map((each) => [`${each.data[0]}`, each, STRANGERS]);
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
    epochFee: fee,
    withdrawalFee: fee,
    depositFee: fee,
    referralFee: fc.integer({ min: 0, max: 105 }),
    maxValidators: fc.constantFrom(4, 4, 4, 4, 0, 3, 20_001),
  }),
});
const SAMPLE: DealCase = {
  deposit: true,
  amount: 1_000_000_000n,
  pool: {},
  reserve: 0n,
  managerFrozen: false,
  kept: 0n,
};
