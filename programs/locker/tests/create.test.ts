import { describe, expect, it } from 'vitest';
import { createVestingEscrow } from '../../../src/protocols/jupiter-lock/instructions.ts';
import { deriveVestingEscrow, LOCK_PROGRAM, LockMode } from '../../../src/protocols/jupiter-lock/layout.ts';
import { toAddressBytes } from '../../../src/solana/address.ts';
import { findProgramAddress } from '../../../src/solana/pda.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { computeAmountBeforeTransferFee } from '../../../src/solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { CLIFF, CODE, ESCROW_RENT, FEE, KINDS, LockWorld, START, TERMS, TOTAL } from './world.ts';

describe.each(KINDS)('create_vesting_escrow_v2 of %s', (kind) => {
  it('locks exactly what will unlock, at the cost of the sender, and says so in an event', () => {
    const world = new LockWorld(kind);
    const terms = world.terms();
    const changes = world.watch(world.sender, world.recipient);
    const escrow = deriveVestingEscrow(terms.base).address;
    const { base, senderToken: _, ...fields } = terms;
    const [event, ...more] = world.must(world.creation(terms));
    const { mint, sender: creator, ...announced } = fields;
    expect([event, more]).toEqual([{ kind: 'created', escrow, ...announced }, []]);
    const sent = kind === 'a token with a transfer fee' ? computeAmountBeforeTransferFee(FEE, TOTAL) : TOTAL;
    expect(changes()).toEqual([
      [-ESCROW_RENT, -(sent ?? 0n)],
      [0n, 0n],
    ]);
    expect(world.balanceAt(world.vault(terms))).toBe(TOTAL);
    expect(world.read(base)).toEqual({
      ...announced,
      mint,
      creator,
      base,
      tokenProgramFlag: kind === 'a token' ? 0 : 1,
      claimed: 0n,
      cancelledAt: 0n,
    });
  });

  it('uses lamports that were sent to the address before for the rent', () => {
    const world = new LockWorld(kind);
    const terms = world.terms();
    const escrow = deriveVestingEscrow(terms.base).address;
    world.must(transferLamports(world.network.payer, escrow, 1_000_000n));
    const changes = world.watch(world.sender);
    world.must(world.creation(terms));
    expect([changes()[0]?.[0], world.lamports(escrow)]).toEqual([1_000_000n - ESCROW_RENT, ESCROW_RENT]);
  });

  it('takes one escrow of a base at a time', () => {
    const world = new LockWorld(kind);
    const { base } = world.create();
    expect(world.refusal(world.creation({ base }))).toBe(CODE.AlreadyInUse);
  });
});

describe('create_vesting_escrow', () => {
  it('writes the same escrow of a mint of the classic token program', () => {
    const world = new LockWorld();
    const [terms, same] = [world.terms(), world.terms()];
    const [event] = world.must(createVestingEscrow(terms));
    expect(event).toMatchObject({ kind: 'created', ...TERMS, recipient: world.recipient });
    world.must(world.creation(same));
    expect(world.read(terms.base)).toEqual({ ...world.read(same.base), base: terms.base });
  });

  it('refuses a mint of Token-2022', () => {
    const world = new LockWorld('a token of Token-2022');
    expect(world.refusal(world.plainCreation())).toBe(CODE.NotInitialized);
    const terms = world.terms();
    const { accounts, ...rest } = createVestingEscrow(terms);
    const token = accounts.map((meta, at) => (at === 2 ? { ...meta, address: world.vault(terms) } : meta));
    expect(world.refusal({ ...rest, accounts: token })).toBe(CODE.WrongOwner);
  });
});

describe.each(['plainCreation', 'creation'] as const)('the terms of an escrow, by %s', (form) => {
  it.each([
    ['a cliff before the start', { cliffTime: START - 1n }, CODE.InvalidVestingStartTime],
    ['a mode of changing the recipient above 3', { updateRecipientMode: 4 }, CODE.InvalidUpdateRecipientMode],
    ['a mode of cancelling above 3', { cancelMode: 255 }, CODE.InvalidCancelMode],
    ['parts without time between them', { frequency: 0n }, CODE.FrequencyIsZero],
    [
      'parts whose sum exceeds u64',
      { amountPerPeriod: 1n << 32n, periods: 1n << 32n, cliffUnlockAmount: 0n },
      CODE.MathOverflow,
    ],
    [
      'parts that exceed u64 only with the first one',
      { amountPerPeriod: U64_MAX, periods: 1n, cliffUnlockAmount: 1n },
      CODE.MathOverflow,
    ],
    ['more than the sender has', { cliffUnlockAmount: U64_MAX, periods: 0n }, CODE.InsufficientFunds],
  ])('are refused with %s', (_, changes, code) => {
    const world = new LockWorld();
    const before = world.watch(world.sender);
    expect(world.refusal(world[form](changes))).toBe(code);
    expect(before()).toEqual([[0n, 0n]]);
  });

  it.each([
    ['a cliff at the start', { vestingStartTime: CLIFF }, TOTAL],
    ['a cliff in the past', { vestingStartTime: 0n, cliffTime: 0n }, TOTAL],
    [
      'times at the end of time',
      { vestingStartTime: U64_MAX, cliffTime: U64_MAX, frequency: U64_MAX },
      TOTAL,
    ],
    ['no parts after the cliff, and no time between them', { periods: 0n, frequency: 0n }, 1_000n],
    ['parts of nothing, and no time between them', { amountPerPeriod: 0n, frequency: 0n }, 1_000n],
    ['no cliff', { cliffUnlockAmount: 0n }, 500n],
    ['nothing at all', { cliffUnlockAmount: 0n, periods: 0n }, 0n],
  ])('may have %s', (_, changes, locked) => {
    const world = new LockWorld();
    const terms = world.terms(changes);
    world.must(world[form](terms));
    expect(world.balanceAt(world.vault(terms))).toBe(locked);
    expect(world.read(terms.base)).toMatchObject(changes);
  });

  it.each(Object.values(LockMode))('keep the modes apart: %i', (mode) => {
    const world = new LockWorld();
    const terms = world.terms({ updateRecipientMode: mode, cancelMode: 3 - mode });
    world.must(world[form](terms));
    expect(world.read(terms.base)).toMatchObject({ updateRecipientMode: mode, cancelMode: 3 - mode });
  });
});

describe('a mint with a transfer fee', () => {
  it.each([
    ['of everything', { epoch: 0n, maximumFee: 700n, basisPoints: 10_000 }, 700n],
    ['of nothing', { epoch: 0n, maximumFee: 700n, basisPoints: 0 }, 0n],
    ['that is bounded', { epoch: 0n, maximumFee: 3n, basisPoints: 1_000 }, 3n],
    ['that is rounded up', { epoch: 0n, maximumFee: 1n << 40n, basisPoints: 1 }, 1n],
  ])('has the sender pay a fee %s on top', (_, fee, paid) => {
    const world = new LockWorld();
    const token = world.newFeeToken(fee);
    world.give(world.sender, 10_000n, token);
    const escrow = world.create({}, token);
    expect(world.balanceAt(world.vault(escrow, token))).toBe(TOTAL);
    expect(world.balance(world.sender, token)).toBe(10_000n - TOTAL - paid);
  });

  it('is refused where amount and fee together exceed u64', () => {
    const world = new LockWorld();
    const token = world.newFeeToken({ epoch: 0n, maximumFee: U64_MAX, basisPoints: 10_000 });
    world.give(world.sender, 10_000n, token);
    expect(world.refusal(world.creation({}, token))).toBe(CODE.MathOverflow);
    const half = world.newFeeToken({ epoch: 0n, maximumFee: U64_MAX, basisPoints: 5_000 });
    world.give(world.sender, 10_000n, half);
    const huge = { cliffUnlockAmount: 1n << 63n, periods: 0n };
    expect(world.refusal(world.creation(huge, half))).toBe(CODE.MathOverflow);
  });
});

describe('the address of an escrow', () => {
  it('is derived from the base alone', () => {
    const world = new LockWorld();
    const { base } = world.create();
    const seeds = [Buffer.from('escrow'), toAddressBytes(base)];
    const { address, bump } = findProgramAddress(LOCK_PROGRAM, seeds);
    const account = world.network.account(address);
    expect([account?.owner, account?.data.length, account?.data[136]]).toEqual([LOCK_PROGRAM, 296, bump]);
  });
});
