import { decodeComputeBudget, MAX_COMPUTE_UNITS } from '../../../solana/programs/compute-budget.ts';
import { LayoutInvalid } from '../../../solana/codec/byte-reader.ts';
import type { Address } from '../../../solana/address.ts';
import type { CompiledInstruction, Message } from '../../../solana/messages/message.ts';
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
} from '../../../solana/program-addresses.ts';
import { U64_MAX } from '../../../solana/units.ts';

const LAMPORTS_PER_SIGNATURE = 5_000n;
const MICRO_LAMPORTS = 1_000_000n;

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

/** Programs that verify signatures in their data, whose number is in the first byte; each costs as one of the transaction's. */
const SIGNATURE_PROGRAMS: ReadonlySet<Address> = new Set([
  SECP256K1_PROGRAM,
  ED25519_PROGRAM,
  SECP256R1_PROGRAM,
]);

/** What a message pays. */
export interface MessageFee {
  /** Lamports in all. */
  readonly lamports: bigint;
  /** Micro-lamports per compute unit. */
  readonly price: bigint;
}

/**
 * 5,000 lamports for each signature, and the price times the compute-unit limit, rounded up to whole lamports
 * (`solana_fee::calculate_fee` and the compute budget's rules). Right for messages that the runtime accepts.
 */
export function feeOf(message: Message): MessageFee {
  let signatures = BigInt(message.signers);
  let price = 0n;
  let limit: number | null = null;
  let defaultLimit = 0;
  for (const instruction of message.instructions) {
    const program = message.staticAccounts[instruction.programIndex];
    if (program === undefined) continue;
    if (SIGNATURE_PROGRAMS.has(program)) signatures += BigInt(instruction.data[0] ?? 0);
    if (program === COMPUTE_BUDGET_PROGRAM) {
      const setting = settingOf(instruction);
      if (setting?.kind === 'setComputeUnitPrice') price = setting.microLamports;
      else if (setting?.kind === 'setComputeUnitLimit') limit = setting.units;
    }
    defaultLimit += BUILTINS.has(program) ? UNITS_PER_BUILTIN : UNITS_PER_INSTRUCTION;
  }
  const units = BigInt(Math.min(limit ?? defaultLimit, MAX_COMPUTE_UNITS));
  const priority = (price * units + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS;
  const lamports = signatures * LAMPORTS_PER_SIGNATURE + priority;
  return { lamports: lamports > U64_MAX ? U64_MAX : lamports, price };
}

/** Null for what the runtime refuses: then the transaction is not included and pays nothing. */
function settingOf(instruction: CompiledInstruction) {
  try {
    return decodeComputeBudget(instruction.data);
  } catch (error) {
    if (error instanceof LayoutInvalid) return null;
    throw error;
  }
}
