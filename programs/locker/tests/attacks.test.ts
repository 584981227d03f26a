import { describe, expect, it } from 'vitest';
import { claimVestingEscrow } from '../../../src/protocols/jupiter-lock/instructions.ts';
import { updateVestingEscrowRecipient } from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import {
  deriveVestingEscrow,
  LOCK_EVENT_AUTHORITY,
  LOCK_PROGRAM,
  LockMode,
  type VestingEscrow,
} from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { type Instruction, readonly, readonlySigner } from '../../../src/solana/messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { U64_MAX } from '../../../src/solana/units.ts';
import { CLIFF, CODE, KINDS, LockWorld, START, TOTAL } from './world.ts';

describe.each(KINDS)('a thief of an escrow of %s', (kind) => {
  it('cannot claim from the token account of another escrow', () => {
    const { world, escrow, own } = open(kind);
    world.network.setUnixTime(CLIFF + 50n);
    const claim = world.claim(own);
    const vault = (each: VestingEscrow) => world.vault(each);
    expect(world.refusal(exchange(claim, vault(own), vault(escrow)))).toBe(CODE.TokenOwner);
    const both = exchange(claim, vault(own), vault(escrow));
    const { address } = deriveVestingEscrow(escrow.base);
    const ofOwn = deriveVestingEscrow(own.base).address;
    expect(world.refusal(exchange(both, ofOwn, address))).toBe(CODE.HasOne);
    expect(world.balanceAt(vault(escrow))).toBe(TOTAL);
  });

  it('cannot forge an escrow that names the token account of a real one', () => {
    const { world, escrow, own } = open(kind);
    world.network.setUnixTime(CLIFF + 50n);
    const { address } = deriveVestingEscrow(escrow.base);
    const data = Uint8Array.from(world.network.account(deriveVestingEscrow(own.base).address)?.data ?? []);
    const forged = world.network.newAddress();
    for (const owner of [world.stranger, TOKEN_2022_PROGRAM]) {
      world.network.setData(forged, owner, data);
      const claim = exchange(world.claim({ ...escrow, recipient: world.stranger }), address, forged);
      expect(world.refusal(claim)).toBe(CODE.WrongOwner);
    }
  });

  it('cannot claim again what it has claimed, in one transaction or later', () => {
    const { world, own } = open(kind);
    world.network.setUnixTime(CLIFF);
    const events = world.must(world.claim(own), world.claim(own), world.claim(own));
    expect(events.map((event) => (event.kind === 'claimed' ? event.amount : null))).toEqual([1_000n, 0n, 0n]);
    world.must(world.claim(own));
    expect(world.read(own.base)?.claimed).toBe(1_000n);
  });

  it('cannot claim by a gift to the token account, which unlocks nothing', () => {
    const { world, own } = open(kind);
    world.add(world.vault(own), 1_000_000n);
    world.must(world.claim(own));
    expect(world.read(own.base)?.claimed).toBe(0n);
    world.network.setUnixTime(CLIFF + 1_000n);
    world.must(world.claim(own));
    expect([world.read(own.base)?.claimed, world.balanceAt(world.vault(own))]).toEqual([TOTAL, 1_000_000n]);
  });

  it('cannot take an escrow over by its base, before or after it exists', () => {
    const { world, escrow } = open(kind);
    const stolen = {
      sender: world.stranger,
      recipient: world.stranger,
      senderToken: world.tokens(world.stranger),
    };
    expect(world.refusal(world.creation({ ...stolen, base: escrow.base }))).toBe(CODE.AlreadyInUse);
    // Only who has the base's key can create an escrow for it.
    const { accounts, ...rest } = world.creation(stolen);
    const unsigned = accounts.map((meta, at) => (at === 0 ? { ...meta, role: 1 as const } : meta));
    expect(world.refusal({ ...rest, accounts: unsigned })).toBe(CODE.NotSigner);
  });
});

describe('the creator of an escrow', () => {
  it('cannot get tokens back, give them to another or close the escrow, unless a mode permits it', () => {
    const world = new LockWorld();
    const escrow = world.create({ cancelMode: LockMode.NOBODY, updateRecipientMode: LockMode.NOBODY });
    const change = { signer: world.sender, recipient: world.sender, email: null };
    for (const now of [START, CLIFF, CLIFF + 50n]) {
      world.network.setUnixTime(now);
      expect([
        world.refusal(world.cancel(escrow, world.sender)),
        world.refusal(updateVestingEscrowRecipient(escrow.base, change)),
        world.refusal(world.close(escrow)),
      ]).toEqual([CODE.NotPermitted, CODE.NotPermitted, CODE.ClaimingIsNotFinished]);
    }
    world.must(world.claim(escrow));
    expect(world.balance(world.recipient)).toBe(TOTAL);
  });

  it('cannot cancel what has unlocked already', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF + 50n);
    world.must(world.cancel(escrow, world.sender));
    expect([world.balance(world.recipient), world.balance(world.sender)]).toEqual([
      TOTAL,
      1_000_000_000n - TOTAL,
    ]);
  });

  it('cannot cancel with the tokens going to others', () => {
    const world = new LockWorld();
    const escrow = world.create();
    world.network.setUnixTime(CLIFF);
    const cancel = world.cancel(escrow, world.sender);
    const [ofRecipient, ofSender] = [world.tokens(world.recipient), world.tokens(world.sender)];
    expect(world.refusal(exchange(cancel, ofRecipient, ofSender))).toBe(CODE.TokenOwner);
    const ofStranger = world.tokens(world.stranger);
    expect(world.refusal(exchange(cancel, ofSender, ofStranger))).toBe(CODE.TokenOwner);
    const alike = world.newToken();
    const other = world.give(world.recipient, 0n, alike);
    expect(world.refusal(exchange(cancel, ofRecipient, other))).toBe(CODE.TokenMint);
  });

  it('loses nothing by cancelling with the rent going to the escrow itself, which is refused', () => {
    const world = new LockWorld();
    const escrow = world.create();
    const cancel = world.cancel(escrow, world.sender);
    const accounts = cancel.accounts.map((meta, at) =>
      at === 5 ? { ...meta, address: deriveVestingEscrow(escrow.base).address } : meta,
    );
    expect(world.refusal({ ...cancel, accounts })).toBe('AccountBorrowFailed');
  });
});

describe('terms that reach for the end of the numbers', () => {
  it.each([
    ['periods without end, of nothing', { amountPerPeriod: 0n, periods: U64_MAX, frequency: 1n }, 1_000n],
    [
      'one period of everything',
      { cliffUnlockAmount: 0n, amountPerPeriod: 1n << 29n, periods: 1n },
      1n << 29n,
    ],
    ['a frequency without end', { frequency: U64_MAX }, 1_000n],
  ])('pay what has unlocked: %s', (_, changes, unlocked) => {
    const world = new LockWorld();
    const escrow = world.create(changes);
    world.network.setUnixTime((1n << 63n) - 1n);
    world.must(world.claim(escrow));
    expect(world.balance(world.recipient)).toBe(unlocked);
  });

  it('never unlock after a cliff that no clock reaches', () => {
    const world = new LockWorld();
    const escrow = world.create({ cliffTime: U64_MAX });
    world.network.setUnixTime((1n << 63n) - 1n);
    world.must(world.claim(escrow));
    expect(world.balance(world.recipient)).toBe(0n);
    world.must(world.cancel(escrow, world.sender));
    expect(world.balance(world.sender)).toBe(1_000_000_000n);
  });
});

describe('the issuer of a mint', () => {
  it('that takes tokens out of an escrow keeps it from paying what is not there, and nothing else', () => {
    const world = new LockWorld('a token of Token-2022');
    const escrow = world.create();
    world.add(world.vault(escrow), -600n);
    world.network.setUnixTime(CLIFF);
    expect(world.refusal(world.claim(escrow))).toBe(CODE.InsufficientFunds);
    expect(world.refusal(world.cancel(escrow, world.sender))).toBe(CODE.MathOverflow);
    world.must(world.claim(escrow, 900n));
    world.add(world.vault(escrow), 600n);
    world.must(world.claim(escrow));
    expect(world.balance(world.recipient)).toBe(1_000n);
  });
});

describe('a call of the program’s events', () => {
  it('is refused unless the program makes it itself', () => {
    const world = new LockWorld();
    const data = Buffer.from('e445a52e51cb9a1dab9001bd78c8260b', 'hex');
    const call = (...accounts: Instruction['accounts']): Instruction => ({
      programAddress: LOCK_PROGRAM,
      accounts,
      data,
    });
    expect(world.refusal(call())).toBe('NotEnoughAccountKeys');
    expect(world.refusal(call(readonly(LOCK_EVENT_AUTHORITY)))).toBe(2002);
    expect(world.refusal(call(readonlySigner(world.stranger)))).toBe(CODE.Seeds);
  });
});

describe('an instruction of the public program that is left out', () => {
  it.each([
    ['create_root_escrow', '74d40cbc4de220c9'],
    ['create_vesting_escrow_from_root', '06eea16cfc72f65b'],
    ['fund_root_escrow', 'fb6abdc86c0f905f'],
  ])('is refused with its name in the log: %s', (name, tag) => {
    const world = new LockWorld();
    const data = Buffer.from(tag, 'hex');
    const { error, logs } = world.send({ programAddress: LOCK_PROGRAM, accounts: [], data });
    expect(error?.custom).toBe(CODE.UnknownInstruction);
    expect(logs.join('\n')).toContain(`not part of this stand-in: ${name}`);
  });
});

describe('claim', () => {
  it('does not pay into a token account of another mint', () => {
    const world = new LockWorld();
    const escrow = world.create();
    const recipientToken = world.give(world.recipient, 0n, world.newToken());
    world.network.setUnixTime(CLIFF);
    const MINT_MISMATCH = 3;
    expect(world.refusal(claimVestingEscrow(escrow, { recipientToken, maxAmount: 1n }))).toBe(MINT_MISMATCH);
  });
});

/** Opens a world with an escrow of the sender for the recipient, and one that a thief has for itself. */
function open(kind: (typeof KINDS)[number]) {
  const world = new LockWorld(kind);
  const escrow = world.create();
  world.give(world.stranger, 1_000_000n);
  const own = world.create({
    sender: world.stranger,
    recipient: world.stranger,
    senderToken: world.tokens(world.stranger),
  });
  return { world, escrow, own };
}

/** Puts an account in all places of another one. */
function exchange(instruction: Instruction, from: Address, to: Address): Instruction {
  const accounts = instruction.accounts.map((meta) =>
    meta.address === from ? { ...meta, address: to } : meta,
  );
  return { ...instruction, accounts };
}
