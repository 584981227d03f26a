import { type Address, toAddressBytes } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';
import {
  type AccountMeta,
  type Instruction,
  readonly,
  writable,
  writableSigner,
} from '../../solana/messages/instruction.ts';
import { findProgramAddress } from '../../solana/pda.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';

/** The program that settles the quotes of makers that are asked by webhook. */
export const ORDER_ENGINE_PROGRAM = '61DFfeTKM7trxYcPQCM78bJ794ddZprZpAwAnLiwTpYH' as Address;

const FILL = Uint8Array.of(168, 96, 183, 163, 92, 10, 40, 160);
const TEMPORARY_ACCOUNT = new TextEncoder().encode('temporary-wsol-token-account');

export type QuoteType = 'exactIn' | 'exactOut';

export interface FillTrade {
  /** Atoms that the taker pays. */
  readonly inputAmount: bigint;
  /** Atoms that the maker pays. */
  readonly outputAmount: bigint;
  /** The last Unix second in which the program accepts the fill. */
  readonly expireAt: bigint;
}

/**
 * The fee that is cut from a quote. It is written after the arguments, where the maker can read it; the program ignores
 * it.
 */
export interface FillFee {
  readonly bps: number;
  readonly quoteType: QuoteType;
}

/** One mint of a fill, and the parties' token accounts for it. */
export interface FillSide {
  readonly mint: Address;
  readonly tokenProgram: Address;
  /** Null when the taker pays or is paid in SOL itself; then the mint is that of wrapped SOL. */
  readonly taker: Address | null;
  /** Null when the maker pays or is paid in SOL itself; then the mint is that of wrapped SOL. */
  readonly maker: Address | null;
}

export interface FillAccounts {
  readonly taker: Address;
  readonly maker: Address;
  readonly input: FillSide;
  readonly output: FillSide;
}

/** The account in which the order engine unwraps SOL. It exists only while a fill runs. */
export function deriveTemporaryAddress(maker: Address): Address {
  return findProgramAddress(ORDER_ENGINE_PROGRAM, [TEMPORARY_ACCOUNT, toAddressBytes(maker)]).address;
}

/**
 * Builds the instruction `fill` of the order engine, in the order of accounts of its public interface.
 * @param fee - Null omits the three bytes after the arguments.
 */
export function createFillInstruction(
  trade: FillTrade,
  accounts: FillAccounts,
  fee: FillFee | null,
): Instruction {
  const { taker, maker, input, output } = accounts;
  const unwraps =
    (input.taker !== null && input.maker === null) || (output.maker !== null && output.taker === null);
  return {
    programAddress: ORDER_ENGINE_PROGRAM,
    accounts: [
      writableSigner(taker),
      writableSigner(maker),
      optional(input.taker),
      optional(input.maker),
      optional(output.taker),
      optional(output.maker),
      readonly(input.mint),
      readonly(input.tokenProgram),
      readonly(output.mint),
      readonly(output.tokenProgram),
      readonly(SYSTEM_PROGRAM),
      ...(unwraps ? [writable(deriveTemporaryAddress(maker))] : []),
    ],
    data: fillData(trade, fee),
  };
}

/** An omitted account is replaced by the program's own address. */
function optional(account: Address | null): AccountMeta {
  return account === null ? readonly(ORDER_ENGINE_PROGRAM) : writable(account);
}

function fillData({ inputAmount, outputAmount, expireAt }: FillTrade, fee: FillFee | null): Uint8Array {
  const writer = new ByteWriter().bytes(FILL).u64(inputAmount).u64(outputAmount).i64(expireAt);
  if (fee !== null) writer.u16(fee.bps).u8(fee.quoteType === 'exactOut' ? 1 : 0);
  return writer.finish();
}

/**
 * Reads the data of `fill`.
 * Returns the trade, and the fee if its three bytes are there; null for other data.
 */
export function decodeFill(data: Uint8Array): { trade: FillTrade; fee: FillFee | null } | null {
  if (data.length < FILL_BYTES || !FILL.every((byte, index) => data[index] === byte)) return null;
  const reader = new ByteReader(data, 'fill', FILL.length);
  const trade = { inputAmount: reader.u64(), outputAmount: reader.u64(), expireAt: reader.i64() };
  if (reader.remaining < FEE_BYTES) return { trade, fee: null };
  const bps = reader.u16();
  return { trade, fee: { bps, quoteType: (reader.u8() & 1) === 1 ? 'exactOut' : 'exactIn' } };
}

const FILL_BYTES = 32;
const FEE_BYTES = 3;
