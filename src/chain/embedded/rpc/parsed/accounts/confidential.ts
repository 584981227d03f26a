import type { ByteReader } from '../../../../../solana/codec/byte-reader.ts';
import { readMaybeAddress } from '../../../../../solana/programs/token/extensions.ts';
import { toBase64 } from '../../encoding/base64.ts';

/** The lengths of the cryptographic values, which are encoded as base64. */
const ELGAMAL_PUBKEY = 32;
const ELGAMAL_CIPHERTEXT = 64;
const AES_CIPHERTEXT = 36;

export function readConfidentialMint(reader: ByteReader) {
  return {
    authority: readMaybeAddress(reader),
    autoApproveNewAccounts: reader.bool(),
    auditorElgamalPubkey: maybeElgamalPubkey(reader),
  };
}

export function readConfidentialAccount(reader: ByteReader) {
  return {
    approved: reader.bool(),
    elgamalPubkey: base64(reader, ELGAMAL_PUBKEY),
    pendingBalanceLo: base64(reader, ELGAMAL_CIPHERTEXT),
    pendingBalanceHi: base64(reader, ELGAMAL_CIPHERTEXT),
    availableBalance: base64(reader, ELGAMAL_CIPHERTEXT),
    decryptableAvailableBalance: base64(reader, AES_CIPHERTEXT),
    allowConfidentialCredits: reader.bool(),
    allowNonConfidentialCredits: reader.bool(),
    pendingBalanceCreditCounter: reader.u64(),
    maximumPendingBalanceCreditCounter: reader.u64(),
    expectedPendingBalanceCreditCounter: reader.u64(),
    actualPendingBalanceCreditCounter: reader.u64(),
  };
}

export function readConfidentialFeeConfig(reader: ByteReader) {
  return {
    authority: readMaybeAddress(reader),
    withdrawWithheldAuthorityElgamalPubkey: maybeElgamalPubkey(reader),
    harvestToMintEnabled: reader.bool(),
    withheldAmount: base64(reader, ELGAMAL_CIPHERTEXT),
  };
}

export function readConfidentialMintBurn(reader: ByteReader) {
  return {
    confidentialSupply: base64(reader, ELGAMAL_CIPHERTEXT),
    decryptableSupply: base64(reader, AES_CIPHERTEXT),
    supplyElgamalPubkey: base64(reader, ELGAMAL_PUBKEY),
    pendingBurn: base64(reader, ELGAMAL_CIPHERTEXT),
  };
}

function base64(reader: ByteReader, length: number): string {
  return toBase64(reader.bytes(length));
}

/** Reads an optional key, where 32 zero bytes mean that there is none. */
function maybeElgamalPubkey(reader: ByteReader): string | null {
  const bytes = reader.bytes(ELGAMAL_PUBKEY);
  return bytes.every((byte) => byte === 0) ? null : toBase64(bytes);
}
