import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { encodeInvite } from '../../../src/protocols/jupiter-send/invite-account.ts';
import {
  createClaimInvite,
  type OpenInvite,
} from '../../../src/protocols/jupiter-send/invite-instructions.ts';
import { deriveInviteKey } from '../../../src/protocols/jupiter-send/invite-key.ts';
import {
  deriveInvite,
  deriveInviteVault,
  INVITE_EVENT_AUTHORITY,
  INVITE_PROGRAM,
  INVITE_REWARD,
} from '../../../src/protocols/jupiter-send/invite-program.ts';
import { type Address, toAddressBytes } from '../../../src/solana/address.ts';
import { createKeypairFromSeed, type Keypair, signWith } from '../../../src/solana/keypair.ts';
import { type Instruction, readonly, readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { SYSTEM_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import type { Encoded } from '../../../src/testing/svm/network.ts';
import { ordinaryTokenAccount } from '../../../src/testing/token-account.ts';
import { CODE, EXPIRY, InviteWorld, KINDS } from './world.ts';

describe('a thief who sees a claim before it lands', () => {
  it('cannot put another receiver into it, nor sign for the invite key', () => {
    const { world, key, payer, invite } = openWithKey();
    const claim = world.network.encode([createClaimInvite(invite, world.receiver)], {
      feePayer: payer.address,
    });
    const signed = sign(claim, [payer, key]);
    const redirected = replace(signed, world.receiver, world.stranger);
    const changes = world.watch(world.receiver, world.stranger);
    expect(world.network.sendEncoded(redirected).error?.kind).toBe('SignatureFailure');
    // The thief can sign as the fee payer again, but not as the invite key.
    const resigned = sign(redirected, [payer]);
    expect(world.network.sendEncoded(resigned).error?.kind).toBe('SignatureFailure');
    expect(changes()).toEqual([
      [0n, 0n],
      [0n, 0n],
    ]);
    expect(world.network.sendEncoded(signed).error).toBeNull();
    expect(changes()).toEqual([
      [5_000_000n, 0n],
      [0n, 0n],
    ]);
  });

  it('cannot use the signature in another message, or send the claim twice', () => {
    const { world, key, payer, invite } = openWithKey();
    const options = { feePayer: payer.address };
    const claim = sign(world.network.encode([createClaimInvite(invite, world.receiver)], options), [
      payer,
      key,
    ]);
    const theft = world.network.encode([createClaimInvite(invite, world.stranger)], options);
    const stolen = sign(theft, [payer]);
    stolen.wire.set(signatureIn(claim, key.address), offsetOf(stolen, key.address));
    expect(world.network.sendEncoded(stolen).error?.kind).toBe('SignatureFailure');
    expect(world.network.sendEncoded(claim).error).toBeNull();
    expect(world.network.sendEncoded(claim).error).not.toBeNull();
  });

  it('cannot claim without the signature of the invite key', () => {
    for (const kind of KINDS) {
      const world = new InviteWorld(kind);
      const invite = world.create();
      const claim = world.claim(invite, world.receiver);
      const unsigned = claim.accounts.map((meta, at) => (at === 0 ? readonly(meta.address) : meta));
      expect(world.refusal({ ...claim, accounts: unsigned })).toBe(CODE.NotSigner);
      const own = claim.accounts.map((meta, at) => (at === 0 ? readonlySigner(world.stranger) : meta));
      expect(world.refusal({ ...claim, accounts: own })).toBe(CODE.HasOne);
    }
  });
});

describe.each(KINDS)('of an invite of %s', (kind) => {
  it('nobody but the sender claws back', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    for (const thief of [world.receiver, world.stranger, invite.inviteKey]) {
      const clawback = world.clawback({ ...invite, sender: thief });
      if (world.token !== null) world.open(thief, world.token);
      expect(world.refusal(clawback)).toBe(CODE.HasOne);
    }
    const { accounts, ...clawback } = world.clawback(invite);
    const unsigned = accounts.map((meta, at) => (at === 0 ? { ...meta, role: 1 as const } : meta));
    expect(world.refusal({ ...clawback, accounts: unsigned })).toBe(CODE.NotSigner);
  });

  it('the claimer takes neither rent nor reward by posing as the sender', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const claim = world.claim({ ...invite, sender: world.receiver });
    expect(world.refusal(claim)).toBe(CODE.HasOne);
    world.network.setUnixTime(EXPIRY);
    const expire = world.expire({ ...invite, sender: world.stranger });
    expect(world.refusal(expire)).toBe(CODE.HasOne);
  });

  it('the first of a claim and a clawback that race wins everything, and the other changes nothing', () => {
    for (const isClaimFirst of [true, false]) {
      const world = new InviteWorld(kind);
      const invite = world.create();
      const race = [world.claim(invite), world.clawback(invite)];
      const [first, second] = isClaimFirst ? race : race.reverse();
      world.must(first as Instruction);
      const changes = world.watch(world.sender, world.receiver);
      expect(world.refusal(second as Instruction)).toBe(CODE.NotInitialized);
      // Lamports that arrive afterwards make no invite of it.
      world.must(transferLamports(world.network.payer, invite.address, 3_000_000n));
      expect(world.refusal(second as Instruction)).toBe(CODE.WrongOwner);
      expect(
        changes()
          .flat()
          .every((each) => each === 0n),
      ).toBe(true);
    }
  });

  it('what others send to it while it is open changes no amount, and is lost for nobody', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    world.must(transferLamports(world.network.payer, invite.address, 123_456_789n));
    if (invite.token !== null) world.add(invite.token.vault, 321n);
    const changes = world.watch(world.sender, world.receiver);
    const [event] = world.must(world.claim(invite));
    expect(event?.amount).toBe(kind === 'a token with a transfer fee' ? 4_950_000n : 5_000_000n);
    const received = kind === 'a token with a transfer fee' ? 4_900_817n : 5_000_321n;
    expect(changes()[1]).toEqual(kind === 'SOL' ? [5_000_000n, 0n] : [0n, received]);
    expect(changes()[0]?.[0]).toBeGreaterThan(123_456_789n);
  });

  it('the invite itself is no receiver', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    expect(world.refusal(world.claim(invite, invite.address))).toBe(CODE.InvalidReceiver);
    expect(world.read(invite)).not.toBeNull();
  });

  it('an account that is only written like an invite ends nothing', () => {
    const world = new InviteWorld(kind);
    const invite = world.create();
    const state = world.read(invite);
    if (state === null) throw new Error('no invite');
    const fake = world.network.newAddress();
    const richer = { ...state, sender: world.stranger, inviteKey: world.stranger, amount: 1n << 40n };
    world.network.setData(fake, TOKEN_PROGRAM, encodeInvite(richer));
    const { accounts, ...claim } = world.claim({
      ...invite,
      sender: world.stranger,
      inviteKey: world.stranger,
    });
    const made = accounts.map((meta, at) => (at === 3 ? { ...meta, address: fake } : meta));
    expect(world.refusal({ ...claim, accounts: made })).toBe(CODE.WrongOwner);
    const data = encodeInvite(richer);
    data[0] = 0;
    world.network.setData(fake, INVITE_PROGRAM, data);
    expect(world.refusal({ ...claim, accounts: made })).toBe(CODE.WrongType);
  });
});

describe('of an invite of a token', () => {
  it('no other account that the invite owns is taken for the vault', () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    const invite = world.create();
    if (token === null || invite.token === null) throw new Error('a token');
    const empty = world.network.newAddress();
    const data = ordinaryTokenAccount({ mint: token.mint, owner: invite.address, amount: 0n });
    world.network.setData(empty, token.tokenProgram, data);
    const fake: OpenInvite = { ...invite, token: { ...invite.token, vault: empty } };
    world.network.setUnixTime(EXPIRY - 1n);
    for (const end of [world.claim(fake), world.clawback(fake)]) expect(world.refusal(end)).toBe(CODE.HasOne);
    world.network.setUnixTime(EXPIRY);
    expect(world.refusal(world.expire(fake))).toBe(CODE.HasOne);
    expect(world.balanceAt(invite.token.vault)).toBe(5_000_000n);
  });

  it('the accounts of tokens can not be left out, nor given for SOL', () => {
    const world = new InviteWorld('a token');
    const invite = world.create();
    const asSol = { ...invite, token: null };
    expect(world.refusal(world.claim(asSol))).toBe(CODE.UnexpectedAccounts);
    const sol = world.create({ token: null });
    const { token } = world;
    if (token === null) throw new Error('a token');
    const vault = deriveInviteVault(sol.address, token.mint, token.tokenProgram);
    expect(world.refusal(world.claim({ ...sol, token: { ...token, vault } }))).toBe(CODE.UnexpectedAccounts);
    world.must(world.claim(sol));
  });

  it('the receiver has it in its associated account alone', () => {
    const world = new InviteWorld('a token');
    const { token } = world;
    if (token === null) throw new Error('a token');
    const invite = world.create();
    const second = world.network.newAddress();
    const data = ordinaryTokenAccount({ mint: token.mint, owner: world.receiver, amount: 0n });
    world.network.setData(second, token.tokenProgram, data);
    const claim = world.claim(invite);
    for (const account of [second, world.tokens(world.sender, token), invite.token?.vault ?? second]) {
      const accounts = claim.accounts.map((meta, at) => (at === 5 ? { ...meta, address: account } : meta));
      expect(world.refusal({ ...claim, accounts })).toBe(CODE.InvalidTokenAccount);
    }
    // Who does not have one opens it before.
    const stranger = world.claim(invite, world.stranger);
    expect(world.refusal(stranger)).toBe(CODE.NotInitialized);
    world.open(world.stranger, token);
    world.must(stranger);
  });
});

describe('an event', () => {
  it('is emitted by nobody but the program', () => {
    const world = new InviteWorld();
    const data = Buffer.concat([Buffer.from('e445a52e51cb9a1d', 'hex'), tagOf('event:InviteClaimed')]);
    const forged = (accounts: Instruction['accounts']) => ({
      programAddress: INVITE_PROGRAM,
      accounts,
      data,
    });
    expect(world.refusal(forged([]))).toBe('NotEnoughAccountKeys');
    expect(world.refusal(forged([readonly(INVITE_EVENT_AUTHORITY)]))).toBe(2002);
    expect(world.refusal(forged([readonlySigner(world.stranger)]))).toBe(2002);
  });
});

describe('an instruction that is not known', () => {
  it('is refused', () => {
    const world = new InviteWorld();
    const unknown = { programAddress: INVITE_PROGRAM, accounts: [], data: tagOf('global:update') };
    expect(world.refusal(unknown)).toBe(101);
  });
});

describe('a code', () => {
  it('is all that the holder of an invite needs', () => {
    const { world, key, payer, invite } = openWithKey();
    // The wallet of the sender has signed only the creation.
    const claim = createClaimInvite(
      { ...invite, inviteKey: deriveInviteKey(CODE_TEXT).address },
      world.stranger,
    );
    const sent = sign(world.network.encode([claim], { feePayer: payer.address }), [payer, key]);
    const changes = world.watch(world.stranger, world.sender);
    expect(world.network.sendEncoded(sent).error).toBeNull();
    expect(changes()[0]).toEqual([5_000_000n, 0n]);
    expect(changes()[1]?.[0]).toBeGreaterThan(INVITE_REWARD);
  });
});

const CODE_TEXT = '3mJr7AoUXx2W';

/** Returns an open invite of SOL whose key can sign, on a network that checks signatures from then on. */
function openWithKey() {
  const world = new InviteWorld();
  const key = deriveInviteKey(CODE_TEXT);
  const payer = createKeypairFromSeed(new Uint8Array(32).fill(7));
  const funds = { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
  world.network.setAccount(payer.address, { ...funds, executable: false, rentEpoch: 0n });
  const invite = world.create({ inviteKey: key.address });
  expect(invite.address).toBe(deriveInvite(key.address).address);
  world.network.svm.setSigverify(true);
  return { world, key, payer, invite };
}

/** Returns the transaction with signatures of these keys. A message of these tests has fewer than 128 signers. */
function sign(encoded: Encoded, keys: readonly Keypair[]): Encoded {
  const wire = Uint8Array.from(encoded.wire);
  const message = wire.subarray(1 + 64 * (wire[0] ?? 0));
  for (const key of keys) wire.set(signWith(key, message), offsetOf(encoded, key.address));
  return { ...encoded, wire };
}

function offsetOf({ accounts }: Encoded, signer: Address): number {
  return 1 + 64 * accounts.indexOf(signer);
}

function signatureIn(encoded: Encoded, signer: Address): Uint8Array {
  const at = offsetOf(encoded, signer);
  return encoded.wire.subarray(at, at + 64);
}

/** Returns the transaction with another account in the place of one, and its signatures as they were. */
function replace(encoded: Encoded, account: Address, by: Address): Encoded {
  const wire = Uint8Array.from(encoded.wire);
  wire.set(toAddressBytes(by), Buffer.from(wire).indexOf(Buffer.from(toAddressBytes(account))));
  return { wire, accounts: encoded.accounts.map((each) => (each === account ? by : each)) };
}

function tagOf(name: string): Uint8Array {
  return createHash('sha256').update(name).digest().subarray(0, 8);
}
