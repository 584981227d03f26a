import type { Address } from '../../solana/address.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  readonlySigner,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { ASSOCIATED_TOKEN_PROGRAM, SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import type { InviteToken, InviteAccount } from './invite-account.ts';
import { deriveInvite, deriveInviteVault, INVITE_EVENT_AUTHORITY, INVITE_PROGRAM } from './invite-program.ts';

/** The discriminators of the instructions. */
export const INVITE_TAGS = {
  create: Uint8Array.of(0x18, 0x1e, 0xc8, 0x28, 0x05, 0x1c, 0x07, 0x77),
  claim: Uint8Array.of(0x3e, 0xc6, 0xd6, 0xc1, 0xd5, 0x9f, 0x6c, 0xd2),
  clawback: Uint8Array.of(0x6f, 0x5c, 0x8e, 0x4f, 0x21, 0xea, 0x52, 0x1b),
  expire: Uint8Array.of(0xf3, 0x53, 0xcd, 0x3a, 0x39, 0xc9, 0xf7, 0x92),
} as const;

/** The token that a sender sends. */
export interface SentToken {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** The sender's token account that pays. */
  readonly source: Address;
}

export interface NewInvite {
  readonly sender: Address;
  readonly inviteKey: Address;
  /** Null sends SOL. */
  readonly token: SentToken | null;
  /** What the sender pays, in atoms. */
  readonly amount: bigint;
  /** The first Unix second in which the invite has expired. */
  readonly expiresAt: bigint;
}

/** Builds `create`, which the sender and the invite key sign. The sender pays the amount, the rents and the reward. */
export function createNewInvite({ sender, inviteKey, token, amount, expiresAt }: NewInvite): Instruction {
  const { address: invite } = deriveInvite(inviteKey);
  return {
    programAddress: INVITE_PROGRAM,
    accounts: [
      writableSigner(sender),
      readonlySigner(inviteKey),
      writable(invite),
      ...listDepositAccounts(invite, token),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
      ...EVENT_ACCOUNTS,
    ],
    data: new ByteWriter(24).bytes(INVITE_TAGS.create).u64(amount).i64(expiresAt).finish(),
  };
}

/** An open invite, as the instructions that end it need it. */
export type OpenInvite = Pick<InviteAccount, 'sender' | 'inviteKey' | 'token'>;

/**
 * Builds `claim`, which the invite key signs. The receiver's associated token account must exist.
 * @param withholdsFees - Whether the mint has a transfer fee, so that fees withheld in the vault must go to the mint.
 */
export function createClaimInvite(invite: OpenInvite, receiver: Address, withholdsFees = false): Instruction {
  return {
    programAddress: INVITE_PROGRAM,
    accounts: [
      readonlySigner(invite.inviteKey),
      // Only SOL arrives at the receiver itself.
      invite.token === null ? writable(receiver) : readonly(receiver),
      writable(invite.sender),
      writable(deriveInvite(invite.inviteKey).address),
      ...listPayoutAccounts(invite.token, findAssociated(receiver, invite.token), withholdsFees),
      ...EVENT_ACCOUNTS,
    ],
    data: INVITE_TAGS.claim,
  };
}

/**
 * Builds `clawback`, which the sender signs.
 * @param destination - The sender's token account that the tokens go to, which must exist. Ignored for SOL.
 * @param withholdsFees - As for a claim.
 */
export function createClawbackInvite(
  invite: OpenInvite,
  destination = findAssociated(invite.sender, invite.token),
  withholdsFees = false,
): Instruction {
  return {
    programAddress: INVITE_PROGRAM,
    accounts: [
      writableSigner(invite.sender),
      writable(deriveInvite(invite.inviteKey).address),
      ...listPayoutAccounts(invite.token, destination, withholdsFees),
      ...EVENT_ACCOUNTS,
    ],
    data: INVITE_TAGS.clawback,
  };
}

/**
 * Builds `expire`, by which anybody returns an expired invite to its sender.
 * @param caller - Signs, gets the reward, and pays at first for the sender's token account if it is missing.
 * @param withholdsFees - As for a claim.
 */
export function createExpireInvite(invite: OpenInvite, caller: Address, withholdsFees = false): Instruction {
  return {
    programAddress: INVITE_PROGRAM,
    accounts: [
      writableSigner(caller),
      writable(invite.sender),
      writable(deriveInvite(invite.inviteKey).address),
      ...listPayoutAccounts(invite.token, findAssociated(invite.sender, invite.token), withholdsFees),
      readonly(ASSOCIATED_TOKEN_PROGRAM),
      readonly(SYSTEM_PROGRAM),
      ...EVENT_ACCOUNTS,
    ],
    data: INVITE_TAGS.expire,
  };
}

const EVENT_ACCOUNTS: readonly AccountMeta[] = [readonly(INVITE_EVENT_AUTHORITY), readonly(INVITE_PROGRAM)];

/** The program's own address stands in the place of an account that is left out. */
const LEFT_OUT: readonly AccountMeta[] = [1, 2, 3, 4].map(() => readonly(INVITE_PROGRAM));

function listDepositAccounts(invite: Address, token: SentToken | null): readonly AccountMeta[] {
  if (token === null) return LEFT_OUT;
  const { mint, tokenProgram, source } = token;
  const vault = deriveInviteVault(invite, mint, tokenProgram);
  return [writable(vault), writable(source), readonly(mint), readonly(tokenProgram)];
}

function listPayoutAccounts(
  token: InviteToken | null,
  destination: Address | null,
  withholdsFees: boolean,
): readonly AccountMeta[] {
  if (token === null || destination === null) return LEFT_OUT;
  const mint = withholdsFees ? writable(token.mint) : readonly(token.mint);
  return [writable(token.vault), writable(destination), mint, readonly(token.tokenProgram)];
}

function findAssociated(owner: Address, token: InviteToken | null): Address | null {
  return token === null ? null : deriveAssociatedTokenAddress(owner, token.mint, token.tokenProgram);
}
