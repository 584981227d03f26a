import { type Address, addressFromBytes } from '../../../solana/address.ts';
import type { Account } from '../../chain.ts';
import { type Incoming, type IncomingMessage, signsFirstInstruction } from '../ledger/incoming.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { durableNonce, nonceOf } from '../ledger/nonce.ts';
import type { TransactionError } from '../records/transaction-error.ts';

const NONCE_AUTHORITY_AT = 8;

/** Why a transaction cannot be included as of `slot`, by its blockhash or because it was before; null when it can. */
export function refusalAt(ledger: Ledger, incoming: Incoming, slot: bigint): TransactionError | null {
  const { blockhash } = incoming.message;
  if (!ledger.blocks.isHashValidAt(blockhash, slot) && !hasValidNonce(ledger, incoming, slot)) {
    return 'BlockhashNotFound';
  }
  return ledger.statuses.hasMessage(incoming.messageHash) ? 'AlreadyProcessed' : null;
}

/**
 * Whether the first instruction advances a nonce that stands where the blockhash would, and can. A nonce that is
 * already that of the newest block cannot be advanced before the next.
 */
export function hasValidNonce(ledger: Ledger, incoming: IncomingMessage, slot: bigint): boolean {
  if (incoming.nonceAccount === null) return false;
  const account = ledger.accounts.getAt(incoming.nonceAccount, slot);
  const nonce = nonceOf(account);
  if (account === null || nonce === null || addressFromBytes(nonce) !== incoming.message.blockhash)
    return false;
  if (Buffer.compare(nonce, nextNonce(ledger, slot)) === 0) return false;
  return signsFirstInstruction(incoming, authorityOf(account));
}

/** What a nonce becomes that is advanced in the block of `slot`. */
export function nextNonce(ledger: Ledger, slot: bigint): Uint8Array {
  return durableNonce(ledger.blocks.latestHashAt(slot).hash);
}

function authorityOf({ data }: Account): Address {
  return addressFromBytes(data, NONCE_AUTHORITY_AT);
}
