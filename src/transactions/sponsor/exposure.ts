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
import { MAX_SPONSORED_PRIORITY_FEE } from '../priority-fee.ts';

/** What a message can cost its sponsor at most, or why the sponsor does not sign it. */
export type Exposure =
  | { readonly lamports: bigint; readonly problem?: never }
  | { readonly problem: string; readonly lamports?: never };

export interface SponsoredParties {
  readonly sponsor: Address;
  readonly taker: Address;
}

/** What a product has sponsored: one call of its program in each transaction. */
export interface SponsoredAction {
  readonly program: Address;
  /** What such a call is named in refusals: `swap`, `swaps`. */
  readonly noun: string;
  readonly plural: string;
}

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;
/** Without a limit of its own, an instruction may use so many units. */
const DEFAULT_UNITS = 200_000n;
/** More than any token account needs, whatever extensions its mint asks for. */
const MAX_RENT = 4_000_000n;
const CREATE_IDEMPOTENT = 1;
const TRANSFER = 2;
const CLOSE_ACCOUNT = 9;
const SYNC_NATIVE = 17;

class NotSponsored extends Error {}

/**
 * Checks a message instruction by instruction. Besides one call of the product's program it may only contain what prepares
 * and cleans up token accounts. The sponsor pays for nothing in it but fees and the rent of the taker's token accounts; its
 * tokens and other lamports are out of reach.
 */
export function exposureOf(
  message: Message,
  { sponsor, taker }: SponsoredParties,
  { program: sponsored, plural }: SponsoredAction,
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
      const program = message.staticAccounts[instruction.programIndex];
      if (program === ASSOCIATED_TOKEN_PROGRAM) rents += rentOf(message, instruction, taker);
      else if (program === COMPUTE_BUDGET_PROGRAM) readBudget(instruction, budget);
      else if (program === SYSTEM_PROGRAM) checkTransfer(message, instruction, taker);
      else if (program !== undefined && isTokenProgram(program)) checkTokenCall(instruction);
      else if (program === sponsored) calls++;
      else throw new NotSponsored(`it calls ${program ?? 'a program that it looks up'}`);
    }
    checkNowhereElse(message);
    if (calls !== 1) throw new NotSponsored(`it makes ${calls} ${plural} instead of one`);
  } catch (error) {
    if (error instanceof NotSponsored || error instanceof LayoutInvalid) return { problem: error.message };
    throw error;
  }
  const priority = (budget.units * budget.microLamports + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  if (priority > MAX_SPONSORED_PRIORITY_FEE) {
    return {
      problem: `its priority fee is ${priority} lamports, and a sponsor pays at most ${MAX_SPONSORED_PRIORITY_FEE}`,
    };
  }
  return { lamports: 2n * LAMPORTS_PER_SIGNATURE + priority + rents };
}

function readBudget({ data }: CompiledInstruction, budget: { units: bigint; microLamports: bigint }): void {
  const decoded = decodeComputeBudget(data);
  if (decoded?.kind === 'setComputeUnitLimit') budget.units = BigInt(decoded.units);
  else if (decoded?.kind === 'setComputeUnitPrice') budget.microLamports = decoded.microLamports;
  else throw new NotSponsored('it sets something of the compute budget besides limit and price');
}

/** The funder, the account, its owner, ...: the funder may be the sponsor, the owner must be the taker. */
function rentOf(message: Message, { accounts, data }: CompiledInstruction, taker: Address): bigint {
  if (data.length !== 1 || data[0] !== CREATE_IDEMPOTENT) {
    throw new NotSponsored('it creates a token account other than idempotently');
  }
  if (accountAt(message, accounts[2]) !== taker) {
    throw new NotSponsored("it creates a token account that is not the taker's");
  }
  return accounts[0] === SPONSOR_INDEX ? MAX_RENT : 0n;
}

function checkTransfer(message: Message, { accounts, data }: CompiledInstruction, taker: Address): void {
  const plain = data.length === 12 && data[0] === TRANSFER && !data[1] && !data[2] && !data[3];
  if (!plain) throw new NotSponsored('it calls the system program for something else than a transfer');
  if (accountAt(message, accounts[0]) !== taker)
    throw new NotSponsored("it moves lamports that are not the taker's");
}

function checkTokenCall({ data }: CompiledInstruction): void {
  if (data.length === 1 && (data[0] === CLOSE_ACCOUNT || data[0] === SYNC_NATIVE)) return;
  throw new NotSponsored('it calls a token program for something else than wrapping and unwrapping');
}

const SPONSOR_INDEX = 0;

/** Whoever signs lends the right to move what is theirs to every instruction that names them. */
function checkNowhereElse(message: Message): void {
  for (const { programIndex, accounts } of message.instructions) {
    const place = accounts.indexOf(SPONSOR_INDEX);
    if (place < 0) continue;
    const program = message.staticAccounts[programIndex];
    const funds = program === ASSOCIATED_TOKEN_PROGRAM && place === 0;
    const receives = program === SYSTEM_PROGRAM && place === 1;
    if (!(funds || receives) || accounts.lastIndexOf(SPONSOR_INDEX) !== place) {
      throw new NotSponsored(`it names the sponsor in a call of ${program}`);
    }
  }
}

/** Undefined for an account that the message looks up. */
function accountAt(message: Message, index: number | undefined): Address | undefined {
  return index === undefined ? undefined : message.staticAccounts[index];
}
