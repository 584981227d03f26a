import { describe, expect, it } from 'vitest';
import { INVITE_REWARD } from '../../../src/protocols/jupiter-send/invite-program.ts';
import { type Address, address } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { Authority, setAuthority } from '../../../src/solana/programs/token/instructions.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { CODE, DEPOSIT, EXPIRY, InviteWorld, KINDS, type WorldInvite } from './world.ts';

describe.each(KINDS.slice(1))('expire, where the sender has no account for %s', (kind) => {
  it('opens it out of the rents, to the lamport, so that the caller has exactly the reward', () => {
    const { world, invite, own, rent } = expired(kind);
    const changes = world.watch(world.sender, world.stranger);
    const vaultRent = world.lamports(vaultOf(invite));
    world.must(world.expire(invite));
    expect(world.lamports(own)).toBe(rent);
    const delivered = kind === 'a token with a transfer fee' ? 4_900_500n : 5_000_000n;
    expect(changes()).toEqual([
      [DEPOSIT - INVITE_REWARD + vaultRent - rent, delivered],
      [INVITE_REWARD, 0n],
    ]);
  });

  it('pays for no more than is missing of its rent', () => {
    const { world, invite, own, rent } = expired(kind);
    world.must(transferLamports(world.network.payer, own, 1_000_000n));
    const changes = world.watch(world.sender, world.stranger);
    const vaultRent = world.lamports(vaultOf(invite));
    world.must(world.expire(invite));
    expect(world.lamports(own)).toBe(rent);
    expect(changes().map(([sol]) => sol)).toEqual([
      DEPOSIT - INVITE_REWARD + vaultRent - rent + 1_000_000n,
      INVITE_REWARD,
    ]);
  });

  it('returns the rent of the account to a sender who calls it', () => {
    const { world, invite, rent } = expired(kind);
    const changes = world.watch(world.sender);
    const vaultRent = world.lamports(vaultOf(invite));
    world.must(world.expire(invite, world.sender));
    expect(changes()[0]?.[0]).toBe(DEPOSIT + vaultRent - rent);
  });

  it('opens none for an invite whose tokens are gone', () => {
    const { world, invite, own } = expired(kind);
    world.add(vaultOf(invite), -world.balanceAt(vaultOf(invite)));
    const changes = world.watch(world.stranger);
    const events = world.must(world.expire(invite));
    expect(events[0]).toMatchObject({ kind: 'expired', delivered: 0n });
    expect(changes()).toEqual([[INVITE_REWARD, 0n]]);
    expect([world.network.account(own), world.network.account(invite.address)]).toEqual([null, null]);
  });

  it('needs a caller who can advance the rent', () => {
    const { world, invite } = expired(kind);
    const poor = world.network.newWallet(1_000_000n);
    const changes = world.watch(world.sender, poor);
    expect(world.refusal(world.expire(invite, poor))).toBe(1);
    expect(
      changes()
        .flat()
        .every((change) => change === 0n),
    ).toBe(true);
  });

  it('costs the caller nothing, whatever the rent has become', () => {
    const { world, invite } = expired(kind);
    const rent = world.network.svm.getRent();
    rent.lamportsPerByteYear *= 3n;
    world.network.svm.setRent(rent);
    const changes = world.watch(world.stranger);
    expect(world.refusal(world.expire(invite))).toBe(CODE.InsufficientRent);
    expect(changes()).toEqual([[0n, 0n]]);
  });
});

describe('expire', () => {
  it('returns to a sender whose wallet holds nothing any more', () => {
    for (const kind of KINDS) {
      const { world, invite } = expired(kind);
      clear(world, world.sender);
      world.must(world.expire(invite));
      expect(world.lamports(world.sender) > 0n, kind).toBe(true);
    }
  });

  it('pays nobody to whom the sender has given its account', () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    if (token === null) throw new Error('a token');
    const invite = world.create();
    const own = world.tokens(world.sender, token);
    const change = { of: own, authority: Authority.ACCOUNT_OWNER, current: world.sender };
    world.must(setAuthority(token.tokenProgram, { ...change, next: world.receiver }));
    world.network.setUnixTime(EXPIRY);
    expect(world.refusal(world.expire(invite))).toBe(CODE.InvalidTokenAccount);
    // The sender can still choose another account of its own.
    expect(world.refusal(world.clawback(invite))).toBe(CODE.InvalidTokenAccount);
  });

  it('needs a caller who signs', () => {
    const { world, invite } = expired('SOL');
    const { accounts, ...expire } = world.expire(invite);
    const unsigned = accounts.map((meta, at) => (at === 0 ? { ...meta, role: 1 as const } : meta));
    expect(world.refusal({ ...expire, accounts: unsigned })).toBe(CODE.NotSigner);
  });
});

function vaultOf({ token }: WorldInvite): Address {
  return token?.vault ?? address('11111111111111111111111111111111');
}

/** Returns an expired invite of a sender who has closed its token account. */
function expired(kind: (typeof KINDS)[number]) {
  const world = new InviteWorld(kind);
  const invite = world.create();
  const own = world.token === null ? world.sender : world.tokens(world.sender, world.token);
  const rent = world.lamports(own);
  if (world.token !== null) clear(world, own);
  world.network.setUnixTime(EXPIRY);
  return { world, invite, own, rent };
}

function clear({ network }: InviteWorld, account: Address): void {
  const none = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
  network.setAccount(account, { ...none, executable: false, rentEpoch: 0n });
}
