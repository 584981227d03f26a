import { expect } from 'vitest';
import {
  decodeInvite,
  type InviteToken,
  INVITE_SIZE,
  type InviteAccount,
} from '../../../src/protocols/jupiter-send/invite-account.ts';
import { decodeInviteEvent, type InviteEvent } from '../../../src/protocols/jupiter-send/invite-events.ts';
import {
  createClaimInvite,
  createClawbackInvite,
  createExpireInvite,
  createNewInvite,
  type NewInvite,
  type OpenInvite,
} from '../../../src/protocols/jupiter-send/invite-instructions.ts';
import {
  deriveInvite,
  deriveInviteVault,
  INVITE_PROGRAM,
  INVITE_REWARD,
} from '../../../src/protocols/jupiter-send/invite-program.ts';
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
import { TestNetwork, type TestOutcome } from '../../../src/testing/svm/network.ts';

/** The second in which every world begins, and in which its invites expire unless a test says otherwise. */
export const START = 1_800_000_000n;
export const EXPIRY = START + 600n;
/** What a sender deposits on top of the amount, but for the rent of a vault. */
export const INVITE_RENT = computeRentExemptMinimum(INVITE_SIZE);
export const DEPOSIT = INVITE_RENT + INVITE_REWARD;

export interface WorldToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  readonly withholdsFees: boolean;
}

/** An invite with its address, as the sender's builder knows it before it exists. */
export type WorldInvite = OpenInvite & { readonly address: Address };

/** A network with the program, a sender who holds a token, a receiver, and a stranger who pays nothing to anybody. */
export class InviteWorld {
  readonly network: TestNetwork;
  readonly sender: Address;
  readonly receiver: Address;
  readonly stranger: Address;
  /** Null in a world whose invites are of SOL. */
  readonly token: WorldToken | null;

  constructor(kind: WorldKind = 'SOL') {
    this.network = new TestNetwork(['invite'], 'invite');
    this.network.setUnixTime(START);
    this.sender = this.network.newWallet();
    this.receiver = this.network.newWallet();
    this.stranger = this.network.newWallet();
    this.token = this.#tokenOf(kind);
    if (this.token !== null) {
      this.give(this.sender, this.token, 1_000_000_000n);
      this.open(this.receiver, this.token);
    }
  }

  #tokenOf(kind: WorldKind): WorldToken | null {
    if (kind === 'SOL') return null;
    if (kind === 'a token') return this.newToken(TOKEN_PROGRAM);
    return kind === 'a token of Token-2022' ? this.newToken(TOKEN_2022_PROGRAM) : this.newFeeToken();
  }

  /** Makes a mint, whose freeze authority is the payer. */
  newToken(tokenProgram: Address = TOKEN_PROGRAM, extensions: readonly Extension[] = []): WorldToken {
    const mint = this.network.newAddress();
    const freezeAuthority = this.network.payer;
    const state = { mintAuthority: null, supply: 1n << 63n, decimals: 6, freezeAuthority, extensions };
    this.network.setData(mint, tokenProgram, encodeMint(state));
    return { mint, tokenProgram, withholdsFees: false };
  }

  /** Makes a mint with a transfer fee, of 1 % and at most 500,000 atoms unless a rate is given. */
  newFeeToken(basisPoints = 100, maximumFee = 500_000n): WorldToken {
    const fee = { epoch: 0n, maximumFee, basisPoints };
    const config = { configAuthority: null, withdrawWithheldAuthority: null, withheldAmount: 0n };
    const extension = encodeTransferFeeConfigExtension({ ...config, older: fee, newer: fee });
    return { ...this.newToken(TOKEN_2022_PROGRAM, [extension]), withholdsFees: true };
  }

  tokens(owner: Address, { mint, tokenProgram }: WorldToken): Address {
    return deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  }

  /** Opens the associated token account, which the payer of the network pays. */
  open(owner: Address, { mint, tokenProgram }: WorldToken): Address {
    this.must(createAssociatedTokenIdempotent({ payer: this.network.payer, owner, mint, tokenProgram }));
    return deriveAssociatedTokenAddress(owner, mint, tokenProgram);
  }

  /** Adds tokens that come from nowhere to the associated token account, which is opened before. */
  give(owner: Address, token: WorldToken, amount: bigint): Address {
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

  balance(owner: Address, token: WorldToken): bigint {
    return this.balanceAt(this.tokens(owner, token));
  }

  balanceAt(account: Address): bigint {
    const found = this.network.account(account);
    return found === null || found.data.length === 0 ? 0n : readTokenAccountAmount(found.data);
  }

  lamports(address: Address): bigint {
    return this.network.account(address)?.lamports ?? 0n;
  }

  /** Returns the terms of the sender's next invite, of this world's token. */
  terms(changes: Partial<NewInvite> = {}): NewInvite {
    const { token, sender } = this;
    return {
      sender,
      inviteKey: this.network.newAddress(),
      token: token === null ? null : { ...token, source: this.tokens(changes.sender ?? sender, token) },
      amount: 5_000_000n,
      expiresAt: EXPIRY,
      ...changes,
    };
  }

  /** Returns the invite that the terms make. */
  invite({ sender, inviteKey, token }: NewInvite): WorldInvite {
    const { address } = deriveInvite(inviteKey);
    return { address, sender, inviteKey, token: token === null ? null : holdToken(address, token) };
  }

  create(changes: Partial<NewInvite> = {}): WorldInvite {
    const terms = this.terms(changes);
    this.must(createNewInvite(terms));
    return this.invite(terms);
  }

  /** Builds the creation of an invite by the sender. */
  creation(changes: Partial<NewInvite> = {}): Instruction {
    return createNewInvite(this.terms(changes));
  }

  read({ address }: { readonly address: Address }): InviteAccount | null {
    const account = this.network.account(address);
    return account === null || account.owner !== INVITE_PROGRAM ? null : decodeInvite(account.data);
  }

  claim(invite: OpenInvite, receiver = this.receiver): Instruction {
    return createClaimInvite(invite, receiver, this.token?.withholdsFees ?? false);
  }

  clawback(invite: OpenInvite, destination?: Address): Instruction {
    return createClawbackInvite(invite, destination, this.token?.withholdsFees ?? false);
  }

  expire(invite: OpenInvite, caller = this.stranger): Instruction {
    return createExpireInvite(invite, caller, this.token?.withholdsFees ?? false);
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns the events of the program. */
  must(...instructions: readonly Instruction[]): InviteEvent[] {
    const { error, logs, inner } = this.send(...instructions);
    expect(error, logs.join('\n')).toBeNull();
    return inner
      .flat()
      .filter(({ program }) => program === INVITE_PROGRAM)
      .map(({ data }) => decodeInviteEvent(data))
      .filter((event) => event !== null);
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.send(...instructions);
    return error?.custom ?? error?.kind;
  }

  /** Returns a function that says by how many lamports and atoms of this world's token the wallets have changed since. */
  watch(...wallets: readonly Address[]): () => readonly (readonly [bigint, bigint])[] {
    const read = () =>
      wallets.map(
        (wallet) =>
          [this.lamports(wallet), this.token === null ? 0n : this.balance(wallet, this.token)] as const,
      );
    const before = read();
    return () =>
      read().map(([sol, atoms], at) => [sol - (before[at]?.[0] ?? 0n), atoms - (before[at]?.[1] ?? 0n)]);
  }
}

export type WorldKind = 'SOL' | 'a token' | 'a token of Token-2022' | 'a token with a transfer fee';

/** What an invite can hold, for tests that hold for all. */
export const KINDS: readonly WorldKind[] = [
  'SOL',
  'a token',
  'a token of Token-2022',
  'a token with a transfer fee',
];

/** The program's error numbers, and those of Anchor and the token program that tests expect. */
export const CODE = {
  InvalidAmount: 6000,
  InvalidExpiry: 6001,
  InviteExists: 6002,
  InviteExpired: 6003,
  InviteNotExpired: 6004,
  InvalidReceiver: 6005,
  InvalidTokenAccount: 6006,
  UnexpectedAccounts: 6007,
  NativeMint: 6008,
  UnsupportedMint: 6009,
  InsufficientRent: 6010,
  Mutable: 2000,
  HasOne: 2001,
  Seeds: 2006,
  MintTokenProgram: 2022,
  WrongType: 3002,
  NotEnoughAccounts: 3005,
  WrongOwner: 3007,
  InvalidProgram: 3008,
  NotSigner: 3010,
  NotInitialized: 3012,
  Frozen: 17,
} as const;

function holdToken(
  address: Address,
  { mint, tokenProgram }: Pick<InviteToken, 'mint' | 'tokenProgram'>,
): InviteToken {
  return { mint, tokenProgram, vault: deriveInviteVault(address, mint, tokenProgram) };
}
