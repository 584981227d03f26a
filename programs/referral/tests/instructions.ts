import type { Address } from '../../../src/solana/address.ts';
import { ByteWriter } from '../../../src/solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../../src/solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../../src/solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../../src/solana/program-addresses.ts';
import {
  deriveProjectAddress,
  deriveProjectAuthority,
  deriveReferralAccount,
  deriveReferralTokens,
  REFERRAL_PROGRAM,
} from '../../../src/solana/programs/referral/program.ts';
import { tagOf } from '../../liquidity/tests/instructions.ts';

// Each instruction as `@jup-ag/referral-sdk` 0.3.0 builds it.

/** A project with what its account says. */
export interface Project {
  readonly address: Address;
  readonly base: Address;
  readonly admin: Address;
}

/** A referral account with what it says. */
export interface Referral {
  readonly address: Address;
  readonly project: Project;
  readonly partner: Address;
}

export interface FeeToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
}

type Write = (to: ByteWriter) => ByteWriter;

function instruction(name: string, accounts: AccountMeta[], write: Write = (to) => to): Instruction {
  const data = write(new ByteWriter(512).bytes(tagOf(name))).finish();
  return { programAddress: REFERRAL_PROGRAM, accounts, data };
}

function text(to: ByteWriter, value: string): ByteWriter {
  const bytes = Buffer.from(value);
  return to.u32(bytes.length).bytes(bytes);
}

export function initializeProject(
  payer: Address,
  base: Address,
  admin: Address,
  { name, defaultShareBps }: { readonly name: string; readonly defaultShareBps: number },
): Instruction {
  return instruction(
    'initialize_project',
    [
      writableSigner(payer),
      readonlySigner(base),
      readonly(admin),
      writable(deriveProjectAddress(base)),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => text(to, name).u16(defaultShareBps),
  );
}

export function updateProject(
  project: Project,
  { name, defaultShareBps }: { readonly name?: string; readonly defaultShareBps?: number },
): Instruction {
  return instruction('update_project', [readonlySigner(project.admin), writable(project.address)], (to) => {
    if (name === undefined) to.u8(0);
    else text(to.u8(1), name);
    return defaultShareBps === undefined ? to.u8(0) : to.u8(1).u16(defaultShareBps);
  });
}

export function transferProject({ address, admin }: Project, newAdmin: Address): Instruction {
  return instruction('transfer_project', [readonlySigner(admin), readonly(newAdmin), writable(address)]);
}

export function withdrawFromProject({ address, base, admin }: Project, lamports: bigint): Instruction {
  return instruction(
    'withdraw_from_project',
    [
      writableSigner(admin),
      readonly(address),
      writable(deriveProjectAuthority(base)),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => to.u64(lamports),
  );
}

export function createAdminTokenAccount(
  { address, base, admin }: Project,
  { mint, tokenProgram }: FeeToken,
): Instruction {
  return instruction('create_admin_token_account', [
    readonly(address),
    writable(deriveProjectAuthority(base)),
    readonly(admin),
    writable(deriveAssociatedTokenAddress(admin, mint, tokenProgram)),
    readonly(mint),
    readonly(SYSTEM_PROGRAM),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
  ]);
}

/** Creates a referral account without a name, whose own key signs. */
export function initializeReferralAccount(
  payer: Address,
  { address, project, partner }: Referral,
): Instruction {
  return instruction('initialize_referral_account', [
    writableSigner(payer),
    readonly(partner),
    readonly(project.address),
    writableSigner(address),
    readonly(SYSTEM_PROGRAM),
  ]);
}

export function initializeReferralAccountWithName(
  payer: Address,
  { address, project, partner }: Referral,
  name: string,
): Instruction {
  return instruction(
    'initialize_referral_account_with_name',
    [
      writableSigner(payer),
      readonly(partner),
      readonly(project.address),
      writable(address),
      readonly(SYSTEM_PROGRAM),
    ],
    (to) => text(to, name),
  );
}

export function transferReferralAccount({ address, partner }: Referral, newPartner: Address): Instruction {
  return instruction('transfer_referral_account', [
    readonlySigner(partner),
    readonly(newPartner),
    writable(address),
  ]);
}

export function updateReferralAccount({ address, project }: Referral, shareBps: number): Instruction {
  return instruction(
    'update_referral_account',
    [readonlySigner(project.admin), readonly(project.address), writable(address)],
    (to) => to.u16(shareBps),
  );
}

export function initializeReferralTokenAccount(
  payer: Address,
  { address, project }: Referral,
  { mint, tokenProgram }: FeeToken,
): Instruction {
  return instruction('initialize_referral_token_account', [
    writableSigner(payer),
    readonly(project.address),
    readonly(address),
    writable(deriveReferralTokens(address, mint)),
    readonly(mint),
    readonly(SYSTEM_PROGRAM),
    readonly(tokenProgram),
  ]);
}

export function claim(payer: Address, referral: Referral, { mint, tokenProgram }: FeeToken): Instruction {
  const { address, project, partner } = referral;
  return instruction('claim', [
    writableSigner(payer),
    readonly(project.address),
    readonly(project.admin),
    writable(deriveAssociatedTokenAddress(project.admin, mint, tokenProgram)),
    readonly(address),
    writable(deriveReferralTokens(address, mint)),
    readonly(partner),
    writable(deriveAssociatedTokenAddress(partner, mint, tokenProgram)),
    readonly(mint),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
    readonly(SYSTEM_PROGRAM),
    readonly(tokenProgram),
  ]);
}

export function claimV2(payer: Address, referral: Referral, { mint, tokenProgram }: FeeToken): Instruction {
  const { address, project, partner } = referral;
  return instruction('claim_v2', [
    writableSigner(payer),
    readonly(project.address),
    readonly(project.admin),
    writable(deriveAssociatedTokenAddress(project.admin, mint, tokenProgram)),
    readonly(address),
    writable(deriveAssociatedTokenAddress(address, mint, tokenProgram)),
    readonly(partner),
    writable(deriveAssociatedTokenAddress(partner, mint, tokenProgram)),
    readonly(mint),
    readonly(SYSTEM_PROGRAM),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
  ]);
}

export function closeReferralTokenAccount(
  { address, project, partner }: Referral,
  { mint, tokenProgram }: FeeToken,
): Instruction {
  return instruction('close_referral_token_account', [
    writableSigner(project.admin),
    readonly(project.address),
    readonly(address),
    writable(deriveReferralTokens(address, mint)),
    writable(partner),
    readonly(mint),
    readonly(tokenProgram),
  ]);
}

export function closeReferralTokenAccountV2(
  { address, project, partner }: Referral,
  { mint, tokenProgram }: FeeToken,
): Instruction {
  return instruction('close_referral_token_account_v2', [
    writableSigner(project.admin),
    readonly(project.address),
    readonly(address),
    writable(deriveAssociatedTokenAddress(address, mint, tokenProgram)),
    writable(partner),
    readonly(mint),
    readonly(tokenProgram),
    readonly(ASSOCIATED_TOKEN_PROGRAM),
  ]);
}

/** Returns the referral account of that name. */
export function nameReferral(project: Project, partner: Address, name: string): Referral {
  return { address: deriveReferralAccount(project.address, name), project, partner };
}
