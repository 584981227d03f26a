import type { Keypair } from '../../solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';

/** A transaction that was handed out, as a client gets it. */
export interface UnsignedRequest {
  readonly requestId: string;
  readonly transaction: string;
}

/** Signs a transaction that was handed out. */
export function signRequest({ requestId, transaction }: UnsignedRequest, by: readonly Keypair[]) {
  const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(transaction, 'base64')));
  const signedTransaction = Buffer.from(signTransaction(messageBytes, by)).toString('base64');
  return { requestId, signedTransaction };
}
