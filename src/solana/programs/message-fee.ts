import { decodeComputeBudget, MAX_COMPUTE_UNITS } from './compute-budget.ts';
import { LayoutInvalid } from '../codec/byte-reader.ts';
import type { Address } from '../address.ts';
import type { CompiledInstruction, Message } from '../messages/message.ts';
import {
  BPF_LOADER,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER_UPGRADEABLE,
  COMPUTE_BUDGET_PROGRAM,
  ED25519_PROGRAM,
  LOADER_V4,
  SECP256K1_PROGRAM,
  SECP256R1_PROGRAM,
  SYSTEM_PROGRAM,
} from '../program-addresses.ts';
import { divideUp, U64_MAX } from '../units.ts';

/** Lamports that every signature of a transaction costs, on every public network. */
export const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS_PER_LAMPORT = 1_000_000n;

/** Compute units that an instruction counts for when the message sets no limit. */
const UNITS_PER_INSTRUCTION = 200_000;
const UNITS_PER_BUILTIN = 3_000;

const BUILTINS: ReadonlySet<Address> = new Set([
  SYSTEM_PROGRAM,
  COMPUTE_BUDGET_PROGRAM,
  BPF_LOADER_UPGRADEABLE,
  BPF_LOADER_DEPRECATED,
  BPF_LOADER,
  LOADER_V4,
  SECP256K1_PROGRAM,
  ED25519_PROGRAM,
]);

/** The precompiles that verify signatures. The first byte of their data is the number of signatures, which all pay a fee. */
const SIGNATURE_PROGRAMS: ReadonlySet<Address> = new Set([
  SECP256K1_PROGRAM,
  ED25519_PROGRAM,
  SECP256R1_PROGRAM,
]);

/** The fee that the network takes for a message. */
export interface MessageFee {
  /** Lamports for signatures and priority together. */
  readonly lamports: bigint;
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
}

/**
 * Computes the priority fee that the network takes.
 *
 * @param price - Micro-lamports per compute unit.
 * @param units - The transaction's compute-unit limit.
 * @returns Lamports, rounded up as the network rounds them.
 *
 * @example
 * ```ts
 * import { priorityFeeLamports } from './message-fee.ts';
 *
 * priorityFeeLamports(5n, 300_000n); // 1.5 lamports, so 2n
 * ```
 */
export function priorityFeeLamports(price: bigint, units: bigint): bigint {
  return divideUp(price * units, MICRO_LAMPORTS_PER_LAMPORT);
}

/**
 * Computes the priority fee as the public interface reports it. It is rounded down, so the network may take one lamport
 * more.
 *
 * @param price - Micro-lamports per compute unit.
 * @param units - The transaction's compute-unit limit.
 * @returns Lamports.
 */
export function computeStatedPriorityFeeLamports(price: bigint, units: bigint): bigint {
  return (price * units) / MICRO_LAMPORTS_PER_LAMPORT;
}

/**
 * Computes the highest price whose priority fee does not exceed `lamports`.
 *
 * @param units - The transaction's compute-unit limit.
 * @returns Micro-lamports per compute unit, rounded down, and at most what the instruction can hold.
 */
export function computePriceWithin(lamports: bigint, units: bigint): bigint {
  const price = (lamports * MICRO_LAMPORTS_PER_LAMPORT) / units;
  return price > U64_MAX ? U64_MAX : price;
}

/**
 * Computes the fee of a message from its signatures and its compute budget: 5,000 lamports for each signature, and the
 * price times the compute-unit limit (`solana_fee::calculate_fee` and the compute budget's rules).
 *
 * @param message - A message that the runtime accepts. For others, the network takes no fee.
 */
export function computeMessageFee(message: Message): MessageFee {
  let signatures = BigInt(message.signers);
  let price = 0n;
  let limit: number | null = null;
  let defaultLimit = 0;
  for (const instruction of message.instructions) {
    const program = message.staticAccounts[instruction.programIndex];
    if (program === undefined) continue;
    if (SIGNATURE_PROGRAMS.has(program)) signatures += BigInt(instruction.data[0] ?? 0);
    if (program === COMPUTE_BUDGET_PROGRAM) {
      const setting = decodeComputeBudgetSetting(instruction);
      if (setting?.kind === 'setComputeUnitPrice') price = setting.microLamports;
      else if (setting?.kind === 'setComputeUnitLimit') limit = setting.units;
    }
    defaultLimit += BUILTINS.has(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
  }
  const units = BigInt(Math.min(limit ?? defaultLimit, MAX_COMPUTE_UNITS));
  const lamports = signatures * LAMPORTS_PER_SIGNATURE + priorityFeeLamports(price, units);
  return { lamports: lamports > U64_MAX ? U64_MAX : lamports, price };
}

/** Returns null for an instruction that the runtime refuses. The transaction is then not included and pays nothing. */
function decodeComputeBudgetSetting(instruction: CompiledInstruction) {
  try {
    return decodeComputeBudget(instruction.data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
