import type { Address } from '../../solana/address.ts';
import { LayoutInvalid } from '../../solana/codec/byte-reader.ts';
import { decodeComputeBudget } from '../../solana/programs/compute-budget.ts';
import type { CompiledInstruction, Message } from '../../solana/messages/message.ts';
import {
  ASSOCIATED_TOKEN_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  isTokenProgram,
  SYSTEM_PROGRAM,
} from '../../solana/program-addresses.ts';
import { LAMPORTS_PER_SIGNATURE, priorityFeeLamports } from '../../solana/programs/message-fee.ts';
import { findTransferredLamports } from '../../solana/programs/system.ts';
import { isHarvestOfWithheldFees } from '../../solana/programs/token/transfer-fee.ts';
import { isCloseAccount, isSyncNative } from '../../solana/programs/token/instructions.ts';
import {
  findAccountAt,
  CLOSE_DESTINATION_PLACE,
  FEE_PAYER_INDEX,
  isClosing,
  MAX_TOKEN_ACCOUNT_RENT,
  namesFeePayerOnlyAt,
  findProgram,
  parseTokenAccountCreation,
  FUNDER_PLACE,
} from '../cost/message-instructions.ts';
import { MAX_SPONSORED_PRIORITY_FEE } from '../build/priority-fee.ts';

/** The most that a message can cost its sponsor, or why the sponsor does not sign it. */
export type Exposure =
  | { readonly lamports: bigint; readonly problem?: never }
  | { readonly problem: string; readonly lamports?: never };

export interface SponsoredParties {
  readonly sponsor: Address;
  readonly taker: Address;
}

/** What a sponsor pays for. Each product declares its own policy. */
export interface SponsorPolicy {
  /**
   * Programs of the product. In addition, a transaction may only set the compute budget, and create and close token
   * accounts of the taker. The sponsor must not be an account of a call of these programs.
   */
  readonly programs: ReadonlySet<Address>;
  /** How many calls of these programs a transaction makes. */
  readonly calls: { readonly min: number; readonly max: number };
  /** Names of the transaction in refusals that clients see, such as `swap` and `swaps`. */
  readonly noun: string;
  readonly plural: string;
  /**
   * Whether a transaction that succeeds has paid the sponsor a fee that covers `Sponsorship.chargedLamports`. It then
   * uses up the budget only with what it cost beyond that.
   */
  readonly paysBack: boolean;
}

/** The units of an instruction when the transaction sets no limit. */
const DEFAULT_UNITS = 200_000n;
const TRANSFER_SOURCE_PLACE = 0;
const TRANSFER_DESTINATION_PLACE = 1;

class NotSponsored extends Error {}

/**
 * Checks a message instruction by instruction against the policy of a product. The sponsor pays for fees and the rent of
 * the taker's token accounts alone; its tokens and its other lamports are out of reach.
 * Returns the most lamports that the message can cost the sponsor, or why the sponsor does not sign it.
 * @example
 * ```ts
 * import { address } from '../../solana/address.ts';
 * import { parseTransaction } from '../../solana/messages/transaction.ts';
 * import { computeExposure, type SponsorPolicy } from './exposure.ts';
 *
 * const policy: SponsorPolicy = {
 *   programs: new Set([address('JUP6LkbZbjS1jKKwapdHNy74zcZ3tLUZoi5QNyVTaV4')]),
 *   calls: { min: 1, max: 1 },
 *   noun: 'swap',
 *   plural: 'swaps',
 *   paysBack: true,
 * };
 *
 * export function check(wire: Uint8Array, sponsor: string, taker: string): string {
 *   const parties = { sponsor: address(sponsor), taker: address(taker) };
 *   const { problem, lamports } = computeExposure(parseTransaction(wire).message, parties, policy);
 *   return problem ?? `costs at most ${lamports} lamports`;
 * }
 * ```
 */
export function computeExposure(
  message: Message,
  { sponsor, taker }: SponsoredParties,
  policy: SponsorPolicy,
): Exposure {
  const [payer, signer] = message.staticAccounts;
  if (message.signers !== 2 || payer !== sponsor || signer !== taker) {
    return { problem: `its signers must be the sponsor ${sponsor} and the taker ${taker}, in this order` };
  }
  let rents = 0n;
  let calls = 0;
  const budget = { units: DEFAULT_UNITS * BigInt(message.instructions.length), microLamports: 0n };
  try {
    for (const instruction of message.instructions) {
      const program = findProgram(message, instruction);
      if (program === ASSOCIATED_TOKEN_PROGRAM) rents += computeCreationRent(message, instruction, taker);
      else if (program === COMPUTE_BUDGET_PROGRAM) readBudget(instruction, budget);
      else if (program === SYSTEM_PROGRAM) checkTransfer(message, instruction, taker);
      else if (program !== undefined && isTokenProgram(program)) checkTokenCall(instruction);
      else if (program !== undefined && policy.programs.has(program)) calls++;
      else throw new NotSponsored(`it calls ${program ?? 'a program that it looks up'}`);
    }
    checkSponsorIsNowhereElse(message);
    checkCalls(calls, policy);
  } catch (error) {
    if (error instanceof NotSponsored || error instanceof LayoutInvalid) return { problem: error.message };
    throw error;
  }
  const priority = priorityFeeLamports(budget.microLamports, budget.units);
  if (priority > MAX_SPONSORED_PRIORITY_FEE) {
    return {
      problem: `its priority fee is ${priority} lamports, and a sponsor pays at most ${MAX_SPONSORED_PRIORITY_FEE}`,
    };
  }
  return { lamports: 2n * LAMPORTS_PER_SIGNATURE + priority + rents };
}

function checkCalls(calls: number, { calls: { min, max }, plural }: SponsorPolicy): void {
  if (calls >= min && calls <= max) return;
  const only = min === 1 ? 'one' : String(min);
  throw new NotSponsored(`it makes ${calls} ${plural} instead of ${min === max ? only : `${min} to ${max}`}`);
}

function readBudget({ data }: CompiledInstruction, budget: { units: bigint; microLamports: bigint }): void {
  const decoded = decodeComputeBudget(data);
  if (decoded?.kind === 'setComputeUnitLimit') budget.units = BigInt(decoded.units);
  else if (decoded?.kind === 'setComputeUnitPrice') budget.microLamports = decoded.microLamports;
  else throw new NotSponsored('it sets more of the compute budget than limit and price');
}

/** The sponsor may fund the account, and the taker must own it. */
function computeCreationRent(message: Message, instruction: CompiledInstruction, taker: Address): bigint {
  const creation = parseTokenAccountCreation(message, instruction);
  if (creation === null) throw new NotSponsored('it creates a token account other than idempotently');
  if (creation.owner !== taker) {
    throw new NotSponsored("it creates a token account that is not the taker's");
  }
  return creation.isFundedByFeePayer ? MAX_TOKEN_ACCOUNT_RENT : 0n;
}

function checkTransfer(message: Message, instruction: CompiledInstruction, taker: Address): void {
  if (findTransferredLamports(instruction.data) === null) {
    throw new NotSponsored('it calls the system program for something else than a transfer');
  }
  if (findAccountAt(message, instruction, TRANSFER_SOURCE_PLACE) !== taker) {
    throw new NotSponsored("it moves lamports that are not the taker's");
  }
}

function checkTokenCall({ data }: CompiledInstruction): void {
  if (isCloseAccount(data) || isSyncNative(data) || isHarvestOfWithheldFees(data)) return;
  throw new NotSponsored(
    'it calls a token program for something else than wrapping SOL and closing accounts',
  );
}

/** A wallet that signs lets every instruction that names it move what the wallet owns. */
function checkSponsorIsNowhereElse(message: Message): void {
  for (const instruction of message.instructions) {
    if (!instruction.accounts.includes(FEE_PAYER_INDEX)) continue;
    const program = findProgram(message, instruction);
    const funds = program === ASSOCIATED_TOKEN_PROGRAM && namesFeePayerOnlyAt(instruction, FUNDER_PLACE);
    const receives =
      program === SYSTEM_PROGRAM && namesFeePayerOnlyAt(instruction, TRANSFER_DESTINATION_PLACE);
    const isPaidOut =
      isClosing(message, instruction) && namesFeePayerOnlyAt(instruction, CLOSE_DESTINATION_PLACE);
    if (!funds && !receives && !isPaidOut)
      throw new NotSponsored(`it names the sponsor in a call of ${program}`);
  }
}
