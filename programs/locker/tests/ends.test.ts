import { describe, expect, it } from 'vitest';
import {
  cancelVestingEscrow,
  closeVestingEscrow,
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow, LockMode } from '../../../src/protocols/jupiter-lock/layout.ts';
import {
  decodeVestingEscrowMetadata,
  deriveVestingEscrowMetadata,
} from '../../../src/protocols/jupiter-lock/metadata-layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { CLIFF, CODE, ESCROW_RENT, KINDS, LockWorld, TOTAL } from './world.ts';

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

describe('update_vesting_escrow_recipient', () => {
  it.each(PERMITTED)('with mode %i is for %j alone', (updateRecipientMode, permitted) => {
    for (const party of PARTIES) {
      const world = new LockWorld();
      const escrow = world.create({ updateRecipientMode });
      const signer = world[party];
      const update = updateVestingEscrowRecipient(escrow.base, {
        signer,
        recipient: world.stranger,
        email: null,
      });
      if (!(permitted as readonly string[]).includes(party)) {
        expect(world.refusal(update), party).toBe(CODE.NotPermitted);
        continue;
      }
      const [event] = world.must(update);
      const { address } = deriveVestingEscrow(escrow.base);
      const recipients = { oldRecipient: world.recipient, newRecipient: world.stranger };
      expect(event).toEqual({ kind: 'recipientUpdated', escrow: address, ...recipients, signer });
      expect(world.read(escrow.base)).toEqual({ ...escrow, recipient: world.stranger });
    }
  });

  it('gives the new recipient what is not claimed yet, and the old one nothing more', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF);
    world.must(world.claim(escrow, 400n));
    const change = { signer: world.recipient, recipient: world.stranger, email: null };
    world.must(updateVestingEscrowRecipient(escrow.base, change));
    expect(world.refusal(world.claim(escrow))).toBe(CODE.HasOne);
    world.must(world.claim({ ...escrow, recipient: world.stranger }));
    expect([world.balance(world.recipient), world.balance(world.stranger)]).toEqual([400n, 600n]);
  });

  it.each([
    ['longer', 'a.much.longer@address.example'],
    ['shorter', ''],
    ['of the same length', 'x@y.z'],
    ['of other than ASCII', 'ü@ö.ä'],
  ])('writes an e-mail address that is %s, at the cost of the signer', (_, email) => {
    const world = new LockWorld();
    const escrow = world.create();
    world.must(createVestingEscrowMetadata(escrow, world.sender, TEXTS));
    const metadata = deriveVestingEscrowMetadata(deriveVestingEscrow(escrow.base).address);
    const before = world.network.account(metadata);
    const changes = world.watch(world.recipient);
    const change = { signer: world.recipient, recipient: world.stranger, email };
    world.must(updateVestingEscrowRecipient(escrow.base, change));
    const after = world.network.account(metadata);
    const length =
      (before?.data.length ?? 0) + Buffer.byteLength(email) - Buffer.byteLength(TEXTS.recipientEmail);
    expect(after?.data.length).toBe(length);
    expect(decodeVestingEscrowMetadata(after?.data ?? new Uint8Array(0))).toEqual({
      escrow: deriveVestingEscrow(escrow.base).address,
      ...TEXTS,
      recipientEmail: email,
    });
    const paid = (after?.lamports ?? 0n) - (before?.lamports ?? 0n);
    expect([changes()[0]?.[0], paid >= 0n]).toEqual([-paid, true]);
    expect((after?.lamports ?? 0n) >= computeRentExemptMinimum(length)).toBe(true);
  });

  it('refuses an e-mail address without metadata, or with that of another escrow', () => {
    const world = new LockWorld();
    const [escrow, other] = [world.create(), world.create()];
    const change = { signer: world.sender, recipient: world.stranger, email: 'x@y.z' };
    const update = updateVestingEscrowRecipient(escrow.base, change);
    expect(world.refusal(update)).toBe(CODE.NotInitialized);
    world.must(createVestingEscrowMetadata(other, world.sender, TEXTS));
    const with_ = (address: Address) => ({
      ...update,
      accounts: update.accounts.map((meta, at) => (at === 1 ? { ...meta, address } : meta)),
    });
    const ofOther = deriveVestingEscrowMetadata(deriveVestingEscrow(other.base).address);
    expect(world.refusal(with_(ofOther))).toBe(CODE.InvalidEscrowMetadata);
    const { accounts } = updateVestingEscrowRecipient(escrow.base, { ...change, email: null });
    expect(world.refusal({ ...update, accounts })).toBe(CODE.InvalidEscrowMetadata);
  });
});

describe('create_vesting_escrow_metadata', () => {
  it('writes the texts of the creator once, in an account that the payer pays', () => {
    const world = new LockWorld();
    const escrow = world.create();
    const { address } = deriveVestingEscrow(escrow.base);
    const metadata = deriveVestingEscrowMetadata(address);
    const changes = world.watch(world.sender, world.stranger);
    world.must(createVestingEscrowMetadata(escrow, world.stranger, TEXTS));
    const account = world.network.account(metadata);
    const length = 8 + 32 + 16 + Object.values(TEXTS).join('').length;
    expect(account?.data.length).toBe(length);
    expect(decodeVestingEscrowMetadata(account?.data ?? new Uint8Array(0))).toEqual({
      escrow: address,
      ...TEXTS,
    });
    expect(changes().map(([lamports]) => lamports)).toEqual([0n, -computeRentExemptMinimum(length)]);
    expect(world.refusal(createVestingEscrowMetadata(escrow, world.stranger, TEXTS))).toBe(CODE.AlreadyInUse);
  });

  it('is refused for everybody but the creator', () => {
    const world = new LockWorld();
    const escrow = world.create();
    for (const creator of [world.recipient, world.stranger]) {
      const instruction = createVestingEscrowMetadata({ ...escrow, creator }, creator, TEXTS);
      expect(world.refusal(instruction)).toBe(CODE.HasOne);
    }
  });

  it('is refused with texts that are no UTF-8, or cut short', () => {
    const world = new LockWorld();
    const escrow = world.create();
    const instruction = createVestingEscrowMetadata(escrow, world.sender, TEXTS);
    const wrong = Uint8Array.from(instruction.data);
    wrong[12] = 0xff;
    expect(world.refusal({ ...instruction, data: wrong })).toBe(CODE.ArgumentsCutShort);
    const long = Uint8Array.from(instruction.data);
    long[11] = 0xff;
    expect(world.refusal({ ...instruction, data: long })).toBe(CODE.ArgumentsCutShort);
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
/** The parties that a mode permits something to. */
const PERMITTED = [
  [LockMode.NOBODY, []],
  [LockMode.CREATOR, ['sender']],
  [LockMode.RECIPIENT, ['recipient']],
  [LockMode.BOTH, ['sender', 'recipient']],
] as const;
const PARTIES = ['sender', 'recipient', 'stranger'] as const;
