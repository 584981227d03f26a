import { describe, expect, it } from 'vitest';
import {
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import * as metadataLayout from '../../../src/protocols/jupiter-lock/metadata-layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { CLIFF, CODE, LockWorld, PARTIES, PERMITTED } from './world.ts';

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
    const metadata = metadataLayout.deriveVestingEscrowMetadata(deriveVestingEscrow(escrow.base).address);
    const before = world.network.account(metadata);
    const changes = world.watch(world.recipient);
    const change = { signer: world.recipient, recipient: world.stranger, email };
    world.must(updateVestingEscrowRecipient(escrow.base, change));
    const after = world.network.account(metadata);
    const length =
      (before?.data.length ?? 0) + Buffer.byteLength(email) - Buffer.byteLength(TEXTS.recipientEmail);
    expect(after?.data.length).toBe(length);
    expect(metadataLayout.decodeVestingEscrowMetadata(after?.data ?? new Uint8Array(0))).toEqual({
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
    const ofOther = metadataLayout.deriveVestingEscrowMetadata(deriveVestingEscrow(other.base).address);
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
    const metadata = metadataLayout.deriveVestingEscrowMetadata(address);
    const changes = world.watch(world.sender, world.stranger);
    world.must(createVestingEscrowMetadata(escrow, world.stranger, TEXTS));
    const account = world.network.account(metadata);
    const length = 8 + 32 + 16 + Object.values(TEXTS).join('').length;
    expect(account?.data.length).toBe(length);
    expect(metadataLayout.decodeVestingEscrowMetadata(account?.data ?? new Uint8Array(0))).toEqual({
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

const TEXTS = {
  name: 'Team',
  description: 'Tokens of the team',
  creatorEmail: 'a@b.c',
  recipientEmail: 'd@e.f',
};
