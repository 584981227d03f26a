import { describe, expect, it } from 'vitest';
import {
  claimVestingEscrow,
  claimVestingEscrowV2,
} from '../../../src/protocols/jupiter-lock/instructions.ts';
import { deriveVestingEscrow, type VestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { computeTransferFee } from '../../../src/solana/programs/token/transfer-fee.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { CLIFF, CODE, FEE, KINDS, LockWorld, START, TOTAL } from './world.ts';

describe.each(listForms())('%s', (_, claim) => {
  it.each([
    ['nothing a second before the cliff', CLIFF - 1n, 0n],
    ['the first part at the cliff', CLIFF, 1_000n],
    ['no further part a second before it unlocks', CLIFF + 9n, 1_000n],
    ['each part from its second on', CLIFF + 10n, 1_100n],
    ['all but the last part a second before it unlocks', CLIFF + 49n, 1_400n],
    ['everything from the last part on', CLIFF + 50n, TOTAL],
    ['everything at any later time', CLIFF + (1n << 40n), TOTAL],
  ])('pays %s', (_, now, unlocked) => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(now);
    const events = world.must(claim(world, escrow, U64_MAX));
    const { address } = deriveVestingEscrow(escrow.base);
    expect(events).toEqual([{ kind: 'claimed', amount: unlocked, currentTime: now, escrow: address }]);
    expect(world.balance(world.recipient)).toBe(unlocked);
    expect(world.balanceAt(world.vault(escrow))).toBe(TOTAL - unlocked);
    expect(world.read(escrow.base)).toEqual({ ...escrow, claimed: unlocked });
  });

  it('pays at most what is asked for, and what is left later', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF);
    for (const [most, claimed] of [
      [0n, 0n],
      [1n, 1n],
      [998n, 999n],
      [998n, 1_000n],
      [998n, 1_000n],
    ] as const) {
      world.must(claim(world, escrow, most));
      expect([world.balance(world.recipient), world.read(escrow.base)?.claimed]).toEqual([claimed, claimed]);
    }
    world.network.setUnixTime(CLIFF + 1_000n);
    world.must(claim(world, escrow, U64_MAX));
    expect([world.balance(world.recipient), world.balanceAt(world.vault(escrow))]).toEqual([TOTAL, 0n]);
  });

  it('pays the first part alone if there is no time between parts of nothing', () => {
    const world = new LockWorld();
    const escrow = world.create({ frequency: 0n, amountPerPeriod: 0n });
    world.network.setUnixTime(CLIFF + 1_000_000n);
    world.must(claim(world, escrow, U64_MAX));
    expect(world.balance(world.recipient)).toBe(1_000n);
  });

  it('pays nothing on a clock that went back before what was claimed, and goes on afterwards', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF + 10n);
    world.must(claim(world, escrow, U64_MAX));
    world.network.setUnixTime(CLIFF + 9n);
    expect(world.refusal(claim(world, escrow, U64_MAX))).toBe(CODE.MathOverflow);
    world.network.setUnixTime(CLIFF + 20n);
    world.must(claim(world, escrow, U64_MAX));
    expect(world.balance(world.recipient)).toBe(1_200n);
  });

  it('pays into any token account of the mint that the recipient names, but not into the escrow', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF);
    const instruction = claim(world, escrow, 5n);
    const into = (account: string) => ({
      ...instruction,
      accounts: instruction.accounts.map((meta) =>
        meta.address === world.tokens(world.recipient) ? { ...meta, address: account as never } : meta,
      ),
    });
    world.must(into(world.tokens(world.stranger)));
    expect(world.balance(world.stranger)).toBe(5n);
    expect(world.refusal(into(world.vault(escrow)))).toBe(CODE.InvalidRecipientTokenAccount);
  });

  it('refuses everybody but the recipient', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF);
    for (const recipient of [world.sender, world.stranger]) {
      expect(world.refusal(claim(world, { ...escrow, recipient }, 1n))).toBe(CODE.HasOne);
    }
  });
});

describe.each(KINDS)('claim_v2 of %s', (kind) => {
  it('pays parts by the schedule, of which a transfer fee is withheld', () => {
    const world = new LockWorld(kind);
    const escrow = world.create({ cliffUnlockAmount: 100_000n, amountPerPeriod: 7_777n });
    let received = 0n;
    for (const [now, part] of [
      [START, 0n],
      [CLIFF, 100_000n],
      [CLIFF + 35n, 3n * 7_777n],
      [CLIFF + 500n, 2n * 7_777n],
      [CLIFF + 501n, 0n],
    ] as const) {
      world.network.setUnixTime(now);
      const [event] = world.must(world.claim(escrow));
      expect(event).toMatchObject({ kind: 'claimed', amount: part });
      received += part - (kind === 'a token with a transfer fee' ? computeTransferFee(FEE, part) : 0n);
      expect(world.balance(world.recipient)).toBe(received);
    }
    expect(world.balanceAt(world.vault(escrow))).toBe(0n);
  });
});

describe('claim of an escrow of Token-2022', () => {
  it('is refused by the form for the classic token program', () => {
    const world = new LockWorld('a token of Token-2022');
    const escrow = world.create();
    world.network.setUnixTime(CLIFF);
    const claim = claimVestingEscrow(escrow, {
      recipientToken: world.tokens(world.recipient),
      maxAmount: 1n,
    });
    expect(world.refusal(claim)).toBe(CODE.NotInitialized);
    const accounts = claim.accounts.map((meta, at) =>
      at === 1 ? { ...meta, address: world.vault(escrow) } : meta,
    );
    expect(world.refusal({ ...claim, accounts })).toBe(CODE.WrongOwner);
  });

  it('is refused with the other token program', () => {
    const world = new LockWorld('a token of Token-2022');
    const escrow = world.create();
    const classic = new LockWorld().token.tokenProgram;
    const given = { recipientToken: world.tokens(world.recipient), maxAmount: 1n };
    const claim = claimVestingEscrowV2(escrow, given, { tokenProgram: classic });
    const accounts = claim.accounts.map((meta, at) =>
      at === 2 ? { ...meta, address: world.vault(escrow) } : meta,
    );
    expect(world.refusal({ ...claim, accounts })).toBe(CODE.TokenProgram);
  });
});

type Claim = (world: LockWorld, escrow: VestingEscrow, maxAmount: bigint) => Instruction;

/** Returns both forms of a claim, for mints of the classic token program. */
function listForms(): readonly (readonly [name: string, Claim])[] {
  return [
    [
      'claim',
      (world, escrow, maxAmount) =>
        claimVestingEscrow(escrow, { recipientToken: world.tokens(world.recipient), maxAmount }),
    ],
    ['claim_v2', (world, escrow, maxAmount) => world.claim(escrow, maxAmount)],
  ];
}
