import type { CustodySignature } from '../../custody/custody.ts';
import type { Address } from '../../solana/address.ts';
import { type Message, parseMessage } from '../../solana/messages/message.ts';
import { TransactionInvalid } from '../../solana/messages/transaction-invalid.ts';
import {
  encodeTransaction,
  isSignedBy,
  readSentTransaction,
  type Transaction,
} from '../../solana/messages/transaction.ts';
import { OrderRefused } from '../order-refused.ts';

/** What a client calls the transaction that it sends back. */
export type TransactionNoun = 'deposit' | 'withdrawal';

/**
 * Reads the transaction that a wallet has signed, and checks that it is the message that was handed out, with a valid signature
 * of the wallet. What stands in the places of other signatures does not matter.
 *
 * @param base64 - Untrusted text.
 * @returns the wallet's signature
 * @throws OrderRefused when it is anything else
 */
export function readWalletSignature(
  base64: string,
  crafted: { readonly messageBytes: Uint8Array; readonly wallet: Address },
  noun: TransactionNoun,
): Uint8Array {
  const transaction = parseSentTransaction(base64);
  if (Buffer.compare(transaction.messageBytes, crafted.messageBytes) !== 0) {
    const change = describeChange(parseMessage(crafted.messageBytes), transaction.message);
    throw new OrderRefused('invalid', `Invalid ${noun} transaction: Transaction ${change} modified`);
  }
  const [signature] = transaction.signatures;
  if (signature === undefined || signature.every((byte) => byte === 0)) {
    throw new OrderRefused(
      'invalid',
      `Invalid ${noun} transaction: it lacks the signature of ${crafted.wallet}`,
    );
  }
  if (!isSignedBy(transaction, 0)) {
    throw new OrderRefused('invalid', `Invalid ${noun} transaction: Invalid signature of ${crafted.wallet}`);
  }
  return signature;
}

function parseSentTransaction(base64: string): Transaction {
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.toString('base64').replace(/=+$/, '') !== base64.replace(/=+$/, '')) {
    throw new OrderRefused('invalid', 'Invalid transaction format: it is not base64');
  }
  try {
    return readSentTransaction(new Uint8Array(bytes)).transaction;
  } catch (error) {
    if (!(error instanceof TransactionInvalid)) throw error;
    throw new OrderRefused('invalid', `Invalid transaction format: ${error.message}`);
  }
}

/** Names the first part that differs, in the words that clients of the public service look for. */
function describeChange(crafted: Message, signed: Message): string {
  if (!areSame(listSigners(crafted), listSigners(signed))) return 'signers';
  if (!areSame(crafted.staticAccounts, signed.staticAccounts) || signed.lookups.length > 0) return 'accounts';
  return crafted.blockhash === signed.blockhash ? 'instructions' : 'blockhash';
}

function listSigners({ staticAccounts, signers }: Message): readonly Address[] {
  return staticAccounts.slice(0, signers);
}

function areSame(one: readonly Address[], other: readonly Address[]): boolean {
  return one.length === other.length && one.every((address, index) => address === other[index]);
}

/**
 * Puts the signatures of a message together.
 *
 * @param ours - The signatures of all signers but the wallet, which pays.
 * @returns the transaction in its wire form
 * @throws Error when a signer has no signature
 */
export function joinSignatures(
  messageBytes: Uint8Array,
  walletSignature: Uint8Array,
  ours: readonly CustodySignature[],
): Uint8Array {
  const [, ...others] = listSigners(parseMessage(messageBytes));
  const signatures = others.map((signer) => {
    const found = ours.find(({ address }) => address === signer);
    if (found === undefined) throw new Error(`${signer} did not sign`);
    return found.signature;
  });
  return encodeTransaction([walletSignature, ...signatures], messageBytes);
}
