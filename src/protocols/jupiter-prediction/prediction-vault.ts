import type { Address } from '../../solana/address.ts';
import { ByteReader } from '../../solana/codec/byte-reader.ts';
import { ByteWriter } from '../../solana/codec/byte-writer.ts';

/** The length of a vault, in bytes. */
export const PREDICTION_VAULT_SIZE = 2000;

const TAG = Uint8Array.of(211, 8, 232, 43, 2, 152, 117, 119);
/** The unit version in which a contract has 1,000,000 parts. */
const MICRO_CONTRACTS = 1;

/** The limits that the admin sets for a vault. Contracts are micro-contracts. */
export interface PredictionVaultConfig {
  readonly globalMaxContracts: bigint;
  readonly positionMaxContracts: bigint;
  readonly positionMaxOrders: number;
  readonly protocolFeeBps: number;
  /** How long after a market's settlement time the keeper has to wait before it claims for an owner. */
  readonly settlementDelaySeconds: bigint;
  readonly depositsDisabled: boolean;
  readonly withdrawalsDisabled: boolean;
  readonly tradingDisabled: boolean;
}

/** The keys that a vault obeys. They stand behind the public fields, which do not name any. */
export interface PredictionVaultKeys {
  /** Sets the limits, and withdraws what no position can claim. */
  readonly admin: Address;
  /** Signs the creation of every order, and its cancellation. */
  readonly authority: Address;
  /** Signs fills, closes orders and positions, posts results and pays out. */
  readonly keeper: Address;
  /** The second signer of every fill. */
  readonly cosigner: Address;
}

/** The vault, which settles every order. */
export interface PredictionVaultAccount extends PredictionVaultConfig, PredictionVaultKeys {
  readonly settlementMint: Address;
  /** The contracts of all positions on both sides. */
  readonly currentContracts: bigint;
  readonly bump: number;
}

/**
 * Decodes a vault. Returns null for an account of another kind.
 *
 * @throws LayoutInvalid when the fields are cut short.
 */
export function decodePredictionVault(data: Uint8Array): PredictionVaultAccount | null {
  if (data.length < TAG.length || TAG.some((byte, index) => data[index] !== byte)) return null;
  const from = new ByteReader(data, 'prediction vault', TAG.length);
  const settlementMint = from.address();
  const currentContracts = from.u64();
  from.skip(4);
  const limits = {
    globalMaxContracts: from.u64(),
    positionMaxContracts: from.u64(),
    positionMaxOrders: from.u32(),
    settlementDelaySeconds: from.u64(),
    depositsDisabled: from.bool(),
    withdrawalsDisabled: from.bool(),
    protocolFeeBps: from.u16(),
  };
  const bump = from.u8();
  const tradingDisabled = from.bool();
  from.skip(1);
  return {
    settlementMint,
    currentContracts,
    ...limits,
    bump,
    tradingDisabled,
    admin: from.address(),
    authority: from.address(),
    keeper: from.address(),
    cosigner: from.address(),
  };
}

/** Encodes a vault. */
export function encodePredictionVault(vault: PredictionVaultAccount): Uint8Array {
  const to = new ByteWriter(PREDICTION_VAULT_SIZE)
    .bytes(TAG)
    .address(vault.settlementMint)
    .u64(vault.currentContracts)
    .u32(0)
    .u64(vault.globalMaxContracts)
    .u64(vault.positionMaxContracts)
    .u32(vault.positionMaxOrders)
    .u64(vault.settlementDelaySeconds)
    .bool(vault.depositsDisabled)
    .bool(vault.withdrawalsDisabled)
    .u16(vault.protocolFeeBps)
    .u8(vault.bump)
    .bool(vault.tradingDisabled)
    .u8(MICRO_CONTRACTS)
    .address(vault.admin)
    .address(vault.authority)
    .address(vault.keeper)
    .address(vault.cosigner);
  return to.zeros(PREDICTION_VAULT_SIZE - to.length).finish();
}
