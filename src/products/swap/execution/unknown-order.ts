import { formatForError } from '../../../common/format-for-error.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import { ChainUnavailable } from '../../../chain/chain.ts';
import { AGGREGATOR_PROGRAM } from '../../../protocol/venue/aggregator-program.ts';
import {
  addSignatures,
  isFullySignedInPool,
  isSignedBy,
  parseTransaction,
  readSignerCount,
  type Transaction,
  getTransactionSignature,
} from '../../../solana/messages/transaction.ts';
import { computeExposure } from '../../../transactions/sponsor/exposure.ts';
import type { Sponsor } from '../../../transactions/sponsor/sponsor.ts';
import { lookForMessage } from '../../../transactions/submit/message-search.ts';
import { isConfirmed, readSignatureStatus } from '../../../transactions/submit/transaction-lookup.ts';
import type { SubmissionDependencies } from '../../../transactions/submit/submit-and-read.ts';
import {
  Code,
  type ExecutionRefused,
  type ExecutionResult,
  createSwapFailure,
  createExecutionRefusal,
} from '../../../swaps/orders/execution-result.ts';
import type { ExecutionRequest } from './forward-execution.ts';
import { parseSigned } from './signed-transaction.ts';
import { SPONSORED_SWAPS } from './sponsored-swaps.ts';
import type { OrderStore } from '../../../swaps/orders/stored-order.ts';
import { readUnknownOrderResult } from '../../../swaps/orders/order-outcome.ts';

export interface UnknownOrderDependencies extends SubmissionDependencies {
  readonly orders: Pick<OrderStore<ExecutionResult>, 'mayHaveForgotten'>;
  /** Null without a sponsor. */
  readonly sponsor: Sponsor | null;
}

/**
 * Looks on the chain for the transaction of an order that is not stored here, because it may have been forgotten. Nothing
 * is sent. This costs one status, one transaction if that failed, and one look for the message if others than the taker pay.
 * Returns a refusal if the chain does not have the transaction.
 * @throws Unavailable if the chain does not say, or if another instance may be executing the order
 */
export async function lookUpUnknownOrder(
  dependencies: UnknownOrderDependencies,
  request: ExecutionRequest,
): Promise<ExecutionResult | ExecutionRefused> {
  const message = `there is no order ${formatForError(request.requestId)}: it was not given out here, or has run out`;
  const told = parseToldSwap(dependencies.sponsor, request.signedTransaction);
  if (told === null) return createExecutionRefusal(Code.MISSING_ORDER, message);
  const { signature } = told;
  const status = await readSignatureStatus(dependencies.chain, signature);
  if (status === 'unanswered') {
    throw new ChainUnavailable(`${message}; the network does not say whether it has its transaction`);
  }
  if (isConfirmed(status)) return readUnknownOrderResult(dependencies, signature, status);
  if (status !== null)
    return createSwapFailure(
      Code.UNKNOWN,
      `${message}; its transaction is being landed, ask again`,
      signature,
    );
  const landed = await searchOtherSignature(dependencies, told);
  if (landed !== null) return readUnknownOrderResult(dependencies, landed.signature, landed.status);
  if (await dependencies.orders.mayHaveForgotten()) {
    throw new Unavailable(
      `${message}; the instances have just lost what they share, ask again in some seconds`,
    );
  }
  return createExecutionRefusal(Code.MISSING_ORDER, `${message}, and its transaction is in no block so far`);
}

/** The sponsor pays and signs first, so the taker is the second signer. */
const TAKER_INDEX = 1;

/** Nothing is known about the order, so it is looked for as if it had expired this many blocks ago: some ten minutes. */
const LOOKED_BACK = 1_500n;

/**
 * Looks for the message by another signature of its fee payer, which may have signed it several times and wants the taker
 * to swap again. Who signs alone deceives nobody else, and the sponsor signs once. All that the message names must have
 * signed, so that nobody has the long lists of others read and their signatures verified.
 */
async function searchOtherSignature({ chain, sponsor }: UnknownOrderDependencies, { transaction }: ToldSwap) {
  const { message, messageBytes } = transaction;
  const [feePayer] = message.staticAccounts;
  if (readSignerCount(messageBytes) === 1 || feePayer === sponsor?.keypair.address) return null;
  if (!(await isFullySignedInPool(transaction))) return null;
  const height = chain.blockHeight('finalized');
  const lastValidBlockHeight = height > LOOKED_BACK ? height - LOOKED_BACK : 0n;
  return lookForMessage(chain, { messageBytes, lastValidBlockHeight }, chain.slot('confirmed'));
}

interface ToldSwap {
  /** By which the chain knows the transaction, unless its fee payer has landed it by another. */
  readonly signature: string;
  /** As the client has sent it. */
  readonly transaction: Transaction;
}

/**
 * Returns null unless it is a swap that its fee payer has signed, or a swap as the sponsor signs them, which its taker
 * has signed.
 */
function parseToldSwap(sponsor: Sponsor | null, base64: string): ToldSwap | null {
  const parsed = parseSigned(base64);
  if (parsed.kind === 'refused') return null;
  const { transaction } = parsed;
  const { message, signatures } = transaction;
  const swaps = message.instructions.some(
    ({ programIndex }) => message.staticAccounts[programIndex] === AGGREGATOR_PROGRAM,
  );
  if (!swaps) return null;
  if (isSignedBy(transaction, 0)) return { signature: getTransactionSignature(transaction), transaction };
  const isUnsigned = signatures[0]?.every((byte) => byte === 0) === true;
  const taker = message.staticAccounts[TAKER_INDEX];
  if (sponsor === null || taker === undefined || !isUnsigned) return null;
  // The node that is asked sees the signature, so the sponsor signs nothing here that it would not sign for an order.
  const parties = { sponsor: sponsor.keypair.address, taker };
  if (computeExposure(message, parties, SPONSORED_SWAPS).problem !== undefined) return null;
  if (!isSignedBy(transaction, TAKER_INDEX)) return null;
  // The signed transaction is not disclosed. The client sees its signature only if the chain has it already.
  const signed = parseTransaction(addSignatures(transaction, [sponsor.keypair]));
  return { signature: getTransactionSignature(signed), transaction };
}
