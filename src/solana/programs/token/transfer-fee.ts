import type { Address } from '../../address.ts';
import { ByteReader } from '../../codec/byte-reader.ts';
import { ByteWriter } from '../../codec/byte-writer.ts';
import { U64_MAX } from '../../units.ts';
import {
  type Extension,
  ExtensionType,
  findExtension,
  readMaybeAddress,
  writeMaybeAddress,
} from './extensions.ts';

/** What a transfer of a Token-2022 mint with the transfer-fee extension withholds from what arrives. */
export interface TransferFee {
  /** The first epoch in which it holds. */
  readonly epoch: bigint;
  /** In atoms, per transfer. */
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

/** Null when the extensions have no transfer fee; throws `LayoutInvalid` when they have a malformed one. */
export function transferFeeConfigOf(extensions: readonly Extension[]): TransferFeeConfig | null {
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

export function transferFeeConfigExtension(config: TransferFeeConfig): Extension {
  const writer = new ByteWriter(108);
  writeMaybeAddress(writer, config.configAuthority);
  writeMaybeAddress(writer, config.withdrawWithheldAuthority);
  writer.u64(config.withheldAmount);
  for (const fee of [config.older, config.newer])
    writer.u64(fee.epoch).u64(fee.maximumFee).u16(fee.basisPoints);
  return { type: ExtensionType.TRANSFER_FEE_CONFIG, data: writer.finish() };
}

export function transferFeeAt(config: TransferFeeConfig, epoch: bigint): TransferFee {
  return epoch >= config.newer.epoch ? config.newer : config.older;
}

/** What a transfer of `amount` withholds: its share rounded up, at most the maximum (`calculate_fee`). */
export function transferFee(fee: TransferFee, amount: bigint): bigint {
  const share = (amount * BigInt(fee.basisPoints) + ONE - 1n) / ONE;
  return share < fee.maximumFee ? share : fee.maximumFee;
}

/**
 * The smallest amount to send of which `received` arrives, as Token-2022's `calculate_pre_fee_amount` computes it;
 * null when that is beyond a u64. At a share of 100% the whole maximum is added, whatever would have sufficed.
 */
export function amountBeforeTransferFee(fee: TransferFee, received: bigint): bigint | null {
  if (fee.basisPoints === 0 || received === 0n) return received;
  const withMaximum = received + fee.maximumFee;
  const share = ONE - BigInt(fee.basisPoints);
  const sent = share === 0n ? withMaximum : (received * ONE + share - 1n) / share;
  const amount = sent < withMaximum ? sent : withMaximum;
  return amount > U64_MAX ? null : amount;
}

function readFee(reader: ByteReader): TransferFee {
  const fee = { epoch: reader.u64(), maximumFee: reader.u64(), basisPoints: reader.u16() };
  if (fee.basisPoints > 10_000) reader.fail(`a fee takes at most 10000 basis points, got ${fee.basisPoints}`);
  return fee;
}
