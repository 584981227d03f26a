import { createClaimInvite, type OpenInvite } from '../../../protocols/jupiter-send/invite-instructions.ts';
import { INVITE_PROGRAM } from '../../../protocols/jupiter-send/invite-program.ts';
import type { Address } from '../../../solana/address.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import type { CompiledInstruction, Message } from '../../../solana/messages/message.ts';
import { parseTransaction, type Transaction } from '../../../solana/messages/transaction.ts';
import { TransactionInvalid } from '../../../solana/messages/transaction-invalid.ts';
import { ASSOCIATED_TOKEN_PROGRAM, COMPUTE_BUDGET_PROGRAM } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { decodeComputeBudget } from '../../../solana/programs/compute-budget.ts';
import { computeMessageFee } from '../../../solana/programs/message-fee.ts';
import { formatSol } from './format-sol.ts';

/** What the one who signs wants: everything else that a message could do is refused. */
export interface WantedClaim {
  /** The invite as its account on the chain says. */
  readonly invite: OpenInvite;
  readonly receiver: Address;
  /** Pays the fee, and the rent of the receiver's token account if that is missing. */
  readonly payer: Address;
  /** The rent of the receiver's token account, in lamports: 0 if it exists, and for SOL. */
  readonly rent: bigint;
  /** The most lamports that the payer wants to pay. */
  readonly maxCost: bigint;
}

/** A transaction as an instance hands it out to be signed. */
export interface OfferedClaim {
  /** The bytes of the transaction. */
  readonly wire: Uint8Array;
  /** The lamports that the instance says it costs the payer. */
  readonly statedCost: bigint;
}

export type CheckedClaim =
  | { readonly ok: true; readonly transaction: Transaction }
  /** `reason` is the end of a sentence about the transaction. */
  | { readonly ok: false; readonly reason: string };

/**
 * Checks a transaction before it is signed, so that the one who signs need not trust the instance: it claims this invite for
 * this receiver, nobody else has to sign, nothing else happens, and the payer pays at most what is stated. What it may
 * contain beside the claim are the compute budget and the opening of the receiver's token account.
 */
export function checkClaim({ wire, statedCost }: OfferedClaim, wanted: WantedClaim): CheckedClaim {
  let transaction: Transaction;
  try {
    transaction = parseTransaction(wire);
  } catch (error) {
    if (error instanceof TransactionInvalid) return refuse(`cannot be read: ${error.message}`);
    throw error;
  }
  const reason =
    findForeignSigner(transaction.message, wanted) ??
    findForeignInstruction(transaction.message, wanted) ??
    findMissingSigner(transaction.message, wanted) ??
    findExcessiveCost(transaction.message, statedCost, wanted);
  return reason === null ? { ok: true, transaction } : refuse(reason);
}

function refuse(reason: string): CheckedClaim {
  return { ok: false, reason };
}

function findForeignSigner(message: Message, { invite, payer }: WantedClaim): string | null {
  // Accounts in tables cannot be checked without the tables, and a claim has few enough to do without.
  if (message.lookups.length > 0) return 'looks up accounts in a table, which hides them';
  const [feePayer, ...others] = message.staticAccounts.slice(0, message.signers);
  if (feePayer !== payer) return `is paid by ${feePayer}, and not by ${payer}`;
  const foreign = others.find((signer) => signer !== invite.inviteKey);
  return foreign === undefined ? null : `has to be signed by ${foreign} too`;
}

/** The program would refuse such a claim, and a new wallet would be written for nothing. */
function findMissingSigner(
  { staticAccounts, signers }: Message,
  { invite: { inviteKey } }: WantedClaim,
): string | null {
  const isSigner = staticAccounts.slice(0, signers).includes(inviteKey);
  return isSigner ? null : `does not take the signature of ${inviteKey}`;
}

function findForeignInstruction(message: Message, wanted: WantedClaim): string | null {
  const claim = createClaimInvite(wanted.invite, wanted.receiver);
  const opening = createOpening(wanted);
  let claims = 0;
  for (const instruction of message.instructions) {
    const program = message.staticAccounts[instruction.programIndex];
    if (program === INVITE_PROGRAM) {
      if (!isSame(message, instruction, claim)) {
        return `calls the program of invites for something else than a claim of this invite by ${wanted.receiver}`;
      }
      claims++;
    } else if (program === ASSOCIATED_TOKEN_PROGRAM) {
      if (opening === null || !isSame(message, instruction, opening)) {
        return `opens another account than the token account of ${wanted.receiver}`;
      }
    } else if (program !== COMPUTE_BUDGET_PROGRAM) {
      return `calls the program ${program}, which a claim does not need`;
    } else if (!isBudget(instruction)) {
      return 'sets a compute budget that cannot be read';
    }
  }
  return claims === 1 ? null : `has ${claims} claims instead of one`;
}

function createOpening({ invite: { token }, payer, receiver }: WantedClaim): Instruction | null {
  if (token === null) return null;
  const { mint, tokenProgram } = token;
  return createAssociatedTokenIdempotent({ payer, owner: receiver, mint, tokenProgram });
}

/** Compares the accounts and the data. Who signs is checked for the whole message, and programs write only what they have to. */
function isSame(message: Message, { accounts, data }: CompiledInstruction, expected: Instruction): boolean {
  return (
    Buffer.compare(data, expected.data) === 0 &&
    accounts.length === expected.accounts.length &&
    expected.accounts.every(({ address }, place) => message.staticAccounts[accounts[place] ?? -1] === address)
  );
}

function isBudget({ data }: CompiledInstruction): boolean {
  try {
    return decodeComputeBudget(data) !== null;
  } catch (error) {
    if (error instanceof LayoutInvalid) return false;
    throw error;
  }
}

function findExcessiveCost(
  message: Message,
  statedCost: bigint,
  { rent, maxCost }: WantedClaim,
): string | null {
  const opens = message.instructions.some(
    ({ programIndex }) => message.staticAccounts[programIndex] === ASSOCIATED_TOKEN_PROGRAM,
  );
  const cost = computeMessageFee(message).lamports + (opens ? rent : 0n);
  if (cost > statedCost) {
    return `costs ${formatSol(cost)}, though the instance states ${formatSol(statedCost)}`;
  }
  return cost > maxCost ? `costs ${formatSol(cost)}, and ${formatSol(maxCost)} are allowed` : null;
}
