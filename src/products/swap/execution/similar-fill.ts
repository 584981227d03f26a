import { APPENDED_ASSERTIONS, LIGHTHOUSE_PROGRAM } from '../../../protocols/lighthouse/program.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { type Message, listMessageInstructions } from '../../../solana/messages/message.ts';
import { COMPUTE_BUDGET_PROGRAM } from '../../../solana/program-addresses.ts';
import {
  type ComputeBudgetInstruction,
  decodeComputeBudget,
} from '../../../solana/programs/compute-budget.ts';
import { priorityFeeLamports } from '../../../solana/programs/message-fee.ts';

const NOTHING_LOADED = { writable: [], readonly: [] };
/**
 * The most lamports that a wallet's compute budget may cost the maker, who pays for it. No wallet asks for nearly as
 * much. If the maker itself quoted a higher priority fee, that one is the limit.
 */
const MAX_PRIORITY_LAMPORTS = 10_000_000n;

/**
 * Compares what a taker has signed with the message that was built for it. A wallet may change the blockhash and the
 * compute budget, and append assertions; everything else must be the same.
 * Returns what differs, as a sentence; null if the messages are similar.
 */
export function findDifference(signed: Message, built: Message): string | null {
  if (signed.lookups.length > 0) return 'it has lookup tables, and the order has none';
  if (signed.signers !== built.signers) return `it has ${signed.signers} signers, not ${built.signers}`;
  const other = built.staticAccounts
    .slice(0, built.signers)
    .findIndex((signer, index) => signed.staticAccounts[index] !== signer);
  if (other >= 0) return `signer ${other} is ${signed.staticAccounts[other]}`;
  const instructions = listMessageInstructions(signed, NOTHING_LOADED);
  const expected = listMessageInstructions(built, NOTHING_LOADED);
  if (instructions.length < expected.length) {
    return `it has ${instructions.length} instructions, fewer than the ${expected.length} of the order`;
  }
  for (const [index, one] of expected.entries()) {
    const difference = differenceAt(instructions[index] as Instruction, one);
    if (difference !== null) return `instruction ${index} ${difference}`;
  }
  for (const [place, { programAddress, data }] of instructions.slice(expected.length).entries()) {
    const index = expected.length + place;
    if (programAddress !== LIGHTHOUSE_PROGRAM)
      return `instruction ${index} is of ${programAddress}, and is not in the order`;
    if (!APPENDED_ASSERTIONS.has(data[0]))
      return `instruction ${index} is none of the assertions that may be appended`;
  }
  return budgetProblem(readPriorityFee(instructions), readPriorityFee(expected));
}

function differenceAt(signed: Instruction, built: Instruction): string | null {
  if (signed.programAddress !== built.programAddress) return `is of ${signed.programAddress}`;
  const { accounts } = signed;
  const isSame =
    accounts.length === built.accounts.length &&
    built.accounts.every(
      ({ address, role }, index) => accounts[index]?.address === address && accounts[index]?.role === role,
    );
  if (!isSame) return 'has other accounts, or other rights for them';
  if (signed.programAddress === COMPUTE_BUDGET_PROGRAM) {
    const [one, other] = [findBudgetInstruction(signed), findBudgetInstruction(built)];
    return one === null || one.kind !== other?.kind ? 'sets something else of the compute budget' : null;
  }
  return Buffer.compare(signed.data, built.data) === 0 ? null : 'has other data';
}

function budgetProblem(lamports: bigint, built: bigint): string | null {
  const most = built > MAX_PRIORITY_LAMPORTS ? built : MAX_PRIORITY_LAMPORTS;
  if (lamports <= most) return null;
  return `its priority fee is ${lamports} lamports, which the maker pays; at most ${most} are allowed`;
}

/**
 * The order sets the limit and the price once each, and `differenceAt` compares the kinds, so neither appears twice.
 * Returns lamports.
 */
function readPriorityFee(instructions: readonly Instruction[]): bigint {
  let [limit, price] = [0n, 0n];
  for (const instruction of instructions) {
    const set =
      instruction.programAddress === COMPUTE_BUDGET_PROGRAM ? findBudgetInstruction(instruction) : null;
    if (set?.kind === 'setComputeUnitLimit') limit = BigInt(set.units);
    if (set?.kind === 'setComputeUnitPrice') price = set.microLamports;
  }
  return priorityFeeLamports(price, limit);
}

/** Null for data that the network refuses. */
function findBudgetInstruction({ data }: Instruction): ComputeBudgetInstruction | null {
  try {
    return decodeComputeBudget(data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
