import { expect } from 'vitest';
import { decodeVestingEvent, type VestingEvent } from '../../../src/protocols/jupiter-lock/events.ts';
import {
  claimVestingEscrowV2,
  createVestingEscrow,
  createVestingEscrowV2,
  type LockedToken,
  type NewVestingEscrow,
} from '../../../src/protocols/jupiter-lock/instructions.ts';
import {
  cancelVestingEscrow,
  closeVestingEscrow,
} from '../../../src/protocols/jupiter-lock/instructions-change.ts';
import {
  decodeVestingEscrow,
  deriveVestingEscrow,
  ESCROW_SIZE,
  LOCK_PROGRAM,
  LockMode,
  type VestingEscrow,
  type VestingTerms,
} from '../../../src/protocols/jupiter-lock/layout.ts';
import type { Address } from '../../../src/solana/address.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../src/solana/programs/associated-token.ts';
import { readTokenAccountAmount } from '../../../src/solana/programs/token/account.ts';
import type { Extension } from '../../../src/solana/programs/token/extensions.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { encodeTransferFeeConfigExtension } from '../../../src/solana/programs/token/transfer-fee.ts';
import { computeRentExemptMinimum } from '../../../src/solana/rent.ts';
import { minimum } from '../../../src/solana/units.ts';
import { TestNetwork, type TestOutcome } from '../../../src/testing/svm/network.ts';

/** The second in which every world begins, and the cliff of its escrows unless a test says otherwise. */
export const START = 1_800_000_000n;
export const CLIFF = START + 100n;
export const ESCROW_RENT = computeRentExemptMinimum(ESCROW_SIZE);
/** The fee of a mint with a transfer fee: 1 %, and at most 500,000 atoms. */
export const FEE = { epoch: 0n, maximumFee: 500_000n, basisPoints: 100 };

/** A cliff of 1,000 atoms, and five parts of 100 that unlock every ten seconds after it. Both parties may do everything. */
export const TERMS: VestingTerms = {
  vestingStartTime: START,
  cliffTime: CLIFF,
  frequency: 10n,
  cliffUnlockAmount: 1_000n,
  amountPerPeriod: 100n,
  periods: 5n,
  updateRecipientMode: LockMode.BOTH,
  cancelMode: LockMode.BOTH,
};
/** What these terms lock. */
export const TOTAL = 1_500n;

export interface WorldToken extends LockedToken {
  readonly mint: Address;
}

export type WorldKind = 'a token' | 'a token of Token-2022' | 'a token with a transfer fee';

/** What an escrow can hold, for tests that hold for all. */
export const KINDS: readonly WorldKind[] = [
  'a token',
  'a token of Token-2022',
  'a token with a transfer fee',
];

/** A network with the program, a sender who holds a token, a recipient, and a stranger to whom nothing belongs. */
export class LockWorld {
  readonly network: TestNetwork;
  readonly sender: Address;
  readonly recipient: Address;
  readonly stranger: Address;
  readonly token: WorldToken;

  constructor(kind: WorldKind = 'a token', network = new TestNetwork(['locker'], 'locker')) {
    this.network = network;
    network.setUnixTime(START);
    this.sender = network.newWallet();
    this.recipient = network.newWallet();
    this.stranger = network.newWallet();
    this.token = this.#tokenOf(kind);
    this.give(this.sender, 1_000_000_000n);
    this.open(this.recipient);
    this.open(this.stranger);
  }

  #tokenOf(kind: WorldKind): WorldToken {
    if (kind === 'a token with a transfer fee') return this.newFeeToken();
    return this.newToken(kind === 'a token' ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM);
  }

  newToken(tokenProgram: Address = TOKEN_PROGRAM, extensions: readonly Extension[] = []): WorldToken {
    const mint = this.network.newAddress();
    const freezeAuthority = this.network.payer;
    const state = { mintAuthority: null, supply: 1n << 63n, decimals: 6, freezeAuthority, extensions };
    this.network.setData(mint, tokenProgram, encodeMint(state));
    return { mint, tokenProgram };
  }

  newFeeToken(fee = FEE): WorldToken {
    const config = { configAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0n };
    const extension = encodeTransferFeeConfigExtension({ ...config, older: fee, newer: fee });
    return this.newToken(TOKEN_2022_PROGRAM, [extension]);
  }

  tokens(owner: Address, { mint, tokenProgram }: WorldToken = this.token): Address {
    return deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  }

  /** Opens the associated token account, which the payer of the network pays. */
  open(owner: Address, { mint, tokenProgram }: WorldToken = this.token): Address {
    this.must(createAssociatedTokenIdempotent({ payer: this.network.payer, owner, mint, tokenProgram }));
    return deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  }

  /** Adds tokens that come from nowhere to the associated token account, which is opened before. */
  give(owner: Address, amount: bigint, token: WorldToken = this.token): Address {
    const address = this.open(owner, token);
    this.add(address, amount);
    return address;
  }

  /** Adds tokens that come from nowhere to a token account, or takes some away. */
  add(tokenAccount: Address, amount: bigint): void {
    const account = this.network.account(tokenAccount);
    if (account === null) throw new Error(`no account at ${tokenAccount}`);
    const data = Buffer.from(account.data);
    data.writeBigUInt64LE(data.readBigUInt64LE(64) + amount, 64);
    this.network.setAccount(tokenAccount, { ...account, data });
  }

  /** Returns the atoms of a token account, or 0 if there is none. */
  balanceAt(account: Address): bigint {
    const found = this.network.account(account);
    return found === null || found.data.length === 0 ? 0n : readTokenAccountAmount(found.data);
  }

  balance(owner: Address, token: WorldToken = this.token): bigint {
    return this.balanceAt(this.tokens(owner, token));
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** Returns what the sender's next escrow is created with, whose token account is opened. */
  terms(changes: Partial<NewVestingEscrow> = {}, token: WorldToken = this.token): NewVestingEscrow {
    const base = changes.base ?? this.network.newAddress();
    this.open(deriveVestingEscrow(base).address, token);
    return {
      ...TERMS,
      base,
      sender: this.sender,
      senderToken: this.tokens(changes.sender ?? this.sender, token),
      recipient: this.recipient,
      mint: token.mint,
      ...changes,
    };
  }

  /** Builds the creation of an escrow. */
  creation(changes: Partial<NewVestingEscrow> = {}, token: WorldToken = this.token): Instruction {
    return createVestingEscrowV2(this.terms(changes, token), token);
  }

  /** Builds the creation of an escrow by the form for the classic token program. */
  plainCreation(changes: Partial<NewVestingEscrow> = {}): Instruction {
    return createVestingEscrow(this.terms(changes));
  }

  create(changes: Partial<NewVestingEscrow> = {}, token: WorldToken = this.token): VestingEscrow {
    const terms = this.terms(changes, token);
    this.must(createVestingEscrowV2(terms, token));
    return this.read(terms.base) as VestingEscrow;
  }

  read(base: Address): VestingEscrow | null {
    const account = this.network.account(deriveVestingEscrow(base).address);
    return account === null || account.owner !== LOCK_PROGRAM ? null : decodeVestingEscrow(account.data);
  }

  /** Returns the token account of an escrow. */
  vault({ base }: Pick<VestingEscrow, 'base'>, token: WorldToken = this.token): Address {
    return this.tokens(deriveVestingEscrow(base).address, token);
  }

  claim(escrow: VestingEscrow, maxAmount = (1n << 64n) - 1n, token: WorldToken = this.token): Instruction {
    const recipientToken = this.tokens(escrow.recipient, token);
    return claimVestingEscrowV2(escrow, { recipientToken, maxAmount }, token);
  }

  cancel(escrow: VestingEscrow, signer: Address, token: WorldToken = this.token): Instruction {
    const accounts = {
      signer,
      creatorToken: this.tokens(escrow.creator, token),
      recipientToken: this.tokens(escrow.recipient, token),
      rentReceiver: signer,
    };
    return cancelVestingEscrow(escrow, accounts, token);
  }

  close(escrow: VestingEscrow, token: WorldToken = this.token): Instruction {
    return closeVestingEscrow(escrow, this.tokens(escrow.creator, token), token);
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns the events of the program. */
  must(...instructions: readonly Instruction[]): VestingEvent[] {
    const { error, logs, inner } = this.send(...instructions);
    expect(error, logs.join('\n')).toBeNull();
    return inner
      .flat()
      .filter(({ program }) => program === LOCK_PROGRAM)
      .map(({ data }) => decodeVestingEvent(data))
      .filter((event) => event !== null);
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.send(...instructions);
    return error?.custom ?? error?.kind;
  }

  /** Returns a function that says by how many lamports and atoms of this world's token the wallets have changed since. */
  watch(...wallets: readonly Address[]): () => readonly (readonly [bigint, bigint])[] {
    const read = () => wallets.map((wallet) => [this.lamports(wallet), this.balance(wallet)] as const);
    const before = read();
    return () =>
      read().map(([sol, atoms], at) => [sol - (before[at]?.[0] ?? 0n), atoms - (before[at]?.[1] ?? 0n)]);
  }
}

/** The parties that a mode permits something to. */
export const PERMITTED = [
  [LockMode.NOBODY, []],
  [LockMode.CREATOR, ['sender']],
  [LockMode.RECIPIENT, ['recipient']],
  [LockMode.BOTH, ['sender', 'recipient']],
] as const;
/** Everybody of a world. */
export const PARTIES = ['sender', 'recipient', 'stranger'] as const;

/** Returns what has unlocked at that second. */
export function computeUnlocked(terms: VestingTerms, now: bigint): bigint {
  if (now < terms.cliffTime) return 0n;
  if (terms.frequency === 0n) return terms.cliffUnlockAmount;
  const passed = (now - terms.cliffTime) / terms.frequency;
  const periods = minimum(passed, terms.periods);
  return terms.cliffUnlockAmount + periods * terms.amountPerPeriod;
}

/** Returns all that ever unlocks. */
export function computeTotal({ cliffUnlockAmount, amountPerPeriod, periods }: VestingTerms): bigint {
  return cliffUnlockAmount + amountPerPeriod * periods;
}

/** The program's error numbers, and those of Anchor, the system and the token program that tests expect. */
export const CODE = {
  AlreadyInUse: 0,
  InsufficientFunds: 1,
  MathOverflow: 6000,
  FrequencyIsZero: 6001,
  InvalidEscrowTokenAddress: 6002,
  InvalidUpdateRecipientMode: 6003,
  InvalidCancelMode: 6004,
  NotPermitted: 6005,
  InvalidRecipientTokenAccount: 6006,
  InvalidEscrowMetadata: 6008,
  InvalidVestingStartTime: 6009,
  AlreadyCancelled: 6010,
  CancelledAtIsZero: 6011,
  TransferFeeCalculationFailure: 6013,
  UnsupportedMint: 6014,
  InsufficientRemainingAccounts: 6016,
  DuplicatedRemainingAccountTypes: 6017,
  NoTransferHookProgram: 6018,
  ClaimingIsNotFinished: 6019,
  UnknownInstruction: 101,
  ArgumentsCutShort: 102,
  Mutable: 2000,
  HasOne: 2001,
  Seeds: 2006,
  Associated: 2009,
  TokenMint: 2014,
  TokenOwner: 2015,
  TokenProgram: 2023,
  NotEnoughAccounts: 3005,
  WrongOwner: 3007,
  InvalidProgram: 3008,
  NotSigner: 3010,
  NotInitialized: 3012,
} as const;
