import { beforeEach, describe, expect, it } from 'vitest';
import { computeInvariant } from '../../../src/protocols/saber/curve.ts';
import {
  applyNewAdmin,
  commitNewAdmin,
  deposit,
  initialize,
  pause,
  rampAmplification,
  setFeeAccount,
  setNewFees,
  stopRamp,
  swap,
  unpause,
  withdraw,
  withdrawOne,
} from '../../../src/protocols/saber/instructions.ts';
import { decodeSaber, encodeSaber, SABER_POOL_SIZE } from '../../../src/protocols/saber/layout.ts';
import { SABER_PROGRAM } from '../../../src/protocols/saber/program.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  ADMIN,
  FEES,
  namedAddress,
  NONCE,
  NOW,
  PLAIN_POOL,
  POOL,
  USER,
  writeMint,
  writeMints,
  writeSaber,
  writeTokens,
  writeUser,
} from './fixture.ts';
import { openForEach } from '../../../src/testing/opened.ts';

const network = openForEach(() => new TestNetwork(['saber']));
beforeEach(setUp);

describe('a new pool', () => {
  beforeEach(setUpEach);

  it('is written, and mints its invariant', () => {
    land(create());
    expect(stored()).toEqual(PLAIN_POOL);
    expect(encodeSaber(stored())).toEqual(network.account(POOL.address)?.data);
    expect(network.tokenBalance(USER.lpToken)).toBe(computeInvariant(100n, ...amounts));
  });

  it('is made once', () => {
    land(create());
    expect(network.send([create({ amplification: 99n })]).error?.custom).toBe(0);
  });

  it('is refused with an amplification out of range, a wrong nonce, or accounts that do not belong together', () => {
    refuse(create({ amplification: 0n }), 11);
    refuse(create({ amplification: 1_000_001n }), 11);
    refuse(create({ nonce: NONCE - 1 }), 4);
    refuse(initialize({ ...POOL, mints: [POOL.mints[1], POOL.mints[0]] }, ADMIN, USER.lpToken, start), 13);
    refuse(
      initialize({ ...POOL, adminFees: [POOL.adminFees[1], POOL.adminFees[0]] }, ADMIN, USER.lpToken, start),
      1,
    );
    refuse(initialize({ ...POOL, lpMint: POOL.mints[0] }, ADMIN, USER.lpToken, start), 2);
    writeMint(network, POOL.lpMint, POOL.authority, 1n);
    refuse(create(), 9);
    writeTokens(network, POOL.reserves[0], { mint: POOL.mints[0], owner: POOL.authority, amount: 0n });
    refuse(create(), 8);
    writeTokens(network, POOL.reserves[0], { mint: POOL.mints[0], owner: ADMIN, amount: 1n });
    refuse(create(), 2);
  });

  const amounts = [1_000_000n * UNIT, 1_300_000n * UNIT] as const;
  const start = { nonce: NONCE, amplification: 100n, fees: FEES };
  const create = (change: Partial<typeof start> = {}) =>
    initialize(POOL, ADMIN, USER.lpToken, { ...start, ...change });

  function setUpEach(): void {
    writeSaber(network, { balances: amounts, lpSupply: 0n });
    network.setData(POOL.address, SABER_PROGRAM, new Uint8Array(SABER_POOL_SIZE));
  }
});

describe('liquidity', () => {
  beforeEach(() => {
    writeSaber(network, { balances, lpSupply: 2_000_000n * UNIT });
    writeUser(network, [1_000_000n * UNIT, 1_000_000n * UNIT]);
  });

  it('is added without a fee in proportion, and with one on one side', () => {
    land(deposit(POOL, USER, [1000n * UNIT, 1000n * UNIT], 2000n * UNIT));
    expect(held()[4]).toBe(2_002_000n * UNIT);
    const before = held()[4] ?? 0n;
    land(deposit(POOL, USER, [1000n * UNIT, 0n], 0n));
    const minted = (held()[4] ?? 0n) - before;
    // About half of the 4 bps is charged on the half that shifts.
    expect(minted).toBeLessThan(1000n * UNIT);
    expect(minted).toBeGreaterThan((1000n * UNIT * 9997n) / 10_000n);
  });

  it('is removed in proportion, minus the withdrawal fee, of which the admin gets a share', () => {
    land(withdraw(POOL, USER, 2000n * UNIT, [995n * UNIT, 995n * UNIT]));
    const [a, b, adminA, adminB, lp] = held();
    expect([a, b]).toEqual([
      (1_000_000n - 995n) * UNIT - 2_500_000n,
      (1_000_000n - 995n) * UNIT - 2_500_000n,
    ]);
    expect([adminA, adminB]).toEqual([2_500_000n, 2_500_000n]);
    expect(lp).toBe(1_998_000n * UNIT);
    expect(network.tokenBalance(USER.tokens[0])).toBe(1_000_995n * UNIT);
  });

  it('is removed on one side for less than both sides together', () => {
    land(withdrawOne(POOL, USER, 1, 2000n * UNIT, 0n));
    const paid = network.tokenBalance(USER.tokens[1]) - 1_000_000n * UNIT;
    expect(paid).toBeLessThan(1990n * UNIT);
    expect(paid).toBeGreaterThan(1988n * UNIT);
    const [a, b, , adminB] = held();
    expect(a).toBe(balances[0]);
    expect((b ?? 0n) + paid + (adminB ?? 0n)).toBe(balances[1]);
  });

  it('never leaves the pool with less value per LP token', () => {
    const value = () => {
      const [a = 0n, b = 0n, , , lp = 1n] = held();
      return ((computeInvariant(100n, a, b) ?? 0n) * 10n ** 12n) / lp;
    };
    let last = value();
    for (let step = 1n; step <= 40n; step++) {
      const amounts = [(step * 7919n * UNIT) % 5000n, (step * 104_729n * UNIT) % 7000n] as const;
      land(deposit(POOL, USER, [amounts[0] * 1000n + step, amounts[1] * 1000n], 0n));
      land(withdrawOne(POOL, USER, step % 2n === 0n ? 0 : 1, step * 12_345n, 0n));
      land(withdraw(POOL, USER, step * 333n, [0n, 0n]));
      const now = value();
      expect(now).toBeGreaterThanOrEqual(last);
      last = now;
    }
  });

  it('is refused beyond limits and with accounts that are not the pool’s', () => {
    refuse(deposit(POOL, USER, [UNIT, UNIT], 2n * UNIT + 1n), 17);
    refuse(withdraw(POOL, USER, 2n * UNIT, [UNIT, 0n]), 17);
    refuse(withdrawOne(POOL, USER, 0, UNIT, UNIT), 17);
    refuse(deposit({ ...POOL, lpMint: POOL.mints[0] }, USER, [UNIT, UNIT], 0n), 13);
    refuse(withdraw({ ...POOL, adminFees: USER.tokens }, USER, UNIT, [0n, 0n]), 1);
    refuse(withdrawOne({ ...POOL, reserves: USER.tokens }, USER, 0, UNIT, 0n), 12);
    refuse(deposit({ ...POOL, authority: ADMIN }, USER, [UNIT, UNIT], 0n), 4);
    const theft = { authority: ADMIN, source: POOL.reserves[0], destination: USER.tokens[1] };
    refuse(swap(POOL, POOL.mints[0], theft, UNIT, 0n), 11);
  });

  const balances = [1_000_000n * UNIT, 1_000_000n * UNIT] as const;
});

describe('the admin', () => {
  beforeEach(() => {
    writeSaber(network);
    writeUser(network, [UNIT, UNIT]);
  });

  it('pauses all but withdrawals in proportion', () => {
    land(pause(POOL.address, ADMIN));
    refuse(swap(POOL, POOL.mints[0], user, 1000n, 0n), 22);
    refuse(deposit(POOL, USER, [UNIT, UNIT], 0n), 22);
    refuse(withdrawOne(POOL, USER, 0, UNIT, 0n), 22);
    land(withdraw(POOL, USER, UNIT, [0n, 0n]));
    land(unpause(POOL.address, ADMIN));
    land(swap(POOL, POOL.mints[0], user, 1000n, 0n));
  });

  it('moves the amplification, at most tenfold and in no less than a day', () => {
    refuse(rampAmplification(POOL.address, ADMIN, 1001n, NOW + DAY), 11);
    refuse(rampAmplification(POOL.address, ADMIN, 9n, NOW + DAY), 11);
    refuse(rampAmplification(POOL.address, ADMIN, 200n, NOW + DAY - 1n), 24);
    land(rampAmplification(POOL.address, ADMIN, 200n, NOW + DAY));
    expect(stored().amplification).toEqual({ initial: 100n, target: 200n, start: NOW, stop: NOW + DAY });
    refuse(rampAmplification(POOL.address, ADMIN, 300n, NOW + 2n * DAY), 23);
    network.setUnixTime(NOW + DAY / 2n);
    land(stopRamp(POOL.address, ADMIN));
    const stopped = NOW + DAY / 2n;
    expect(stored().amplification).toEqual({ initial: 150n, target: 150n, start: stopped, stop: stopped });
  });

  it('sets fees, and accounts for its share of them', () => {
    const fees = { ...FEES, trade: { numerator: 7n, denominator: 1000n } };
    land(setNewFees(POOL.address, ADMIN, fees));
    const account = namedAddress('other fees');
    writeTokens(network, account, { mint: POOL.mints[1], owner: ADMIN, amount: 0n });
    land(setFeeAccount(POOL.address, ADMIN, account));
    expect(stored()).toEqual({ ...PLAIN_POOL, fees, adminFees: [POOL.adminFees[0], account] });
    refuse(setFeeAccount(POOL.address, ADMIN, USER.lpToken), 1);
    refuse(setFeeAccount(POOL.address, ADMIN, POOL.mints[0]), 6);
    const short = setNewFees(POOL.address, ADMIN, fees);
    const cut = { ...short, data: short.data.subarray(0, 64) };
    expect(network.send([cut]).error?.kind).toBe('InvalidAccountData');
  });

  it('hands over to the announced admin within three days', () => {
    const next = namedAddress('next admin');
    refuse(applyNewAdmin(POOL.address, ADMIN), 26);
    land(commitNewAdmin(POOL.address, ADMIN, next));
    refuse(commitNewAdmin(POOL.address, ADMIN, USER.owner), 25);
    network.setUnixTime(NOW + 3n * DAY + 1n);
    refuse(applyNewAdmin(POOL.address, ADMIN), 27);
    land(commitNewAdmin(POOL.address, ADMIN, USER.owner));
    land(applyNewAdmin(POOL.address, ADMIN));
    expect(stored()).toEqual({ ...PLAIN_POOL, admin: USER.owner });
    refuse(pause(POOL.address, ADMIN), 21);
  });

  it('must be the admin of the pool', () => {
    refuse(pause(POOL.address, namedAddress('stranger')), 21);
    const unsigned = pause(POOL.address, ADMIN);
    const accounts = unsigned.accounts.map((each) => ({ ...each, role: each.role & 1 ? 1 : 0 }) as const);
    expect(network.send([{ ...unsigned, accounts }]).error?.kind).toBe('MissingRequiredSignature');
  });

  const user = { authority: USER.owner, source: USER.tokens[0], destination: USER.tokens[1] };
});

const UNIT = 1_000_000n;
const DAY = 86_400n;

function setUp(): void {
  network.setUnixTime(NOW);
  writeMints(network);
}

const land = (instruction: Instruction) => expect(network.send([instruction]).error).toBeNull();
const refuse = (instruction: Instruction, custom: number) =>
  expect(network.send([instruction]).error?.custom).toBe(custom);
const held = () =>
  [...POOL.reserves, ...POOL.adminFees, USER.lpToken].map((each) => network.tokenBalance(each));
const stored = () => decodeSaber(network.account(POOL.address)?.data ?? new Uint8Array());
