import { type Address, toAddress } from '../../../solana/address.ts';
import type { Account } from '../../accounts.ts';
import {
  type IncomingTransaction,
  type IncomingMessage,
  signsFirstInstruction,
} from '../ledger/incoming-transaction.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { computeDurableNonce, findNonce } from '../ledger/nonce.ts';
import type { TransactionError } from '../../records/transaction-error.ts';

const NONCE_AUTHORITY_AT = 8;

/**
 * Returns the reason why a transaction cannot be included as of `slot`: its blockhash, or that it was included before.
 * Returns null when it can.
 */
export function findRefusalAt(
  ledger: Ledger,
  incoming: IncomingTransaction,
  slot: bigint,
): TransactionError | null {
  const { message, messageHash, signature } = incoming;
  const { blockhash } = message;
  if (!ledger.blocks.isHashValidAt(blockhash, slot) && !hasValidNonce(ledger, incoming, slot)) {
    return 'BlockhashNotFound';
  }
  // If the network ran with shorter lifetimes before, the cache has forgotten transactions that the history still has.
  const isKnown = ledger.statuses.hasMessage(messageHash) || ledger.history.get(signature) !== null;
  return isKnown ? 'AlreadyProcessed' : null;
}

/**
 * Whether the message's blockhash is a nonce that its first instruction can advance. A nonce that was
 * advanced with the newest block's hash cannot be advanced again before the next block.
 */
export function hasValidNonce(ledger: Ledger, incoming: IncomingMessage, slot: bigint): boolean {
  if (incoming.nonceAccount === null) return false;
  const account = ledger.accounts.getAt(incoming.nonceAccount, slot);
  const nonce = findNonce(account);
  if (account === null || nonce === null || toAddress(nonce) !== incoming.message.blockhash) return false;
  if (Buffer.compare(nonce, computeNextNonce(ledger, slot)) === 0) return false;
  return signsFirstInstruction(incoming, readNonceAuthority(account));
}

/** Returns the nonce that advancing yields in the block of `slot`. */
export function computeNextNonce(ledger: Ledger, slot: bigint): Uint8Array {
  return computeDurableNonce(ledger.blocks.latestHashAt(slot).hash);
}

function readNonceAuthority({ data }: Account): Address {
  return toAddress(data, NONCE_AUTHORITY_AT);
}
