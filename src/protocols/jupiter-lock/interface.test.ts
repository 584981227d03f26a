import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { sha256 } from '../../solana/encoding/sha256.ts';
import { type Instruction, isSigner, isWritable, readonly } from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress, findProgramAddress } from '../../solana/pda.ts';
import {
  MEMO_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_2022_PROGRAM,
  TOKEN_PROGRAM,
} from '../../solana/program-addresses.ts';
import { decodeVestingEvent } from './events.ts';
import {
  claimVestingEscrow,
  claimVestingEscrowV2,
  createVestingEscrow,
  createVestingEscrowV2,
} from './instructions.ts';
import {
  cancelVestingEscrow,
  closeVestingEscrow,
  createVestingEscrowMetadata,
  updateVestingEscrowRecipient,
} from './instructions-change.ts';
import {
  decodeVestingEscrow,
  deriveVestingEscrow,
  encodeVestingEscrow,
  ESCROW_SIZE,
  LOCK_EVENT_AUTHORITY,
  LOCK_PROGRAM,
} from './layout.ts';
import { decodeVestingEscrowMetadata, deriveVestingEscrowMetadata } from './metadata-layout.ts';

describe('the instructions of the lock program', () => {
  it.each(Object.keys(INTERFACE))('have the accounts and roles of the public interface: %s', (name) => {
    const { accounts, data, programAddress } = built(name);
    expect(programAddress).toBe(LOCK_PROGRAM);
    expect(hex(data.subarray(0, 8))).toBe(tag(`global:${name}`));
    const declared = (INTERFACE[name] ?? '').split(' ').map((each) => parseAccount(each, name));
    expect(accounts.map(({ address, role }) => [address, isWritable(role), isSigner(role)])).toEqual(
      declared,
    );
  });

  it('encode their arguments', () => {
    const words = (name: string) => hex(built(name).data.subarray(8));
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
      hookAccounts: [readonly(named(20)), readonly(named(21))],
    };
    const claim = claimVestingEscrowV2(ESCROW, { recipientToken: named(6), maxAmount: 9n }, hooked);
    expect(claim.accounts.slice(-2)).toEqual(hooked.hookAccounts);
    expect(hex(claim.data.subarray(16))).toBe('01010000000002');
  });

  it('leave the metadata out of a change of the recipient that names no e-mail address', () => {
    const update = updateVestingEscrowRecipient(BASE, { signer: named(7), recipient: named(8), email: null });
    expect(update.accounts[1]).toEqual(readonly(LOCK_PROGRAM));
    expect(hex(update.data.subarray(8))).toBe(`${'08'.repeat(32)}00`);
  });
});

describe('the accounts of the lock program', () => {
  it('are read as they are written, with every field in its place', () => {
    const escrow = {
      ...TERMS,
      ...{ recipient: named(1), mint: named(2), creator: named(3), base: BASE },
      ...{ tokenProgramFlag: 1, claimed: 7n, cancelledAt: 8n },
    };
    const data = encodeVestingEscrow(escrow);
    expect([data.length, hex(data.subarray(0, 8))]).toEqual([ESCROW_SIZE, tag('account:VestingEscrow')]);
    expect([...data.subarray(136, 144)]).toEqual([deriveVestingEscrow(BASE).bump, 2, 1, 1, 0, 0, 0, 0]);
    const numbers = [0, 1, 2, 3, 4, 5, 6, 7].map((each) => Buffer.from(data).readBigUInt64LE(144 + 8 * each));
    expect(numbers).toEqual([2n, 3n, 4n, 5n, 6n, 7n, 1n, 8n]);
    expect(decodeVestingEscrow(data)).toEqual(escrow);
  });

  it('have the discriminators and addresses of the public interface', () => {
    const empty = Buffer.concat([Buffer.from(tag('account:VestingEscrowMetadata'), 'hex'), Buffer.alloc(48)]);
    expect(decodeVestingEscrowMetadata(empty)).toMatchObject({ name: '', recipientEmail: '' });
    const authority = findProgramAddress(LOCK_PROGRAM, [Buffer.from('__event_authority')]).address;
    expect(LOCK_EVENT_AUTHORITY).toBe(authority);
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

/** The accounts of the public IDL 0.4.0, with `*` for writable ones and `!` for signers. */
const INTERFACE: Readonly<Record<string, string>> = {
  create_vesting_escrow:
    'base*! escrow* escrow_token* sender*! sender_token* recipient token_program system_program event_authority program',
  create_vesting_escrow_v2:
    'base*! escrow* token_mint escrow_token* sender*! sender_token* recipient token_program system_program ' +
    'event_authority program',
  create_vesting_escrow_metadata: 'escrow* creator! escrow_metadata* payer*! system_program',
  claim: 'escrow* escrow_token* recipient*! recipient_token* token_program event_authority program',
  claim_v2:
    'escrow* token_mint escrow_token* recipient*! recipient_token* memo_program token_program event_authority program',
  update_vesting_escrow_recipient: 'escrow* escrow_metadata* signer*! system_program event_authority program',
  cancel_vesting_escrow:
    'escrow* token_mint* escrow_token* creator_token* recipient_token* rent_receiver* signer*! memo_program ' +
    'token_program event_authority program',
  close_vesting_escrow:
    'escrow* escrow_metadata* token_mint* escrow_token* creator_token* creator*! token_program memo_program ' +
    'event_authority program',
};

const named = (byte: number): Address => toAddress(new Uint8Array(32).fill(byte));
const BASE = named(10);
const TERMS = {
  vestingStartTime: 1n,
  cliffTime: 2n,
  frequency: 3n,
  cliffUnlockAmount: 4n,
  amountPerPeriod: 5n,
  periods: 6n,
  updateRecipientMode: 2,
  cancelMode: 1,
};
const ESCROW = { base: BASE, mint: named(2), creator: named(3), recipient: named(4) };
const { address: ESCROW_ADDRESS } = deriveVestingEscrow(BASE);

/** The account of each name of the interface. */
const ACCOUNTS: Readonly<Record<string, Address>> = {
  base: BASE,
  escrow: ESCROW_ADDRESS,
  escrow_metadata: deriveVestingEscrowMetadata(ESCROW_ADDRESS),
  token_mint: ESCROW.mint,
  creator: ESCROW.creator,
  sender: ESCROW.creator,
  recipient: ESCROW.recipient,
  payer: named(5),
  recipient_token: named(6),
  signer: named(7),
  creator_token: named(9),
  sender_token: named(11),
  rent_receiver: named(12),
  memo_program: MEMO_PROGRAM,
  system_program: SYSTEM_PROGRAM,
  event_authority: LOCK_EVENT_AUTHORITY,
  program: LOCK_PROGRAM,
};

function built(name: string): Instruction {
  const token = { tokenProgram: TOKEN_2022_PROGRAM };
  const terms = { ...TERMS, ...ESCROW, sender: ESCROW.creator, senderToken: named(11) };
  const claim = { recipientToken: named(6), maxAmount: 9n };
  const texts = { name: 'a', description: 'bc', creatorEmail: '', recipientEmail: 'd' };
  const change = { signer: named(7), recipient: named(8), email: 'e' };
  const parties = {
    ...{ signer: named(7), creatorToken: named(9) },
    ...{ recipientToken: named(6), rentReceiver: named(12) },
  };
  const all: Readonly<Record<string, Instruction>> = {
    create_vesting_escrow: createVestingEscrow(terms),
    create_vesting_escrow_v2: createVestingEscrowV2(terms, token),
    create_vesting_escrow_metadata: createVestingEscrowMetadata(ESCROW, named(5), texts),
    claim: claimVestingEscrow(ESCROW, claim),
    claim_v2: claimVestingEscrowV2(ESCROW, claim, token),
    update_vesting_escrow_recipient: updateVestingEscrowRecipient(BASE, change),
    cancel_vesting_escrow: cancelVestingEscrow(ESCROW, parties, token),
    close_vesting_escrow: closeVestingEscrow(ESCROW, named(9), token),
  };
  const instruction = all[name];
  if (instruction === undefined) throw new Error(`${name} is not built here`);
  return instruction;
}

function parseAccount(each: string, name: string): readonly [Address | undefined, boolean, boolean] {
  const account = each.replace(/[*!]/g, '');
  const isPlain = name === 'create_vesting_escrow' || name === 'claim';
  const tokenProgram = isPlain ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
  const ofToken: Readonly<Record<string, Address>> = {
    token_program: tokenProgram,
    escrow_token: deriveAssociatedTokenAddress(ESCROW_ADDRESS, ESCROW.mint, tokenProgram),
  };
  return [ofToken[account] ?? ACCOUNTS[account], each.includes('*'), each.includes('!')];
}

function tag(name: string): string {
  return hex(sha256(Buffer.from(name)).subarray(0, 8));
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
