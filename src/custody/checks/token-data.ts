const DECIMALS_AT = 9;
const CHECKED_TRANSFER_BYTES = 10;

/** Returns the decimals in the data of a checked transfer, which the token program compares with the mint's; 0 for other data. */
export function readDecimals(data: Uint8Array): number {
  return data.length === CHECKED_TRANSFER_BYTES ? (data[DECIMALS_AT] ?? 0) : 0;
}

/** Returns the amount in the data of a checked transfer; 0 for other data. */
export function readTransferredAmount(data: Uint8Array): bigint {
  if (data.length !== CHECKED_TRANSFER_BYTES) return 0n;
  return new DataView(data.buffer, data.byteOffset, data.byteLength).getBigUint64(1, true);
}
