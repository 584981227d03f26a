import { OperatorError } from '../../../common/operator-error.ts';
import { parseTransaction, type Transaction } from '../../../solana/messages/transaction.ts';
import { verifySignatureInPool } from '../../../solana/messages/signature.ts';
import { parseJson } from '../../json-rpc/json.ts';
import { toExecutedTransaction, deferBalances } from '../../records/executed-transaction.ts';
import type { TransactionRecord } from '../../records/records.ts';
import type { ReportedTransaction } from '../../reported-transactions.ts';
import { POLL, type RpcClient } from '../client/rpc-client.ts';
import { readTransactionRecord } from '../submission/read-transaction.ts';

/**
 * Reads a successful transaction with all of its calls.
 *
 * Returns null when the node does not have it, or does not know its time yet.
 * @throws ChainUnavailable when the node does not answer
 * @throws RpcRefusal when the node refuses the call
 * @throws OperatorError when what it returns cannot be true
 */
export async function readReported(
  client: Pick<RpcClient, 'call'>,
  signature: string,
): Promise<ReportedTransaction | null> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const read = (result: unknown) => readTransactionRecord(result, signature);
  const record = await client.call('getTransaction', [signature, config], read, POLL, parseJson);
  if (record === null || record.blockTime === null) return null;
  if (record.error !== null) throw new OperatorError(`transaction ${signature} failed`);
  requireCallDepths(record);
  const transaction = parseTransaction(record.wire);
  await requireSigned(record.signature, transaction);
  const { blockTime } = record;
  const { index: _, ...reported } = toExecutedTransaction(
    deferBalances({ ...record, index: 0, blockTime }),
    transaction.message,
  );
  return reported;
}

/** Without the depth of each call, transfers cannot be attributed to the swap that made them. */
function requireCallDepths({
  signature,
  innerInstructions,
}: Pick<TransactionRecord, 'signature' | 'innerInstructions'>): void {
  for (const { instructions } of innerInstructions) {
    let outer = 1;
    for (const { stackHeight } of instructions) {
      if (stackHeight < 2 || stackHeight > outer + 1) {
        throw new OperatorError(
          `a call of transaction ${signature} has stackHeight ${stackHeight} after ${outer}`,
        );
      }
      outer = stackHeight;
    }
  }
}

/** So that no node attributes trades to wallets that did not make them. */
async function requireSigned(
  signature: string,
  { signatures, messageBytes, message }: Transaction,
): Promise<void> {
  const valid = await Promise.all(
    message.staticAccounts.slice(0, message.signers).map((signer, index) => {
      const given = signatures[index];
      return given !== undefined && verifySignatureInPool(signer, messageBytes, given);
    }),
  );
  if (!valid.every(Boolean)) throw new OperatorError(`transaction ${signature} is not signed by all signers`);
}
