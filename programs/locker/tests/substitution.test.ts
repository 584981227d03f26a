import { describe, expect, it } from 'vitest';
import { createVestingEscrowMetadata } from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import { deriveVestingEscrow, type VestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import { deriveVestingEscrowMetadata } from '../../../src/protocols/jupiter-lock/metadata-layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { substituteAccounts } from '../../../src/testing/svm/substitution.ts';
import { INSTRUCTIONS, TEXTS } from './every-instruction.ts';
import { CLIFF, CODE, KINDS, LockWorld } from './world.ts';

describe.each(KINDS)('an instruction of an escrow of %s with another account in any place', (kind) => {
  it.each(INSTRUCTIONS)('is refused, or does the same: %s', (name, build, free) => {
    if (kind !== 'a token' && (name === 'create_vesting_escrow' || name === 'claim')) return;
    const { world, escrow, over, other } = open(kind);
    const found = substituteAccounts(world.network, [build(world, escrow, over)], substitutes(world, other));
    const surprises = found.surprises.filter(({ index }) => !free.includes(index));
    expect(surprises).toEqual([]);
    expect(found.refused).toBeGreaterThan(5);
  });
});

describe.each(KINDS)('every instruction of an escrow of %s', (kind) => {
  it('is refused with accounts or data cut off, an account read-only, or a signature missing', () => {
    const { world, escrow, over } = open(kind);
    const changes = world.watch(world.sender, world.recipient, world.stranger);
    for (const [name, build] of INSTRUCTIONS) {
      if (kind !== 'a token' && (name === 'create_vesting_escrow' || name === 'claim')) continue;
      const each = build(world, escrow, over);
      for (let count = 0; count < each.accounts.length; count++) {
        const cut = { ...each, accounts: each.accounts.slice(0, count) };
        expect(world.refusal(cut), `${name}, ${count} accounts`).toBe(CODE.NotEnoughAccounts);
      }
      for (let length = 0; length < each.data.length; length++) {
        const expected = length < 8 ? CODE.UnknownInstruction : CODE.ArgumentsCutShort;
        expect(
          world.refusal({ ...each, data: each.data.subarray(0, length) }),
          `${name}, ${length} bytes`,
        ).toBe(expected);
      }
      for (const [place, { role }] of each.accounts.entries()) {
        for (const bit of [1, 2]) {
          if ((role & bit) === 0) continue;
          const accounts = each.accounts.map((meta, at) =>
            at === place ? { ...meta, role: (meta.role & ~bit) as typeof meta.role } : meta,
          );
          expect(world.refusal({ ...each, accounts }), `${name}, account ${place}`).toBeDefined();
        }
      }
    }
    expect(changes().flat()).toEqual([0n, 0n, 0n, 0n, 0n, 0n]);
  });
});

/** Opens a world with an escrow at its cliff, one with metadata of which everything was claimed, and a stranger's. */
function open(kind: (typeof KINDS)[number]) {
  const world = new LockWorld(kind);
  world.give(world.stranger, 50_000_000n);
  const escrow = world.create();
  const over = world.create({ periods: 0n });
  world.must(createVestingEscrowMetadata(over, world.sender, TEXTS));
  const parties = { sender: world.stranger, recipient: world.stranger };
  const other = world.create({ ...parties, senderToken: world.tokens(world.stranger) });
  world.must(createVestingEscrowMetadata(other, world.stranger, TEXTS));
  world.network.setUnixTime(CLIFF);
  world.must(world.claim(over));
  return { world, escrow, over, other };
}

function substitutes(world: LockWorld, other: VestingEscrow): readonly Address[] {
  const { address } = deriveVestingEscrow(other.base);
  const alike = world.newToken(world.token.tokenProgram);
  return [
    ...[world.sender, world.recipient, world.stranger, world.network.newWallet()],
    ...[world.sender, world.recipient, world.stranger].map((owner) => world.tokens(owner)),
    ...[address, deriveVestingEscrowMetadata(address), world.vault(other), other.base],
    ...[alike.mint, world.give(world.sender, 50_000n, alike)],
  ];
}
