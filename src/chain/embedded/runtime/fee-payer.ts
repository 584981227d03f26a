import { toAddressBytes } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { computeRentExemptMinimum, MIN_WALLET_LAMPORTS } from '../../../solana/rent.ts';
import { NONCE_ACCOUNT_SIZE } from '../../../solana/programs/system.ts';
import type { Account } from '../../accounts.ts';
import type { IncomingTransaction } from '../ledger/incoming-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LOADING_FAILURES } from './loading-failures.ts';
import { writeAccount } from '../ledger/svm.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

/**
 * Returns the fee of a transaction that LiteSVM has just failed with `error`, and charges it where LiteSVM did not.
 * Returns null when the transaction is not included and pays nothing.
 */
export function chargeFailedFee(
  ledger: Ledger,
  incoming: IncomingTransaction,
  error: TransactionError,
): bigint | null {
  const payer = ledger.accounts.get(incoming.feePayer);
  if (payer === null) return null;
  const left = ledger.svm.getBalance(toAddressBytes(incoming.feePayer)) ?? 0n;
  if (left !== payer.lamports) return payer.lamports - left;
  if (!LOADING_FAILURES.has(error) || !chargeFee(ledger, incoming)) return null;
  return incoming.fee.lamports;
}

/** Takes the fee of a transaction that LiteSVM has not executed. Returns false if the payer cannot pay it. */
export function chargeFee(
  ledger: Ledger,
  { feePayer, fee: { lamports: fee } }: IncomingTransaction,
): boolean {
  const payer = ledger.accounts.get(feePayer);
  if (payer === null || !canPay(payer, fee)) return false;
  writeAccount(ledger.svm, feePayer, { ...payer, lamports: payer.lamports - fee });
  return true;
}

/** Whether the account can pay: a plain or nonce account of the system program that stays rent-exempt, or empty. */
function canPay({ owner, data, lamports }: Account, fee: bigint): boolean {
  if (owner !== SYSTEM_PROGRAM || lamports < fee) return false;
  if (data.length === 0) return lamports === fee || lamports - fee >= MIN_WALLET_LAMPORTS;
  return data.length === NONCE_ACCOUNT_SIZE && lamports - fee >= computeRentExemptMinimum(NONCE_ACCOUNT_SIZE);
}
