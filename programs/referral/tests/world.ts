import { expect } from 'vitest';
import type { Address } from '../../../src/solana/address.ts';
import { ByteReader } from '../../../src/solana/codec/byte-reader.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from '../../../src/solana/program-addresses.ts';
import { createAssociatedToken } from '../../../src/solana/programs/associated-token.ts';
import {
  deriveProjectAddress,
  deriveProjectAuthority,
  deriveReferralTokens,
  REFERRAL_PROGRAM,
} from '../../../src/solana/programs/referral/program.ts';
import { encodeReferralProject } from '../../../src/solana/programs/referral/project.ts';
import { decodeTokenAccount, encodeTokenAccount } from '../../../src/solana/programs/token/account.ts';
import type { Extension } from '../../../src/solana/programs/token/extensions.ts';
import { encodeMint } from '../../../src/solana/programs/token/mint.ts';
import { type TestOutcome, TestNetwork } from '../../../src/testing/svm/network.ts';
import {
  createAdminTokenAccount,
  type FeeToken,
  initializeProject,
  initializeReferralAccount,
  initializeReferralAccountWithName,
  initializeReferralTokenAccount,
  nameReferral,
  type Project,
  type Referral,
} from './instructions.ts';

/** The older kind of token account belongs to the project, the newer one to the named referral account. */
export type TokenKind = 'project' | 'associated';

/** A network with the program, a project, a partner with a named referral account, and a token. */
export class ReferralWorld {
  readonly network: TestNetwork;
  readonly admin: Address;
  readonly partner: Address;
  readonly project: Project;
  readonly referral: Referral;
  readonly token: FeeToken;

  constructor(
    options: {
      readonly shareBps?: number;
      readonly isOfGenesis?: boolean;
      readonly extensions?: readonly Extension[];
    } = {},
  ) {
    this.network = new TestNetwork(['referral'], 'referral');
    const [base, admin, partner] = [this.wallet(), this.wallet(), this.wallet()];
    const defaultShareBps = options.shareBps ?? 8_000;
    this.admin = admin;
    this.partner = partner;
    if (options.isOfGenesis === true) {
      const address = this.network.newAddress();
      this.project = { address, base: address, admin };
      const data = encodeReferralProject({ base: address, admin, name: 'Of the genesis', defaultShareBps });
      this.network.setData(address, REFERRAL_PROGRAM, data);
    } else {
      this.project = { address: deriveProjectAddress(base), base, admin };
      this.must(initializeProject(this.payer, base, admin, { name: 'Test', defaultShareBps }));
    }
    this.fund(deriveProjectAuthority(this.project.base));
    this.referral = this.newReferral('partner');
    this.token = this.newToken(options.extensions);
  }

  get payer(): Address {
    return this.network.payer;
  }

  wallet(): Address {
    return this.network.newWallet();
  }

  send(...instructions: readonly Instruction[]): TestOutcome {
    return this.network.send(instructions);
  }

  /** Sends instructions that have to succeed, and returns the log. */
  must(...instructions: readonly Instruction[]): readonly string[] {
    const { error, logs } = this.network.send(instructions);
    expect(error, logs.join('\n')).toBeNull();
    return logs;
  }

  /** Sends instructions that have to fail, and returns the code, or the runtime's word. */
  refusal(...instructions: readonly Instruction[]): number | string | undefined {
    const { error } = this.network.send(instructions);
    return error?.custom ?? error?.kind;
  }

  fund(address: Address): void {
    const wallet = { lamports: 1_000_000_000n, owner: SYSTEM_PROGRAM, data: new Uint8Array(0) };
    this.network.setAccount(address, { ...wallet, executable: false, rentEpoch: 0n });
  }

  newToken(extensions?: readonly Extension[]): FeeToken {
    const tokenProgram = extensions === undefined ? TOKEN_PROGRAM : TOKEN_2022_PROGRAM;
    const mint = this.network.newAddress();
    const state = { mintAuthority: null, supply: 1n << 63n, decimals: 6, freezeAuthority: null };
    this.network.setData(mint, tokenProgram, encodeMint({ ...state, extensions: extensions ?? [] }));
    return { mint, tokenProgram };
  }

  newReferral(name: string, partner = this.partner, project = this.project): Referral {
    const referral = nameReferral(project, partner, name);
    this.must(initializeReferralAccountWithName(this.payer, referral, name));
    return referral;
  }

  newNamelessReferral(): Referral {
    const referral = { address: this.network.newAddress(), project: this.project, partner: this.partner };
    this.must(initializeReferralAccount(this.payer, referral));
    return referral;
  }

  /** Opens the token account in which swaps collect fees, with that many atoms in it. */
  collect(kind: TokenKind, amount: bigint, referral = this.referral, token = this.token): Address {
    const { mint, tokenProgram } = token;
    const owner = referral.address;
    const account = this.feeAccount(kind, referral, token);
    this.must(
      kind === 'project'
        ? initializeReferralTokenAccount(this.payer, referral, token)
        : createAssociatedToken({ payer: this.payer, owner, mint, tokenProgram }),
    );
    this.setAmount(account, amount);
    return account;
  }

  feeAccount(kind: TokenKind, referral = this.referral, { mint, tokenProgram } = this.token): Address {
    return kind === 'project'
      ? deriveReferralTokens(referral.address, mint)
      : deriveAssociatedTokenAddress(referral.address, mint, tokenProgram);
  }

  /** Opens the token accounts that the older claim pays into. The newer one opens them itself. */
  openReceivers({ mint, tokenProgram } = this.token): void {
    const { payer, partner: owner } = this;
    this.must(
      createAssociatedToken({ payer, owner, mint, tokenProgram }),
      createAdminTokenAccount(this.project, { mint, tokenProgram }),
    );
  }

  setAmount(address: Address, amount: bigint): void {
    const account = this.network.account(address);
    if (account === null) throw new Error(`no account ${address}`);
    const data = encodeTokenAccount({ ...decodeTokenAccount(account.data), amount });
    this.network.setAccount(address, { ...account, data });
  }

  /** Returns what partner, admin and the fee account hold. */
  holdings(kind: TokenKind): readonly [bigint, bigint, bigint] {
    const { mint, tokenProgram } = this.token;
    const of = (wallet: Address) =>
      this.network.tokenBalance(deriveAssociatedTokenAddress(wallet, mint, tokenProgram));
    return [of(this.partner), of(this.admin), this.network.tokenBalance(this.feeAccount(kind))];
  }

  readReferral({ address }: Referral = this.referral) {
    const reader = new ByteReader(this.network.account(address)?.data ?? new Uint8Array(0), 'referral');
    const discriminator = Buffer.from(reader.bytes(8)).toString('hex');
    const [partner, project, shareBps] = [reader.address(), reader.address(), reader.u16()];
    const name = reader.bool() ? Buffer.from(reader.bytes(reader.u32())).toString() : null;
    return { discriminator, partner, project, shareBps, name, rest: reader.remaining };
  }
}
