import { describe, expect, it } from 'vitest';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { isSigner, isWritable, readonly } from '../../solana/messages/instruction.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { TOKEN_2022_PROGRAM } from '../../solana/program-addresses.ts';
import * as lock from '../../testing/protocols/lock-interface.ts';
import { decodeVestingEvent } from './events.ts';
import { claimVestingEscrowV2 } from './instructions.ts';
import { updateVestingEscrowRecipient } from './instructions-change.ts';
import * as layout from './layout.ts';
import { decodeVestingEscrowMetadata } from './metadata-layout.ts';

describe('the instructions of the lock program', () => {
  it.each(Object.keys(lock.LOCK_INTERFACE))(
    'have the accounts and roles of the public interface: %s',
    (name) => {
      const { accounts, data, programAddress } = lock.buildLockInstruction(name);
      expect(programAddress).toBe(layout.LOCK_PROGRAM);
      expect(hex(data.subarray(0, 8))).toBe(tag(`global:${name}`));
      const declared = (lock.LOCK_INTERFACE[name] ?? '')
        .split(' ')
        .map((each) => lock.parseLockAccount(each, name));
      expect(accounts.map(({ address, role }) => [address, isWritable(role), isSigner(role)])).toEqual(
        declared,
      );
    },
  );

  it('encode their arguments', () => {
    const words = (name: string) => hex(lock.buildLockInstruction(name).data.subarray(8));
    const terms = [1, 2, 3, 4, 5, 6].map((each) => `0${each}00000000000000`).join('');
    expect(words('create_vesting_escrow')).toBe(`${terms}0201`);
    expect(words('create_vesting_escrow_v2')).toBe(`${terms}020100`);
    expect(words('claim')).toBe('0900000000000000');
    expect(words('claim_v2')).toBe('090000000000000000');
    expect(words('create_vesting_escrow_metadata')).toBe('01000000610200000062630000000001000000' + '64');
    expect(words('update_vesting_escrow_recipient')).toBe(`${'08'.repeat(32)}01${'01000000'}65`);
    expect([words('cancel_vesting_escrow'), words('close_vesting_escrow')]).toEqual(['00', '00']);
  });

  it('name the accounts of a transfer hook behind their own', () => {
    const hooked = {
      tokenProgram: TOKEN_2022_PROGRAM,
      hookAccounts: [readonly(lock.namedByte(20)), readonly(lock.namedByte(21))],
    };
    const claim = claimVestingEscrowV2(
      lock.LOCK_ESCROW,
      { recipientToken: lock.namedByte(6), maxAmount: 9n },
      hooked,
    );
    expect(claim.accounts.slice(-2)).toEqual(hooked.hookAccounts);
    expect(hex(claim.data.subarray(16))).toBe('01010000000002');
  });

  it('leave the metadata out of a change of the recipient that names no e-mail address', () => {
    const update = updateVestingEscrowRecipient(lock.LOCK_BASE, {
      signer: lock.namedByte(7),
      recipient: lock.namedByte(8),
      email: null,
    });
    expect(update.accounts[1]).toEqual(readonly(layout.LOCK_PROGRAM));
    expect(hex(update.data.subarray(8))).toBe(`${'08'.repeat(32)}00`);
  });
});

describe('the accounts of the lock program', () => {
  it('are read as they are written, with every field in its place', () => {
    const escrow = {
      ...lock.LOCK_TERMS,
      ...{
        recipient: lock.namedByte(1),
        mint: lock.namedByte(2),
        creator: lock.namedByte(3),
        base: lock.LOCK_BASE,
      },
      ...{ tokenProgramFlag: 1, claimed: 7n, cancelledAt: 8n },
    };
    const data = layout.encodeVestingEscrow(escrow);
    expect([data.length, hex(data.subarray(0, 8))]).toEqual([
      layout.ESCROW_SIZE,
      tag('account:VestingEscrow'),
    ]);
    expect([...data.subarray(136, 144)]).toEqual([
      layout.deriveVestingEscrow(lock.LOCK_BASE).bump,
      2,
      1,
      1,
      0,
      0,
      0,
      0,
    ]);
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7].map((each) => Buffer.from(data).readBigUInt64LE(144 + 8 * each));
    expect(numbers).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 1n, 8n]);
    expect(layout.decodeVestingEscrow(data)).toEqual(escrow);
  });

  it('have the discriminators and addresses of the public interface', () => {
    const empty = Buffer.concat([Buffer.from(tag('account:VestingEscrowMetadata'), 'hex'), Buffer.alloc(48)]);
    expect(decodeVestingEscrowMetadata(empty)).toMatchObject({ name: '', recipientEmail: '' });
    const authority = findProgramAddress(layout.LOCK_PROGRAM, [Buffer.from('__event_authority')]).address;
    expect(layout.LOCK_EVENT_AUTHORITY).toBe(authority);
  });
});

describe('decodeVestingEvent', () => {
  it.each([
    ['EventCreateVestingEscrow', 114, 'created'],
    ['EventClaim', 48, 'claimed'],
    ['EventUpdateVestingEscrowRecipient', 128, 'recipientUpdated'],
    ['EventCancelVestingEscrow', 88, 'cancelled'],
    ['EventCloseVestingEscrow', 32, 'closed'],
  ])('knows %s by its discriminator, and refuses it when it is cut short', (name, size, kind) => {
    const head = Buffer.concat([
      Buffer.from('e445a52e51cb9a1d', 'hex'),
      Buffer.from(tag(`event:${name}`), 'hex'),
    ]);
    expect(decodeVestingEvent(Buffer.concat([head, Buffer.alloc(size)]))?.kind).toBe(kind);
    expect(decodeVestingEvent(Buffer.concat([head, Buffer.alloc(size - 1)]))).toBeNull();
  });
});

function tag(name: string): string {
  return hex(sha256(Buffer.from(name)).subarray(0, 8));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
