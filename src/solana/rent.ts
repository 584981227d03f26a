/** Bytes that rent is charged for in addition to an account's data. */
const ACCOUNT_OVERHEAD = 128n;
/** The price of rent exemption, as in the rent sysvar of every public network. */
const LAMPORTS_PER_BYTE = 6_960n;

/**
 * Computes the balance that makes an account exempt from rent. No account can be created with less.
 *
 * @param dataLength - The length of the account's data in bytes.
 * @returns Lamports.
 */
export function computeRentExemptMinimum(dataLength: number): bigint {
  return (ACCOUNT_OVERHEAD + BigInt(dataLength)) * LAMPORTS_PER_BYTE;
}

/** An account without data, such as a wallet, holds at least this, or nothing. */
export const MIN_WALLET_LAMPORTS = computeRentExemptMinimum(0);
