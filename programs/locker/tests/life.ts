import { expect } from 'vitest';
import { deriveVestingEscrow } from '../../../src/protocols/jupiter-lock/layout.ts';
import {
  decodeVestingEscrowMetadata,
  deriveVestingEscrowMetadata,
} from '../../../src/protocols/jupiter-lock/metadata-layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import { transferLamports } from '../../../src/solana/programs/system.ts';
import { decodeMint } from '../../../src/solana/programs/token/mint.ts';
import {
  computeAmountBeforeTransferFee,
  computeTransferFee,
  findTransferFeeConfig,
} from '../../../src/solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { maximum, minimum } from '../../../src/solana/units.ts';
import {
  buildStep,
  findSigner,
  type LockParties,
  type LockStep,
  makeParties,
  openVault,
  RICH,
} from './cases.ts';
import {
  findCancelRefusal,
  findClaimRefusal,
  findCloseRefusal,
  findCreateRefusal,
  findMetadataRefusal,
  findUpdateRefusal,
  type LockSlot,
} from './lock-slot.ts';
import { computeTotal, computeUnlocked, ESCROW_RENT, FEE, type LockWorld, START } from './world.ts';

/**
 * A life of two escrows. Every atom and every lamport is in a model beside the network, and the two are compared after each step.
 */
export class Life {
  readonly #world: LockWorld;
  readonly #withholdsFees: boolean;
  /** The kinds of steps that have succeeded. */
  readonly #ends: Set<string>;
  readonly #parties: LockParties;
  readonly #slots: readonly LockSlot[];
  readonly #lamports = new Map<Address, bigint>();
  readonly #atoms = new Map<Address, bigint>();
  #harvested: bigint;
  #now = START;

  constructor(world: LockWorld, withholdsFees: boolean, ends: Set<string>) {
    this.#world = world;
    this.#withholdsFees = withholdsFees;
    this.#ends = ends;
    world.network.setUnixTime(START);
    this.#harvested = this.#readHarvested();
    this.#parties = makeParties(world);
    for (const wallet of this.#parties.wallets) {
      this.#lamports.set(wallet, RICH);
      this.#atoms.set(wallet, RICH);
    }
    this.#slots = this.#parties.bases.map((base) => {
      const escrow = deriveVestingEscrow(base).address;
      const addresses = {
        escrow,
        vaultAddress: world.tokens(escrow),
        metadataAddress: deriveVestingEscrowMetadata(escrow),
      };
      return { ...addresses, lamports: 0n, vault: null, metadata: null, open: null };
    });
  }

  take(step: LockStep): void {
    const run = {
      create: () => this.#create(step),
      claim: () => this.#claim(step),
      cancel: () => this.#cancel(step),
      close: () => this.#close(step),
      update: () => this.#update(step),
      metadata: () => this.#metadata(step),
      wait: () => this.#wait(step),
      sendTokens: () => this.#sendTokens(step),
      sendLamports: () => this.#sendLamports(step),
    }[step.kind];
    run();
    this.#compare();
  }

  #create(step: LockStep): void {
    const { terms } = step;
    const slot = this.#slot(step);
    this.#openVault(step);
    const total = computeTotal(terms);
    const gross = this.#withholdsFees ? computeAmountBeforeTransferFee(FEE, total) : total;
    const sender = this.#signer(step);
    const expected = findCreateRefusal(slot, terms, { total, gross, balance: this.#atomsOf(sender) });
    if (!this.#send(step, expected) || gross === null || slot.vault === null) return;
    const rent = maximum(ESCROW_RENT - slot.lamports, 0n);
    slot.lamports += rent;
    this.#pay(sender, -rent);
    this.#move(sender, -gross);
    slot.vault.atoms += total;
    slot.vault.withheld += gross - total;
    const recipient = this.#wallet(step.other);
    slot.open = { terms, creator: sender, recipient, claimed: 0n, cancelledAt: 0n };
  }

  #claim(step: LockStep): void {
    const slot = this.#slot(step);
    const { open, vault } = slot;
    const unlocked = open === null ? 0n : computeUnlocked(open.terms, this.#now);
    const expected = findClaimRefusal(slot, this.#signer(step));
    if (!this.#send(step, expected) || open === null || vault === null) return;
    const paid = minimum(unlocked - open.claimed, step.amount);
    open.claimed += paid;
    vault.atoms -= paid;
    this.#receive(step.other, paid);
  }

  #cancel(step: LockStep): void {
    const slot = this.#slot(step);
    const { open, vault } = slot;
    const signer = this.#signer(step);
    const expected = findCancelRefusal(slot, signer);
    if (!this.#send(step, expected) || open === null || vault === null) return;
    const claimable = computeUnlocked(open.terms, this.#now) - open.claimed;
    this.#move(open.recipient, this.#net(claimable));
    this.#move(open.creator, this.#net(vault.atoms - claimable));
    open.cancelledAt = this.#now;
    this.#closeVault(slot, this.#wallet(step.other));
  }

  #close(step: LockStep): void {
    const slot = this.#slot(step);
    const { open, vault, metadata } = slot;
    const creator = this.#signer(step);
    const expected = findCloseRefusal(slot, creator);
    if (!this.#send(step, expected) || open === null) return;
    if (open.cancelledAt === 0n && vault !== null) {
      this.#receive(step.other, vault.atoms);
      this.#closeVault(slot, creator);
    }
    this.#pay(creator, slot.lamports + (metadata?.lamports ?? 0n));
    slot.lamports = 0n;
    slot.metadata = null;
    slot.open = null;
  }

  #update(step: LockStep): void {
    const slot = this.#slot(step);
    const { open, metadata } = slot;
    const signer = this.#signer(step);
    const expected = findUpdateRefusal(slot, signer, step.text !== null);
    if (!this.#send(step, expected) || open === null) return;
    open.recipient = this.#wallet(step.other);
    if (step.text === null || metadata === null) return;
    const needed = computeRentExemptMinimum(metadata.fixed + Buffer.byteLength(step.text));
    const paid = maximum(needed - metadata.lamports, 0n);
    this.#pay(signer, -paid);
    metadata.lamports += paid;
    metadata.email = step.text;
  }

  #metadata(step: LockStep): void {
    const slot = this.#slot(step);
    const creator = this.#signer(step);
    const expected = findMetadataRefusal(slot, creator);
    if (!this.#send(step, expected)) return;
    const fixed = 8 + 32 + 4 * 4 + Buffer.byteLength(step.text ?? '') + `${step.amount}`.length;
    const email = 'a@b';
    const lamports = computeRentExemptMinimum(fixed + email.length);
    this.#pay(this.#wallet(step.other), -lamports);
    slot.metadata = { lamports, email, fixed };
  }

  #wait({ seconds }: LockStep): void {
    this.#now += BigInt(seconds);
    this.#world.network.setUnixTime(this.#now);
  }

  #sendTokens(step: LockStep): void {
    const { vault, vaultAddress } = this.#openVault(step);
    this.#world.add(vaultAddress, step.gift);
    if (vault !== null) vault.atoms += step.gift;
  }

  #sendLamports(step: LockStep): void {
    const slot = this.#slot(step);
    this.#world.must(transferLamports(this.#world.network.payer, slot.escrow, step.gift));
    slot.lamports += step.gift;
  }

  /** Sends the step's instruction, which has to end as expected. Returns whether it succeeded. */
  #send(step: LockStep, expected: number | undefined): boolean {
    const instruction = buildStep(this.#world, this.#parties, step);
    if (instruction === null) throw new Error(`no instruction for ${step.kind}`);
    expect(this.#world.refusal(instruction), step.kind).toBe(expected);
    if (expected === undefined) this.#ends.add(step.kind);
    return expected === undefined;
  }

  #openVault(step: LockStep): LockSlot {
    const slot = this.#slot(step);
    openVault(this.#world, this.#parties, step);
    slot.vault ??= { lamports: this.#world.lamports(slot.vaultAddress), atoms: 0n, withheld: 0n };
    return slot;
  }

  #closeVault(slot: LockSlot, rentReceiver: Address): void {
    this.#pay(rentReceiver, slot.vault?.lamports ?? 0n);
    this.#harvested += slot.vault?.withheld ?? 0n;
    slot.vault = null;
  }

  #slot({ escrow }: LockStep): LockSlot {
    return this.#slots[escrow] as LockSlot;
  }

  #signer(step: LockStep): Address {
    return findSigner(this.#world, this.#parties, step);
  }

  #wallet(index: number): Address {
    return this.#parties.wallets[index] as Address;
  }

  #net(amount: bigint): bigint {
    return this.#withholdsFees ? amount - computeTransferFee(FEE, amount) : amount;
  }

  #atomsOf(wallet: Address): bigint {
    return this.#atoms.get(wallet) ?? 0n;
  }

  #receive(wallet: number, atoms: bigint): void {
    this.#move(this.#wallet(wallet), this.#net(atoms));
  }

  #move(wallet: Address, atoms: bigint): void {
    this.#atoms.set(wallet, this.#atomsOf(wallet) + atoms);
  }

  #pay(wallet: Address, lamports: bigint): void {
    this.#lamports.set(wallet, (this.#lamports.get(wallet) ?? 0n) + lamports);
  }

  #readHarvested(): bigint {
    const { token, network } = this.#world;
    const { extensions } = decodeMint(network.account(token.mint)?.data ?? new Uint8Array(0));
    return findTransferFeeConfig(extensions)?.withheldAmount ?? 0n;
  }

  #compare(): void {
    const world = this.#world;
    for (const [wallet, lamports] of this.#lamports) expect(world.lamports(wallet)).toBe(lamports);
    for (const [wallet, atoms] of this.#atoms) expect(world.balance(wallet)).toBe(atoms);
    expect(this.#readHarvested()).toBe(this.#harvested);
    for (const [index, slot] of this.#slots.entries()) {
      const { escrow, vaultAddress, metadataAddress, lamports, vault, metadata, open } = slot;
      expect([world.lamports(escrow), world.lamports(vaultAddress), world.balanceAt(vaultAddress)]).toEqual([
        lamports,
        vault?.lamports ?? 0n,
        vault?.atoms ?? 0n,
      ]);
      const state = world.read(this.#parties.bases[index] as Address);
      expect(state === null).toBe(open === null);
      if (open !== null) {
        const { terms, ...rest } = open;
        expect(state).toMatchObject({ ...terms, ...rest });
      }
      const texts = world.network.account(metadataAddress);
      expect(texts?.lamports ?? 0n).toBe(metadata?.lamports ?? 0n);
      if (metadata === null || texts === null) continue;
      expect(decodeVestingEscrowMetadata(texts.data).recipientEmail).toBe(metadata.email);
    }
  }
}
