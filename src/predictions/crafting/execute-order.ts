import { PREDICTION_PROGRAM } from '../../protocols/jupiter-prediction/prediction-program.ts';
import { PREDICTION_TAGS } from '../../protocols/jupiter-prediction/instructions/prediction-instruction.ts';
import type { Address } from '../../solana/address.ts';
import type { CompiledInstruction, Message } from '../../solana/messages/message.ts';
import {
  executeVerified,
  type ExecuteSignedDependencies,
  parseSigned,
  SignedCode,
  type SignedResult,
  verifySigned,
} from '../../transactions/signed/execute-signed.ts';

export interface ExecuteOrderDependencies extends Omit<ExecuteSignedDependencies, 'sealKey'> {
  /** The key that signs beside the owner of every order. */
  readonly authority: Address;
  /** Whether a message without an order is that of an order on a forecast. */
  readonly isForecastSwap: (message: Message) => boolean;
}

/** The place of the authority among the accounts of `create_order`. */
const AUTHORITY_PLACE = 2;
const TAG_BYTES = 8;

/**
 * Lands an order, a claim or the swap of an order on a forecast. Nothing else is landed: an order needs the signature of this service's key, which it has only as
 * it was made. The same transaction again has the same result.
 * @param signedTransaction - Base64, with the owner's signature added.
 * @throws ChainUnavailable before anything was sent
 */
export async function executePredictionOrder(
  dependencies: ExecuteOrderDependencies,
  signedTransaction: string,
): Promise<SignedResult> {
  const sent = parseSigned(signedTransaction);
  if ('kind' in sent) return sent;
  const { message } = sent.transaction;
  if (!isKnownKind(dependencies, message)) {
    const error = 'signedTransaction must be an order or a claim of this service, signed as it was made';
    return { kind: 'refused', code: SignedCode.MISSING_ORDER, error };
  }
  // A blockhash that is no longer known has expired. Whether the transaction has landed before is looked up.
  const lastValidBlockHeight = dependencies.chain.lastValidHeightOf(message.blockhash) ?? 0n;
  const verified = verifySigned(sent, lastValidBlockHeight);
  return 'kind' in verified ? verified : executeVerified(dependencies, 'prediction', verified);
}

function isKnownKind(
  { authority, isForecastSwap }: Pick<ExecuteOrderDependencies, 'authority' | 'isForecastSwap'>,
  message: Message,
): boolean {
  return (
    message.instructions.some((each) => isOrderOrClaim(message, each, authority)) || isForecastSwap(message)
  );
}

function isOrderOrClaim(
  { staticAccounts }: Message,
  { programIndex, accounts, data }: CompiledInstruction,
  authority: Address,
): boolean {
  if (staticAccounts[programIndex] !== PREDICTION_PROGRAM) return false;
  const tag = Buffer.from(data.subarray(0, TAG_BYTES)).toString('hex');
  if (tag === PREDICTION_TAGS.claimPayout) return true;
  const signer = accounts[AUTHORITY_PLACE];
  return tag === PREDICTION_TAGS.createOrder && signer !== undefined && staticAccounts[signer] === authority;
}
