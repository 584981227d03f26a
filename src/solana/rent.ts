/** Of the rent sysvar: bytes that every account counts besides its data, and lamports per byte for exemption. */
const ACCOUNT_OVERHEAD = 128n;
const LAMPORTS_PER_BYTE = 6_960n;

/** Lamports below which an account with that many bytes of data cannot be created, on every public network. */
export function rentExemptMinimum(dataLength: number): bigint {
  return (ACCOUNT_OVERHEAD + BigInt(dataLength)) * LAMPORTS_PER_BYTE;
}
