import { describe, expect, it } from 'vitest';
import { type Address, toAddress } from '../../solana/address.ts';
import { decodeInvite, encodeInvite, INVITE_SENDER_AT, INVITE_SIZE } from './invite-account.ts';
import { decodeInviteEvent } from './invite-events.ts';

describe('decodeInvite', () => {
  it.each([
    ['SOL', null],
    ['a token', { mint: numbered(3), tokenProgram: numbered(4), vault: numbered(5) }],
  ])('reads what encodeInvite writes of %s', (_, token) => {
    const invite = { ...INVITE, token };
    const data = encodeInvite(invite);
    expect(data).toHaveLength(INVITE_SIZE);
    expect(toAddress(data.subarray(INVITE_SENDER_AT, INVITE_SENDER_AT + 32))).toBe(invite.sender);
    expect(decodeInvite(data)).toEqual(invite);
  });

  it('refuses an account that is cut short or of another type', () => {
    const data = encodeInvite(INVITE);
    expect(() => decodeInvite(data.subarray(0, INVITE_SIZE - 1))).toThrow(/invite/);
    expect(() => decodeInvite(data.fill(0, 0, 1))).toThrow(/discriminator/);
  });
});

describe('decodeInviteEvent', () => {
  const fields = `${'01'.repeat(32)}${'02'.repeat(32)}${'03'.repeat(32)}`;
  const numbers = '0500000000000000ffffffffffffffff';

  it('returns null for the data of other instructions and of unknown events', () => {
    for (const hex of ['', '181ec828051c0777', 'e445a52e51cb9a1d', `e445a52e51cb9a1d${'00'.repeat(8)}`]) {
      expect(decodeInviteEvent(Buffer.from(hex, 'hex'))).toBeNull();
    }
  });

  it('reads a claim with its receiver and mint', () => {
    const data = `e445a52e51cb9a1d1bb215b854aea9bd${fields}${'04'.repeat(32)}${'05'.repeat(32)}${numbers}`;
    expect(decodeInviteEvent(Buffer.from(`${data}0400000000000000`, 'hex'))).toEqual({
      kind: 'claimed',
      invite: numbered(1),
      inviteKey: numbered(2),
      sender: numbered(3),
      receiver: numbered(4),
      mint: numbered(5),
      amount: 5n,
      expiresAt: -1n,
      delivered: 4n,
    });
  });

  it('reads a clawback of SOL without receiver and mint', () => {
    const data = `e445a52e51cb9a1d577a6592f171822e${fields}${'00'.repeat(64)}${numbers}0500000000000000`;
    const event = decodeInviteEvent(Buffer.from(data, 'hex'));
    expect(event).toMatchObject({ kind: 'clawedBack', mint: null, amount: 5n, delivered: 5n });
    expect(event).not.toHaveProperty('receiver');
  });

  it('refuses an event that is cut short', () => {
    const data = Buffer.from(`e445a52e51cb9a1debc78bbb2757f17c${fields}`, 'hex');
    expect(() => decodeInviteEvent(data)).toThrow(/event of invites/);
  });
});

const INVITE = {
  sender: numbered(1),
  inviteKey: numbered(2),
  token: null,
  amount: 5n,
  reward: 10_000n,
  createdAt: 1_800_000_000n,
  expiresAt: 1_800_000_600n,
  bump: 254,
};

function numbered(byte: number): Address {
  return toAddress(new Uint8Array(32).fill(byte));
}
