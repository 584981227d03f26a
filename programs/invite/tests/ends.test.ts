import { describe, expect, it } from 'vitest';
import { DEPOSIT, EXPIRY, InviteWorld, KINDS, START } from './world.ts';

describe.each(KINDS)('an invite of a %s', (kind) => {
  it('is created out of what the sender has, and says what arrived', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender);
    const terms = world.terms();
    const invite = world.create(terms);
    const arrived = kind === 'token with a transfer fee' ? 4_950_000n : 5_000_000n;
    const state = world.read(invite);
    expect(state).toMatchObject({ ...terms, token: invite.token, amount: arrived, createdAt: START });
    const [[sol, atoms]] = changes() as [[bigint, bigint]];
    const vaultRent = invite.token === null ? 0n : world.lamports(invite.token.vault);
    expect(-sol).toBe(DEPOSIT + vaultRent + (kind === 'SOL' ? 5_000_000n : 0n));
    expect(-atoms).toBe(kind === 'SOL' ? 0n : 5_000_000n);
    if (invite.token !== null) expect(world.balanceAt(invite.token.vault)).toBe(arrived);
    else expect(world.lamports(invite.address)).toBe(DEPOSIT + 5_000_000n);
  });

  it('is claimed by the receiver, and the rents and the reward go back to the sender', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender, world.receiver);
    const terms = world.terms();
    const invite = world.create(terms);
    const events = world.must(world.claim(invite));
    const amount = kind === 'token with a transfer fee' ? 4_950_000n : 5_000_000n;
    const delivered = kind === 'token with a transfer fee' ? 4_900_500n : 5_000_000n;
    const paid = kind === 'SOL' ? [-5_000_000n, 0n] : [0n, -5_000_000n];
    expect(changes()).toEqual([paid, kind === 'SOL' ? [delivered, 0n] : [0n, delivered]]);
    expect(events).toEqual([
      {
        kind: 'claimed',
        invite: invite.address,
        inviteKey: terms.inviteKey,
        sender: world.sender,
        receiver: world.receiver,
        mint: terms.token?.mint ?? null,
        amount,
        expiresAt: EXPIRY,
        delivered,
      },
    ]);
    expect([
      world.network.account(invite.address),
      world.balanceAt(invite.token?.vault ?? invite.address),
    ]).toEqual([null, 0n]);
  });
});
