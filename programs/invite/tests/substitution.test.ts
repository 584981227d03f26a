import { describe, expect, it } from 'vitest';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { CODE, EXPIRY, InviteWorld, KINDS, type WorldInvite } from './world.ts';

describe.each(KINDS)('an instruction of an invite of %s with another account in any place', (kind) => {
  it.each([
    ['create', (world: InviteWorld) => world.creation(), [0, 4]],
    ['claim', (world: InviteWorld, invite: WorldInvite) => world.claim(invite), [1]],
    ['clawback', (world: InviteWorld, invite: WorldInvite) => world.clawback(invite), [3]],
    ['expire', (world: InviteWorld, invite: WorldInvite) => world.expire(invite), [0]],
  ] as const)('is refused, or does the same: %s', (name, build, free) => {
    const world = new InviteWorld(kind);
    const [invite, other] = [world.create(), world.create({ sender: richStranger(world) })];
    if (name === 'expire') world.network.setUnixTime(EXPIRY);
    const instruction = build(world, invite);
    const found = substituteAccounts(world.network, [instruction], substitutes(world, other));
    // Who signs the whole message may choose who pays, who receives, and among the sender's own accounts.
    const surprises = found.surprises.filter(({ index }) => !(free as readonly number[]).includes(index));
    expect(surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(kind === 'SOL' ? 5 : 15);
  });
});

describe('a receiver', () => {
  it('is whoever the message names, for SOL, and no other wallet than the tokens’ for a token', () => {
    for (const kind of KINDS) {
      const world = new InviteWorld(kind);
      const invite = world.create();
      const claim = world.claim(invite);
      const accounts = claim.accounts.map((meta, at) =>
        at === 1 ? { ...meta, address: world.stranger } : meta,
      );
      const changes = world.watch(world.stranger);
      const refusal = world.refusal({ ...claim, accounts });
      expect(refusal, kind).toBe(kind === 'SOL' ? undefined : CODE.InvalidTokenAccount);
      expect(changes()[0]?.[0], kind).toBe(kind === 'SOL' ? 5_000_000n : 0n);
    }
  });
});

describe.each(KINDS)('every instruction of an invite of %s with accounts or data cut off', (kind) => {
  it('is refused with a code of its own, and changes nothing', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const changes = world.watch(world.sender, world.receiver, world.stranger);
    const all: readonly Instruction[] = [
      world.creation(),
      world.claim(invite),
      world.clawback(invite),
      world.expire(invite),
    ];
    for (const each of all) {
      for (let count = 0; count < each.accounts.length; count++) {
        const cut = { ...each, accounts: each.accounts.slice(0, count) };
        expect(world.refusal(cut), `${count} accounts`).toBe(CODE.NotEnoughAccounts);
      }
      for (let length = 0; length < each.data.length; length++) {
        const cut = { ...each, data: each.data.subarray(0, length) };
        expect(world.refusal(cut), `${length} bytes`).toBe(length < 8 ? 101 : 102);
      }
    }
    expect(
      changes()
        .flat()
        .every((each) => each === 0n),
    ).toBe(true);
  });

  it('is refused when an account that it writes is read-only, or one that signs does not', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const changes = world.watch(world.sender, world.receiver);
    const all = [world.creation(), world.claim(invite), world.clawback(invite)];
    for (const each of all) {
      for (const [place, { role }] of each.accounts.entries()) {
        for (const bit of [1, 2]) {
          if ((role & bit) === 0) continue;
          // The fee payer of a message signs and is writable in any case, and none of these accounts is it.
          const accounts = each.accounts.map((meta, at) =>
            at === place ? { ...meta, role: (meta.role & ~bit) as typeof meta.role } : meta,
          );
          expect(world.refusal({ ...each, accounts }), `account ${place}`).toBeDefined();
        }
      }
    }
    expect(
      changes()
        .flat()
        .every((each) => each === 0n),
    ).toBe(true);
  });
});

/** Returns the stranger, with tokens of its own to send. */
function richStranger(world: InviteWorld): Address {
  if (world.token !== null) world.give(world.stranger, world.token, 50_000_000n);
  return world.stranger;
}

function substitutes(world: InviteWorld, other: WorldInvite): readonly Address[] {
  const { token } = world;
  const wallets = [world.sender, world.receiver, world.stranger, world.network.newWallet()];
  const ofInvite = [other.address, other.inviteKey, ...(other.token === null ? [] : [other.token.vault])];
  if (token === null) return [...wallets, ...ofInvite];
  const owners = [world.sender, world.receiver, world.stranger];
  const another = world.newToken(token.tokenProgram);
  return [
    ...wallets,
    ...ofInvite,
    ...owners.map((owner) => world.tokens(owner, token)),
    world.give(world.sender, another, 50_000_000n),
    another.mint,
  ];
}
