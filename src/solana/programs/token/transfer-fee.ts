import type { Address } from '../../address.ts';
import { type Instruction, readonly, readonlySigner, writable } from '../../messages/instruction.ts';
import { TOKEN_2022_PROGRAM } from '../../program-addresses.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { divideUp, minimum, U64_MAX } from '../../units.ts';
import type { CheckedTransfer } from './instructions.ts';
import {
  type Extension,
  ExtensionType,
  findExtension,
  readMaybeAddress,
  writeMaybeAddress,
} from './extensions.ts';

/** The fee that Token-2022 withholds from each transfer of a mint with the transfer-fee extension. */
export interface TransferFee {
  /** The first epoch in which this fee applies. */
  readonly epoch: bigint;
  /** The maximum per transfer, in atoms. */
  readonly maximumFee: bigint;
  readonly basisPoints: number;
}

export interface TransferFeeConfig {
  readonly configAuthority: Address | null;
  readonly withdrawWithheldAuthority: Address | null;
  readonly withheldAmount: bigint;
  readonly older: TransferFee;
  readonly newer: TransferFee;
}

const ONE = 10_000n;

/**
 * Reads the transfer-fee configuration from a mint's extensions.
 *
 * Returns null when the mint has no transfer fee.
 * @throws LayoutInvalid when the extension is malformed.
 */
export function findTransferFeeConfig(extensions: readonly Extension[]): TransferFeeConfig | null {
  const data = findExtension(extensions, ExtensionType.TRANSFER_FEE_CONFIG);
  if (data === null) return null;
  const reader = new ByteReader(data, 'transfer fee config');
  const config = {
    configAuthority: readMaybeAddress(reader),
    withdrawWithheldAuthority: readMaybeAddress(reader),
    withheldAmount: reader.u64(),
    older: readFee(reader),
    newer: readFee(reader),
  };
  reader.end();
  return config;
}

export function encodeTransferFeeConfigExtension(config: TransferFeeConfig): Extension {
  const writer = new ByteWriter(108);
  writeMaybeAddress(writer, config.configAuthority);
  writeMaybeAddress(writer, config.withdrawWithheldAuthority);
  writer.u64(config.withheldAmount);
  for (const fee of [config.older, config.newer])
    writer.u64(fee.epoch).u64(fee.maximumFee).u16(fee.basisPoints);
  return { type: ExtensionType.TRANSFER_FEE_CONFIG, data: writer.finish() };
}

export const TRANSFER_FEE_EXTENSION = 26;
export const TRANSFER_CHECKED_WITH_FEE = 1;
const HARVEST_WITHHELD_TOKENS_TO_MINT = 4;

/** Moves tokens of a mint with a transfer fee, and fails if the fee is not `fee` by then. */
export function transferCheckedWithFee(
  { source, mint, destination, authority, amount, decimals }: CheckedTransfer,
  fee: bigint,
): Instruction {
  const data = new ByteWriter(19).u8(TRANSFER_FEE_EXTENSION).u8(TRANSFER_CHECKED_WITH_FEE);
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [writable(source), readonly(mint), writable(destination), readonlySigner(authority)],
    data: data.u64(amount).u8(decimals).u64(fee).finish(),
  };
}

/**
 * Moves the fees that are withheld in accounts to their mint, for which no signature is needed. An account with withheld
 * fees cannot be closed.
 */
export function harvestWithheldFees(mint: Address, accounts: readonly Address[]): Instruction {
  return {
    programAddress: TOKEN_2022_PROGRAM,
    accounts: [writable(mint), ...accounts.map(writable)],
    data: Uint8Array.of(TRANSFER_FEE_EXTENSION, HARVEST_WITHHELD_TOKENS_TO_MINT),
  };
}

/** Whether an instruction of Token-2022 with this data moves withheld fees to the mint. */
export function isHarvestOfWithheldFees(data: Uint8Array): boolean {
  return (
    data.length === 2 && data[0] === TRANSFER_FEE_EXTENSION && data[1] === HARVEST_WITHHELD_TOKENS_TO_MINT
  );
}

/** Returns the fee that applies in `epoch`. */
export function getTransferFeeAt(config: TransferFeeConfig, epoch: bigint): TransferFee {
  return epoch >= config.newer.epoch ? config.newer : config.older;
}

/**
 * Computes the fee of a transfer: the share of `amount`, rounded up, but at most the maximum (`calculate_fee`).
 *
 * @param amount - The amount sent, in atoms.
 * @returns The atoms that are withheld.
 *
 * @example
 * ```ts
 * import { computeTransferFee } from './transfer-fee.ts';
 *
 * computeTransferFee({ epoch: 0n, maximumFee: 5_000n, basisPoints: 100 }, 1_001n); // 11n
 * ```
 */
export function computeTransferFee(fee: TransferFee, amount: bigint): bigint {
  return minimum(divideUp(amount * BigInt(fee.basisPoints), ONE), fee.maximumFee);
}

/**
 * Computes the smallest amount to send so that `received` arrives, like Token-2022's `calculate_pre_fee_amount`. At a
 * share of 100% it adds the whole maximum fee, even where less would suffice.
 *
 * @param received - The amount that has to arrive, in atoms.
 * @returns Atoms, or null when the amount does not fit in a u64.
 */
export function computeAmountBeforeTransferFee(fee: TransferFee, received: bigint): bigint | null {
  if (fee.basisPoints === 0 || received === 0n) return received;
  const withMaximum = received + fee.maximumFee;
  const share = ONE - BigInt(fee.basisPoints);
  const sent = share === 0n ? withMaximum : divideUp(received * ONE, share);
  const amount = minimum(sent, withMaximum);
  return amount > U64_MAX ? null : amount;
}

function readFee(reader: ByteReader): TransferFee {
  const fee = { epoch: reader.u64(), maximumFee: reader.u64(), basisPoints: reader.u16() };
  if (fee.basisPoints > 10_000) reader.fail(`a fee takes at most 10000 basis points, got ${fee.basisPoints}`);
  return fee;
}
