import { describe, expect, it } from 'vitest';
import type { InviteEvent } from '../../../src/protocols/jupiter-send/invite-events.ts';
import { INVITE_REWARD } from '../../../src/protocols/jupiter-send/invite-program.ts';
import { CODE, EXPIRY, InviteWorld, KINDS, type WorldInvite, type WorldKind } from './world.ts';

describe.each(KINDS)('the end of an invite of %s', (kind) => {
  it('is a claim, which pays the receiver, and returns the rents and the reward to the sender', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender, world.receiver, world.stranger);
    const invite = world.create();
    const events = world.must(world.claim(invite));
    expect(events).toEqual([eventOf(world, invite, 'claimed')]);
    expect(changes()).toEqual([spent(kind, -5_000_000n), spent(kind, DELIVERED[kind]), [0n, 0n]]);
    expectGone(world, invite);
  });

  it('is a clawback, which returns everything to the sender', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender, world.receiver);
    const invite = world.create();
    expect(world.must(world.clawback(invite))).toEqual([eventOf(world, invite, 'clawedBack')]);
    expect(changes()).toEqual([spent(kind, DELIVERED[kind] - 5_000_000n), [0n, 0n]]);
    expectGone(world, invite);
  });

  it('is a clawback also after the expiry', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const changes = world.watch(world.stranger);
    world.network.setUnixTime(EXPIRY + 1n);
    world.must(world.clawback(invite));
    expect(changes()).toEqual([[0n, 0n]]);
    expectGone(world, invite);
  });

  it('is the expiry, which returns everything but the reward of whoever calls it', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender, world.receiver, world.stranger);
    const invite = world.create();
    world.network.setUnixTime(EXPIRY);
    expect(world.must(world.expire(invite))).toEqual([eventOf(world, invite, 'expired')]);
    const [sol, atoms] = spent(kind, DELIVERED[kind] - 5_000_000n);
    expect(changes()).toEqual([
      [sol - INVITE_REWARD, atoms],
      [0n, 0n],
      [INVITE_REWARD, 0n],
    ]);
    expectGone(world, invite);
  });

  it('costs the sender nothing if the sender calls the expiry', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender);
    const invite = world.create();
    world.network.setUnixTime(EXPIRY);
    world.must(world.expire(invite, world.sender));
    expect(changes()).toEqual([spent(kind, DELIVERED[kind] - 5_000_000n)]);
  });

  it('is a claim until the second before the expiry, and the expiry from there on', () => {
    const world = new InviteWorld(kind);
    const [claimed, expired] = [world.create(), world.create()];
    world.network.setUnixTime(EXPIRY - 1n);
    expect(world.refusal(world.expire(expired))).toBe(CODE.InviteNotExpired);
    world.must(world.claim(claimed));
    world.network.setUnixTime(EXPIRY);
    expect(world.refusal(world.claim(expired))).toBe(CODE.InviteExpired);
    world.must(world.expire(expired));
  });

  it('comes once', () => {
    const world = new InviteWorld(kind);
    const ends: readonly ((invite: WorldInvite) => ReturnType<InviteWorld['claim']>)[] = [
      (invite) => world.claim(invite),
      (invite) => world.clawback(invite),
      (invite) => world.expire(invite),
    ];
    for (const [index, end] of ends.entries()) {
      world.network.setUnixTime(index === 2 ? EXPIRY : EXPIRY - 1n);
      const invite = world.create({ expiresAt: index === 2 ? EXPIRY + 1n : EXPIRY });
      world.network.setUnixTime(index === 2 ? EXPIRY + 1n : EXPIRY - 1n);
      world.must(end(invite));
      const changes = world.watch(world.sender, world.receiver, world.stranger);
      for (const again of ends) expect(world.refusal(again(invite))).toBe(CODE.NotInitialized);
      expect(
        changes()
          .flat()
          .every((change) => change === 0n),
      ).toBe(true);
    }
  });

  it('fails as a whole when two ends stand in one transaction', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const changes = world.watch(world.sender, world.receiver);
    const both = [world.clawback(invite), world.claim(invite)];
    expect(world.refusal(...both)).toBe(CODE.NotInitialized);
    expect(world.refusal(...both.reverse())).toBe(CODE.NotInitialized);
    expect(
      changes()
        .flat()
        .every((change) => change === 0n),
    ).toBe(true);
  });

  it('leaves the key to another invite, also in the same transaction', () => {
    const world = new InviteWorld(kind);
    const terms = world.terms();
    const first = world.create(terms);
    const changes = world.watch(world.receiver);
    world.must(world.claim(first), world.creation({ ...terms, amount: 3_000_000n }));
    world.must(world.claim(first));
    const second = kind === 'a token with a transfer fee' ? 2_940_300n : 3_000_000n;
    expect(changes()).toEqual([spent(kind, DELIVERED[kind] + second)]);
  });

  it('is the sender’s own claim, too', () => {
    const world = new InviteWorld(kind);
    const changes = world.watch(world.sender);
    world.must(world.claim(world.create(), world.sender));
    expect(changes()).toEqual([spent(kind, DELIVERED[kind] - 5_000_000n)]);
  });
});

describe('claim of SOL', () => {
  it('opens a wallet that does not exist, if the amount is its rent', () => {
    const world = new InviteWorld('SOL');
    const receiver = world.network.newAddress();
    const tooLittle = world.create({ amount: 890_879n });
    expect(world.refusal(world.claim(tooLittle, receiver))).toBe('InsufficientFundsForRent');
    world.must(world.claim(world.create({ amount: 890_880n }), receiver));
    expect(world.lamports(receiver)).toBe(890_880n);
    world.must(world.claim(tooLittle, receiver));
    expect(world.lamports(receiver)).toBe(1_781_759n);
  });
});

/** What arrives of 5,000,000 atoms that were sent in, and out again. */
const DELIVERED: Readonly<Record<WorldKind, bigint>> = {
  SOL: 5_000_000n,
  'a token': 5_000_000n,
  'a token of Token-2022': 5_000_000n,
  'a token with a transfer fee': 4_900_500n,
};

/** Returns a change of lamports or of atoms, whichever the invite holds. */
function spent(kind: WorldKind, change: bigint): readonly [bigint, bigint] {
  return kind === 'SOL' ? [change, 0n] : [0n, change];
}

function eventOf(
  world: InviteWorld,
  { address, inviteKey, token }: WorldInvite,
  kind: 'claimed' | 'clawedBack' | 'expired',
): InviteEvent {
  const withholdsFees = world.token?.withholdsFees === true;
  const fields = {
    invite: address,
    inviteKey,
    sender: world.sender,
    mint: token?.mint ?? null,
    amount: withholdsFees ? 4_950_000n : 5_000_000n,
    expiresAt: EXPIRY,
    delivered: withholdsFees ? 4_900_500n : 5_000_000n,
  };
  return kind === 'claimed' ? { kind, ...fields, receiver: world.receiver } : { kind, ...fields };
}

function expectGone({ network }: InviteWorld, { address, token }: WorldInvite): void {
  expect(network.account(address)).toBeNull();
  if (token !== null) expect(network.account(token.vault)).toBeNull();
}
