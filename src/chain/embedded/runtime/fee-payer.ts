import { addressBytes } from '../../../solana/address.ts';
import { SYSTEM_PROGRAM } from '../../../solana/program-addresses.ts';
import { rentExemptMinimum } from '../../../solana/rent.ts';
import { NONCE_ACCOUNT_SIZE } from '../../../solana/programs/system.ts';
import type { Account } from '../../chain.ts';
import type { Incoming } from '../ledger/incoming.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { LOADING_FAILURES } from './loading-failures.ts';
import { writeAccount } from '../ledger/svm.ts';
import type { TransactionError } from '../records/transaction-error.ts';

/**
 * The fee that a transaction paid that LiteSVM has just failed with `error`; null when it is not included and pays
 * nothing. Charges it where LiteSVM did not.
 */
export function chargedFee(ledger: Ledger, incoming: Incoming, error: TransactionError): bigint | null {
  const payer = ledger.accounts.get(incoming.feePayer);
  if (payer === null) return null;
  const left = ledger.svm.getBalance(addressBytes(incoming.feePayer)) ?? 0n;
  if (left !== payer.lamports) return payer.lamports - left;
  const fee = incoming.fee.lamports;
  if (!LOADING_FAILURES.has(error) || !canPay(payer, fee)) return null;
  writeAccount(ledger.svm, incoming.feePayer, { ...payer, lamports: payer.lamports - fee });
  return fee;
}

/** As the runtime checks it: a plain or nonce account of the system program that stays exempt from rent, or empty. */
function canPay({ owner, data, lamports }: Account, fee: bigint): boolean {
  if (owner !== SYSTEM_PROGRAM || lamports < fee) return false;
  if (data.length === 0) return lamports === fee || lamports - fee >= rentExemptMinimum(0);
  return data.length === NONCE_ACCOUNT_SIZE && lamports - fee >= rentExemptMinimum(NONCE_ACCOUNT_SIZE);
}
