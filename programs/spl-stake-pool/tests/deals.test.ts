import { beforeEach, describe, expect, it } from 'vitest';
import {
  depositSol,
  initialize,
  stakeWrappedSol,
  updateStakePoolBalance,
  withdrawSol,
  withdrawWrappedSol,
} from '../../../src/protocols/spl-stake-pool/instructions.ts';
import { decodeStakePool, type StakePoolAccount } from '../../../src/protocols/spl-stake-pool/layout.ts';
import {
  SOL_BRIDGE_OUT,
  STAKE_POOL_PROGRAM,
  STAKEDEX_PROGRAM,
  WSOL_BRIDGE_IN,
} from '../../../src/protocols/spl-stake-pool/program.ts';
import { type Instruction, readonly, readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  EPOCH,
  namedAddress,
  PLAIN_POOL,
  type StakePoolSpec,
  WORLD,
  writeLamports,
  writeStakePool,
  writeUnmade,
  writeUser,
  writeWrappedSolMint,
} from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['spl-stake-pool', 'stakedex']));
beforeEach(setUp);

describe('a new pool', () => {
  beforeEach(() => writeUnmade(network, 5n * SOL));

  it('gives the manager a token for each lamport of the reserve, and deals at once', () => {
    land(create());
    expect(stored()).toEqual({
      ...PLAIN_POOL,
      totalLamports: 5n * SOL,
      tokenSupply: 5n * SOL,
      epochFee: PERCENT,
      stakeDepositFee: PERCENT,
      stakeWithdrawalFee: PERCENT,
      stakeReferralFee: 50,
      solDepositFee: PERCENT,
      solWithdrawalFee: PERCENT,
      solReferralFee: 50,
    });
    expect(network.tokenBalance(pool.managerFeeAccount)).toBe(5n * SOL);
    writeUser(network, 0n, 0n);
    land(depositSol(pool, party, { lamports: SOL }, referrer));
    expect(network.tokenBalance(user.tokens)).toBe(990_000_000n);
    land(updateStakePoolBalance(pool));
  });

  it('may ask for a signature with every deposit', () => {
    const guard = namedAddress('guard');
    land(create({}, guard));
    expect([stored().stakeDepositAuthority, stored().solDepositAuthority]).toEqual([guard, guard]);
  });

  it('is created once, with fees of at most 100 percent and a list that fits its account', () => {
    refuse(create({ depositFee: { denominator: 1n, numerator: 2n } }), 4);
    refuse(create({ referralFee: 101 }), 4);
    refuse(create({ maxValidators: 5 }), 20);
    refuse({ ...create(), accounts: create().accounts.with(3, readonly(manager)) }, 1);
    land(create());
    refuse(create({ referralFee: 1 }), 0);
  });

  const terms = {
    epochFee: PERCENT,
    withdrawalFee: PERCENT,
    depositFee: PERCENT,
    referralFee: 50,
    maxValidators: 4,
  };
  const { manager, staker } = PLAIN_POOL;
  const create = (change: Partial<typeof terms> = {}, guard?: ReturnType<typeof namedAddress>) =>
    initialize(pool, { manager, staker, ...(guard && { depositAuthority: guard }) }, { ...terms, ...change });
});

describe('a deposit', () => {
  it('mints at the rate, and shares its fee between manager and referrer', () => {
    begin({ pool: { solDepositFee: PERCENT, solReferralFee: 25 } });
    land(depositSol(pool, party, { lamports: 100n * SOL }, referrer));
    // 0.8 of the 80 tokens are the fee.
    expect(network.tokenBalance(user.tokens) - 1000n * SOL).toBe(79_200_000_000n);
    expect(network.tokenBalance(pool.managerFeeAccount)).toBe(600_000_000n);
    expect(network.tokenBalance(referrer)).toBe(200_000_000n);
    expect(stored().totalLamports).toBe(1_000_100n * SOL);
    expect(stored().tokenSupply).toBe(800_080n * SOL);
  });

  it('is refused below its minimum, for an amount of zero, after its epoch, and without a required signature', () => {
    begin();
    refuse(depositSol(pool, party, { lamports: SOL, minimum: 800_000_001n }), 39);
    land(depositSol(pool, party, { lamports: SOL, minimum: 800_000_000n }));
    refuse(depositSol(pool, party, { lamports: 1n }), 29);
    begin({ pool: { solDepositAuthority: namedAddress('guard') } });
    const unsigned = depositSol(pool, party, { lamports: SOL });
    expect(network.send([unsigned]).error?.kind).toBe('NotEnoughAccountKeys');
    const guard = (name: string) => [...unsigned.accounts, readonlySigner(namedAddress(name))];
    refuse({ ...unsigned, accounts: guard('stranger') }, 31);
    land({ ...unsigned, accounts: guard('guard') });
    begin();
    network.setEpoch(EPOCH + 1n);
    refuse(depositSol(pool, party, { lamports: SOL }), 17);
  });
});

describe('a withdrawal', () => {
  it('burns all but the fee, and pays out of the reserve', () => {
    begin({ pool: { solWithdrawalFee: PERCENT } });
    const to = namedAddress('somebody');
    writeLamports(network, to, SOL);
    land(withdrawSol(pool, party, to, { tokens: 100n * SOL }));
    expect(lamportsOf(to) - SOL).toBe(123_750_000_000n);
    expect(network.tokenBalance(pool.managerFeeAccount)).toBe(SOL);
    expect(stored().tokenSupply).toBe(800_000n * SOL - 99n * SOL);
  });

  it('is refused below its minimum, for an amount of zero, and if the reserve cannot pay it', () => {
    begin({ reserve: 125n * SOL });
    refuse(withdrawSol(pool, party, user.wallet, { tokens: SOL, minimum: 1_250_000_001n }), 39);
    refuse(withdrawSol(pool, party, user.wallet, { tokens: 0n }), 28);
    refuse(withdrawSol(pool, party, user.wallet, { tokens: 100n * SOL + 1n }), 35);
    land(withdrawSol(pool, party, user.wallet, { tokens: 100n * SOL }));
  });
});

describe('an update', () => {
  it('records rewards, of which the manager gets a share in new tokens, and starts the epoch', () => {
    const nextSolWithdrawalFee = { epochs: 2 as const, fee: PERCENT };
    begin({ pool: { lastUpdateEpoch: EPOCH - 1n, nextSolWithdrawalFee }, reserve: 1_001_000n * SOL });
    land(updateStakePoolBalance(pool));
    const after = stored();
    expect(after.totalLamports).toBe(1_001_000n * SOL);
    expect(after.lastUpdateEpoch).toBe(EPOCH);
    expect(after.lastEpochTotalLamports).toBe(1_000_000n * SOL);
    expect(after.nextSolWithdrawalFee).toEqual({ epochs: 1, fee: PERCENT });
    // Tokens that are worth 4 % of 1,000 SOL after they are minted.
    const fee = network.tokenBalance(pool.managerFeeAccount);
    expect(fee).toBe((800_000n * SOL * (40n * SOL)) / (1_000_960n * SOL));
    expect(after.tokenSupply).toBe(800_000n * SOL + fee);
    network.setEpoch(EPOCH + 1n);
    land(updateStakePoolBalance(pool));
    expect([stored().solWithdrawalFee, stored().nextSolWithdrawalFee]).toEqual([PERCENT, null]);
  });

  it('counts what validators hold, if each was updated in this epoch', () => {
    const stake = {
      activeLamports: 600_000n * SOL,
      transientLamports: SOL,
      voteAccount: namedAddress('vote'),
    };
    begin({ reserve: 400_000n * SOL, validators: [{ ...stake, lastUpdateEpoch: EPOCH }] });
    land(updateStakePoolBalance(pool));
    expect(stored().totalLamports).toBe(1_000_001n * SOL);
    begin({ validators: [{ ...stake, lastUpdateEpoch: EPOCH - 1n }] });
    refuse(updateStakePoolBalance(pool), 16);
  });
});

describe('the wrapper', () => {
  it('pays the referrer’s share of the fee to the depositor, and keeps a ten-thousandth of a withdrawal', () => {
    begin({ pool: { solDepositFee: PERCENT, solReferralFee: 25 } });
    land(stakeWrappedSol(pool, { authority, source: wrappedSol, destination: tokens }, 100n * SOL));
    expect(network.tokenBalance(tokens) - 1000n * SOL).toBe(79_400_000_000n);
    const before = network.tokenBalance(wrappedSol);
    land(withdrawWrappedSol(pool, { authority, source: tokens, destination: wrappedSol }, 80n * SOL));
    const lamports = (80n * SOL * 1_000_100n) / 800_080n;
    expect(network.tokenBalance(wrappedSol) - before).toBe(lamports - lamports / 10_000n);
  });

  it('does not deposit while the account for unwrapping exists, or its wallet is empty', () => {
    begin();
    const deposit = stakeWrappedSol(pool, { authority, source: wrappedSol, destination: tokens }, SOL);
    writeLamports(network, WSOL_BRIDGE_IN, 1n);
    refuse(deposit, 0);
    writeLamports(network, WSOL_BRIDGE_IN, 0n);
    land(deposit);
    writeLamports(network, SOL_BRIDGE_OUT, 2_039_279n);
    refuse(deposit, 1);
  });

  const { wallet: authority, tokens, wrappedSol } = user;
});

it('answers instructions that are left out like unknown ones', () => {
  begin();
  for (const programAddress of [STAKE_POOL_PROGRAM, STAKEDEX_PROGRAM]) {
    const call = (tag: number) => network.send([{ programAddress, accounts: [], data: Uint8Array.of(tag) }]);
    const [known, unknown] = [call(9), call(99)];
    expect([known.error?.kind, unknown.error?.kind]).toEqual(['BorshIoError', 'BorshIoError']);
    const said = (logs: readonly string[]) => logs.some((line) => line.includes('leaves out'));
    expect([said(known.logs), said(unknown.logs)]).toEqual([true, false]);
  }
});

const SOL = 1_000_000_000n;
const { pool, user, referrer } = WORLD;
const party = { authority: user.wallet, tokens: user.tokens };
const PERCENT = { denominator: 100n, numerator: 1n };

function setUp(): void {
  network.setEpoch(EPOCH);
  writeWrappedSolMint(network);
}

function begin(spec: StakePoolSpec = {}): void {
  writeStakePool(network, spec);
  writeUser(network, 1000n * SOL, 1000n * SOL);
}

const land = (instruction: Instruction) => expect(network.send([instruction]).error).toBeNull();
const refuse = (instruction: Instruction, custom: number) =>
  expect(network.send([instruction]).error?.custom).toBe(custom);
const stored = (): StakePoolAccount =>
  decodeStakePool(network.account(pool.address)?.data ?? new Uint8Array());
const lamportsOf = (address: typeof user.wallet) => network.account(address)?.lamports ?? 0n;
