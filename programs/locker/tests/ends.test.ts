import { describe, expect, it } from 'vitest';
import {
  cancelVestingEscrow,
  closeVestingEscrow,
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow, LockMode } from '../../../src/protocols/jupiter-lock/layout.ts';
import { deriveVestingEscrowMetadata } from '../../../src/protocols/jupiter-lock/metadata-layout.ts';
import { CLIFF, CODE, ESCROW_RENT, KINDS, LockWorld, PARTIES, PERMITTED, TOTAL } from './world.ts';

describe.each(KINDS)('cancel_vesting_escrow of %s', (kind) => {
  it('pays what has unlocked to the recipient and the rest to the creator, with the rent to whom the signer names', () => {
    const world = new LockWorld(kind);
    const escrow = world.create({ amountPerPeriod: 10n, cliffUnlockAmount: 10n });
    world.network.setUnixTime(CLIFF + 25n);
    const vaultRent = world.lamports(world.vault(escrow));
    const changes = world.watch(world.sender, world.recipient, world.stranger);
    const { address } = deriveVestingEscrow(escrow.base);
    const parties = {
      signer: world.recipient,
      creatorToken: world.tokens(world.sender),
      recipientToken: world.tokens(world.recipient),
      rentReceiver: world.stranger,
    };
    const [event] = world.must(cancelVestingEscrow(escrow, parties, world.token));
    const signer = world.recipient;
    const amounts = { claimableAmount: 30n, remainingAmount: 30n };
    expect(event).toEqual({
      kind: 'cancelled',
      escrow: address,
      signer,
      ...amounts,
      cancelledAt: CLIFF + 25n,
    });
    // Of either amount, a fee of 1 % is an atom.
    const received = kind === 'a token with a transfer fee' ? 29n : 30n;
    expect(changes()).toEqual([
      [0n, received],
      [0n, received],
      [vaultRent, 0n],
    ]);
    expect(world.network.account(world.vault(escrow))).toBeNull();
    expect(world.read(escrow.base)).toEqual({ ...escrow, cancelledAt: CLIFF + 25n });
  });

  it('ends claims, changes and further cancellations, whatever stands at the address of the token account', () => {
    const world = new LockWorld(kind);
    const escrow = world.create();
    world.must(world.cancel(escrow, world.sender));
    const change = { signer: world.sender, recipient: world.stranger, email: null };
    const update = updateVestingEscrowRecipient(escrow.base, change);
    expect(
      [world.claim(escrow), world.cancel(escrow, world.sender), update].map((each) => world.refusal(each)),
    ).toEqual([CODE.NotInitialized, CODE.NotInitialized, CODE.AlreadyCancelled]);
    world.give(deriveVestingEscrow(escrow.base).address, 5n);
    expect(
      [world.claim(escrow), world.cancel(escrow, world.sender)].map((each) => world.refusal(each)),
    ).toEqual([CODE.AlreadyCancelled, CODE.AlreadyCancelled]);
  });

  it('returns what others have sent to the creator', () => {
    const world = new LockWorld(kind);
    const escrow = world.create({ cliffUnlockAmount: 0n, periods: 0n });
    world.add(world.vault(escrow), 40n);
    const changes = world.watch(world.sender, world.recipient);
    world.must(world.cancel(escrow, world.sender));
    const received = kind === 'a token with a transfer fee' ? 39n : 40n;
    expect(changes().map(([, atoms]) => atoms)).toEqual([received, 0n]);
  });
});

describe('the mode of cancelling', () => {
  it.each(PERMITTED)('%i permits it to %j alone', (cancelMode, permitted) => {
    for (const party of PARTIES) {
      const world = new LockWorld();
      const escrow = world.create({ cancelMode });
      const isPermitted = (permitted as readonly string[]).includes(party);
      const expected = isPermitted ? undefined : CODE.NotPermitted;
      expect(world.refusal(world.cancel(escrow, world[party])), party).toBe(expected);
    }
  });

  it('that permits it to either party permits it to a wallet that is both', () => {
    for (const cancelMode of [LockMode.CREATOR, LockMode.RECIPIENT, LockMode.BOTH]) {
      const world = new LockWorld();
      const escrow = world.create({ cancelMode, recipient: world.sender });
      world.must(world.cancel(escrow, world.sender));
    }
  });

  it('is nothing to a clock at zero, at which an escrow would not be known as cancelled', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(0n);
    expect(world.refusal(world.cancel(escrow, world.sender))).toBe(CODE.CancelledAtIsZero);
  });
});

describe.each(KINDS)('close_vesting_escrow of %s', (kind) => {
  it('returns all rents to the creator once everything was claimed, with what others have sent', () => {
    const world = new LockWorld(kind);
    const escrow = world.create();
    world.must(createVestingEscrowMetadata(escrow, world.stranger, TEXTS));
    const { address } = deriveVestingEscrow(escrow.base);
    const metadata = deriveVestingEscrowMetadata(address);
    world.network.setUnixTime(CLIFF + 49n);
    world.must(world.claim(escrow));
    expect(world.refusal(world.close(escrow))).toBe(CODE.ClaimingIsNotFinished);
    world.network.setUnixTime(CLIFF + 50n);
    world.must(world.claim(escrow));
    world.add(world.vault(escrow), 7n);
    const rents = world.lamports(world.vault(escrow)) + world.lamports(metadata) + ESCROW_RENT;
    const changes = world.watch(world.sender, world.recipient);
    const [event] = world.must(world.close(escrow));
    expect(event).toEqual({ kind: 'closed', escrow: address });
    const received = kind === 'a token with a transfer fee' ? 6n : 7n;
    expect(changes()).toEqual([
      [rents, received],
      [0n, 0n],
    ]);
    for (const closed of [address, metadata, world.vault(escrow)])
      expect(world.network.account(closed)).toBeNull();
  });

  it('closes an escrow that was cancelled, whose base can be used again', () => {
    const world = new LockWorld(kind);
    const escrow = world.create();
    world.must(world.cancel(escrow, world.recipient));
    const changes = world.watch(world.sender);
    world.must(world.close(escrow));
    expect(changes()).toEqual([[ESCROW_RENT, 0n]]);
    const again = world.create({ base: escrow.base, recipient: world.stranger });
    expect(again).toEqual({ ...escrow, recipient: world.stranger });
    expect(world.balanceAt(world.vault(again))).toBe(TOTAL);
  });

  it('leaves what stands at the token account of a cancelled escrow', () => {
    const world = new LockWorld(kind);
    const escrow = world.create();
    world.must(world.cancel(escrow, world.sender));
    const vault = world.give(deriveVestingEscrow(escrow.base).address, 9n);
    world.must(world.close(escrow));
    expect(world.balanceAt(vault)).toBe(9n);
  });
});

describe('close_vesting_escrow', () => {
  it('is for the creator alone', () => {
    const world = new LockWorld();
    const escrow = world.create({ cliffUnlockAmount: 0n, periods: 0n });
    for (const creator of [world.recipient, world.stranger]) {
      expect(
        world.refusal(closeVestingEscrow({ ...escrow, creator }, world.tokens(creator), world.token)),
      ).toBe(CODE.HasOne);
    }
    world.must(world.close(escrow));
  });

  it('is refused with another token account than that of the escrow', () => {
    const world = new LockWorld();
    const [escrow, other] = [world.create({ cliffUnlockAmount: 0n, periods: 0n }), world.create()];
    const close = world.close(escrow);
    const accounts = close.accounts.map((meta, at) =>
      at === 3 ? { ...meta, address: world.vault(other) } : meta,
    );
    expect(world.refusal({ ...close, accounts })).toBe(CODE.InvalidEscrowTokenAddress);
  });
});

const TEXTS = {
  name: 'Team',
  description: 'Tokens of the team',
  creatorEmail: 'a@b.c',
  recipientEmail: 'd@e.f',
};
