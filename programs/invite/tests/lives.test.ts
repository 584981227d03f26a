import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createNewInvite } from '../../../src/protocols/jupiter-send/invite-instructions.ts';
import { deriveInviteVault, INVITE_REWARD } from '../../../src/protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../src/solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import {
  computeTransferFee,
  findTransferFeeConfig,
} from '../../../src/solana/programs/token/transfer-fee.ts';
import { assertProperty } from '../../../src/testing/random.ts';
import { CODE, INVITE_RENT, InviteWorld, KINDS, START, type WorldInvite } from './world.ts';

// Every atom and every lamport is in a model beside the network, and the two are compared after each step.
describe.each(KINDS)('random lives of invites of %s', (kind) => {
  it('account for every atom and lamport, whoever ends them and whatever others send', () => {
    // A network for each life would be more programs in memory than a process may map.
    const world = new InviteWorld(kind);
    assertProperty(
      fc.property(fc.array(step, { minLength: 5, maxLength: 40 }), (steps) => {
        const life = new Life(world);
        for (const each of steps) life.take(each);
      }),
      { cases: 500, short: 40, seed: 20_261_129 },
    );
  });
});

const step = fc.record({
  kind: fc.constantFrom(
    'create',
    'create',
    'create',
    'claim',
    'claim',
    'clawback',
    'expire',
    'expire',
    'wait',
    'sendLamports',
    'sendTokens',
    'closeAccount',
    'openAccount',
  ),
  /** Which of the wallets signs, receives or calls, and which of the keys. */
  sender: fc.nat(1),
  other: fc.nat(3),
  key: fc.nat(2),
  amount: fc.oneof(
    fc.bigInt({ min: 0n, max: 20n }),
    fc.bigInt({ min: 1n, max: 2_000_000n }),
    fc.bigInt({ min: 1n, max: 1n << 42n }),
  ),
  gift: fc.bigInt({ min: 890_880n, max: 5_000_000n }),
  seconds: fc.integer({ min: -1, max: 50 }),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** What the model knows of an open invite. */
interface Open {
  readonly sender: Address;
  readonly amount: bigint;
  readonly expiresAt: bigint;
}

/** What the model knows of the addresses that belong to a key, whether or not its invite is open. */
interface Slot {
  readonly inviteKey: Address;
  readonly invite: WorldInvite;
  lamports: bigint;
  /** Null if the vault does not exist. */
  vault: { lamports: bigint; atoms: bigint } | null;
  open: Open | null;
}

const RICH = 1n << 50n;

class Life {
  readonly #world: InviteWorld;
  readonly #wallets: readonly Address[];
  readonly #slots: readonly Slot[];
  readonly #lamports = new Map<Address, bigint>();
  /** Null for a wallet whose token account is closed. */
  readonly #atoms = new Map<Address, bigint | null>();
  readonly #accountRent: bigint;
  readonly #vaultRent: bigint;
  #harvested: bigint;
  #now = START;

  constructor(world: InviteWorld) {
    this.#world = world;
    const { network, token } = world;
    network.setUnixTime(START);
    this.#harvested = this.#readHarvested();
    this.#wallets = [1, 2, 3, 4].map(() => network.newWallet(RICH));
    for (const wallet of this.#wallets) {
      this.#lamports.set(wallet, RICH);
      if (token === null) continue;
      world.give(wallet, token, RICH);
      this.#atoms.set(wallet, RICH);
    }
    const [first] = this.#wallets as [Address];
    this.#accountRent = token === null ? 0n : world.lamports(world.tokens(first, token));
    this.#vaultRent = this.#accountRent;
    this.#slots = [1, 2, 3].map(() => {
      const terms = world.terms();
      return {
        inviteKey: terms.inviteKey,
        invite: world.invite(terms),
        lamports: 0n,
        vault: null,
        open: null,
      };
    });
  }

  take(step: Step): void {
    const run = {
      create: () => this.#create(step),
      claim: () => this.#claim(step),
      clawback: () => this.#clawback(step),
      expire: () => this.#expire(step),
      wait: () => this.#wait(step),
      sendLamports: () => this.#sendLamports(step),
      sendTokens: () => this.#sendTokens(step),
      closeAccount: () => this.#closeAccount(step),
      openAccount: () => this.#openAccount(step),
    }[step.kind];
    run();
    this.#compare();
  }

  #create({ sender: index, key, amount, seconds }: Step): void {
    const world = this.#world;
    const { token } = world;
    const sender = this.#wallets[index] as Address;
    const slot = this.#slots[key] as Slot;
    const expiresAt = this.#now + BigInt(seconds);
    const source = token === null ? null : { ...token, source: world.tokens(sender, token) };
    const { inviteKey } = slot;
    const creation = createNewInvite({ sender, inviteKey, token: source, amount, expiresAt });
    const arrived = amount - this.#feeOf(amount);
    const held = token === null ? RICH : this.#atoms.get(sender);
    const expected =
      held === null
        ? CODE.NotInitialized
        : amount === 0n
          ? CODE.InvalidAmount
          : seconds <= 0
            ? CODE.InvalidExpiry
            : slot.open !== null
              ? CODE.InviteExists
              : arrived === 0n
                ? CODE.InvalidAmount
                : undefined;
    const refusal = world.refusal(creation);
    expect(refusal).toBe(expected);
    if (refusal !== undefined) return;
    const rent = slot.lamports < INVITE_RENT ? INVITE_RENT - slot.lamports : 0n;
    const inSol = token === null ? amount : 0n;
    const deposit = rent + INVITE_REWARD + inSol;
    slot.lamports += deposit;
    this.#pay(sender, -deposit);
    if (token !== null) {
      if (slot.vault === null) {
        slot.vault = { lamports: this.#vaultRent, atoms: 0n };
        this.#pay(sender, -this.#vaultRent);
      }
      slot.vault.atoms += arrived;
      this.#move(sender, -amount);
      this.#withheld.set(slot, (this.#withheld.get(slot) ?? 0n) + amount - arrived);
    }
    slot.open = { sender, amount: arrived, expiresAt };
  }

  /** What is withheld in vaults. */
  readonly #withheld = new Map<Slot, bigint>();

  #claim({ other, key }: Step): void {
    const slot = this.#slots[key] as Slot;
    const receiver = this.#wallets[other] as Address;
    const refusal = this.#world.refusal(this.#world.claim(this.#invite(slot), receiver));
    const { open } = slot;
    if (open === null) {
      expect(refusal).toBe(this.#noInvite(slot));
      return;
    }
    const isMissing = this.#world.token !== null && this.#atoms.get(receiver) === null;
    const isExpired = this.#now >= open.expiresAt;
    expect(refusal).toBe(isMissing ? CODE.NotInitialized : isExpired ? CODE.InviteExpired : undefined);
    if (refusal !== undefined) return;
    if (this.#world.token === null) {
      this.#pay(receiver, open.amount);
      slot.lamports -= open.amount;
    }
    this.#end(slot, open, receiver);
  }

  #clawback({ key }: Step): void {
    const slot = this.#slots[key] as Slot;
    const refusal = this.#world.refusal(this.#world.clawback(this.#invite(slot)));
    const { open } = slot;
    if (open === null) {
      expect(refusal).toBe(this.#noInvite(slot));
      return;
    }
    const isMissing = this.#world.token !== null && this.#atoms.get(open.sender) === null;
    expect(refusal).toBe(isMissing ? CODE.NotInitialized : undefined);
    if (refusal === undefined) this.#end(slot, open, open.sender);
  }

  #expire({ other, key }: Step): void {
    const slot = this.#slots[key] as Slot;
    const caller = this.#wallets[other] as Address;
    const refusal = this.#world.refusal(this.#world.expire(this.#invite(slot), caller));
    const { open } = slot;
    if (open === null) {
      expect(refusal).toBe(this.#noInvite(slot));
      return;
    }
    expect(refusal).toBe(this.#now < open.expiresAt ? CODE.InviteNotExpired : undefined);
    if (refusal !== undefined) return;
    // Nobody but the sender pays for its account.
    if (this.#world.token !== null && this.#atoms.get(open.sender) === null) {
      this.#atoms.set(open.sender, 0n);
      this.#pay(open.sender, -this.#accountRent);
    }
    this.#pay(caller, INVITE_REWARD);
    slot.lamports -= INVITE_REWARD;
    this.#end(slot, open, open.sender);
  }

  /** Moves what is left of an invite: tokens to whom it went, lamports to the sender. */
  #end(slot: Slot, { sender }: Open, to: Address): void {
    if (slot.vault !== null) {
      const { atoms, lamports } = slot.vault;
      this.#move(to, atoms - this.#feeOf(atoms));
      this.#pay(sender, lamports);
      slot.vault = null;
      this.#harvested += this.#withheld.get(slot) ?? 0n;
      this.#withheld.delete(slot);
    }
    this.#pay(sender, slot.lamports);
    slot.lamports = 0n;
    slot.open = null;
  }

  #wait({ seconds }: Step): void {
    this.#now += BigInt(Math.max(0, seconds));
    this.#world.network.setUnixTime(this.#now);
  }

  #sendLamports({ key, gift }: Step): void {
    const slot = this.#slots[key] as Slot;
    this.#world.must(transferLamports(this.#world.network.payer, slot.invite.address, gift));
    slot.lamports += gift;
  }

  /** Sends tokens to a vault, which is opened before if it does not exist. */
  #sendTokens({ key, gift }: Step): void {
    const { token } = this.#world;
    const slot = this.#slots[key] as Slot;
    if (token === null) return;
    this.#world.give(slot.invite.address, token, gift);
    slot.vault ??= { lamports: this.#vaultRent, atoms: 0n };
    slot.vault.atoms += gift;
  }

  #closeAccount({ other }: Step): void {
    const { token, network } = this.#world;
    const wallet = this.#wallets[other] as Address;
    if (token === null || this.#atoms.get(wallet) === null) return;
    const none = { lamports: 0n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    network.setAccount(this.#world.tokens(wallet, token), { ...none, executable: false, rentEpoch: 0n });
    this.#atoms.set(wallet, null);
  }

  #openAccount({ other }: Step): void {
    const { token } = this.#world;
    const wallet = this.#wallets[other] as Address;
    if (token === null || this.#atoms.get(wallet) !== null) return;
    this.#world.give(wallet, token, RICH);
    this.#atoms.set(wallet, RICH);
  }

  #invite({ invite, open }: Slot): WorldInvite {
    return { ...invite, sender: open?.sender ?? (this.#wallets[0] as Address) };
  }

  #noInvite({ lamports }: Slot): number {
    return lamports === 0n ? CODE.NotInitialized : CODE.WrongOwner;
  }

  #feeOf(amount: bigint): bigint {
    if (this.#world.token?.withholdsFees !== true) return 0n;
    return computeTransferFee({ epoch: 0n, maximumFee: 500_000n, basisPoints: 100 }, amount);
  }

  #move(wallet: Address, atoms: bigint): void {
    this.#atoms.set(wallet, (this.#atoms.get(wallet) ?? 0n) + atoms);
  }

  #pay(wallet: Address, lamports: bigint): void {
    this.#lamports.set(wallet, (this.#lamports.get(wallet) ?? 0n) + lamports);
  }

  #readHarvested(): bigint {
    const { token, network } = this.#world;
    if (token?.withholdsFees !== true) return 0n;
    const { extensions } = decodeMint(network.account(token.mint)?.data ?? new Uint8Array(0));
    return findTransferFeeConfig(extensions)?.withheldAmount ?? 0n;
  }

  #compare(): void {
    const world = this.#world;
    for (const [wallet, lamports] of this.#lamports) expect(world.lamports(wallet)).toBe(lamports);
    for (const [wallet, atoms] of this.#atoms) {
      const account = world.tokens(wallet, world.token as NonNullable<typeof world.token>);
      expect(world.network.account(account) === null).toBe(atoms === null);
      expect(world.balanceAt(account)).toBe(atoms ?? 0n);
    }
    expect(this.#readHarvested()).toBe(this.#harvested);
    for (const { invite, lamports, vault, open } of this.#slots) {
      expect(world.lamports(invite.address)).toBe(lamports);
      const state = world.read(invite);
      expect(state === null).toBe(open === null);
      if (open !== null) expect(state).toMatchObject(open);
      if (world.token === null) continue;
      const { mint, tokenProgram } = world.token;
      const address = deriveInviteVault(invite.address, mint, tokenProgram);
      expect([world.lamports(address), world.balanceAt(address)]).toEqual([
        vault?.lamports ?? 0n,
        vault?.atoms ?? 0n,
      ]);
    }
  }
}
