import { TransactionInvalid } from '../../../../solana/messages/transaction-invalid.ts';
import {
  getCommitment,
  readConfigField,
  readConfigFlag,
  readFields,
  readReachedCommitment,
  requireMinContextSlot,
} from '../calls/config.ts';
import { NetworkRefused, type SubmitOutcome } from '../../ledger/bank.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import { ErrorCode } from '../../../json-rpc/error-codes.ts';
import { invalidParams, nodeUnhealthy, RpcError, signatureFailure } from '../../../json-rpc/rpc-errors.ts';
import {
  requireAtMost,
  createIntegerReader,
  type Params,
  readAddress,
  readBlockhash,
  readCommitment,
  readString,
  readU64,
} from '../calls/params.ts';
import { formatTransactionError } from '../wire/error-text.ts';
import { encodeSimulation } from '../wire/simulation.ts';
import { readBinaryEncoding, decodeWire } from '../wire/wire.ts';

/** The data of a preflight failure has no accounts and inner instructions, because clients did not request them. */
const NO_DETAILS = { accounts: null, innerInstructionsOver: null } as const;

const readRetries = createIntegerReader(0, 0xffff_ffff);

/** The methods that accept transactions or messages. */
export function sendMethods(context: RpcContext): [string, Handler][] {
  return [
    ['sendTransaction', (params) => sendTransaction(context, params)],
    ['getFeeForMessage', (params) => getFeeForMessage(context, params)],
    ['requestAirdrop', (params) => requestAirdrop(context, params)],
  ];
}

function sendTransaction({ bank }: RpcContext, params: Params): string {
  requireAtMost(params, 2);
  const fields = readFields(params[1]);
  const wire = decodeWire(readString(params[0], 'transaction'), readBinaryEncoding(fields), 'transaction');
  const skipPreflight = readConfigFlag(fields, 'skipPreflight');
  const asked = readConfigField(fields, 'preflightCommitment', readCommitment) ?? 'finalized';
  const maxRetries = readConfigField(fields, 'maxRetries', readRetries);
  requireMinContextSlot(bank, fields, skipPreflight ? 'processed' : asked);
  if (!skipPreflight) {
    const reason = bank.unhealthy();
    if (reason !== null) throw nodeUnhealthy(reason);
  }
  const preflight = skipPreflight ? null : asked;
  return getAcceptedSignature(
    bank.submit(wire, maxRetries === undefined ? { preflight } : { preflight, maxRetries }),
  );
}

function getAcceptedSignature(outcome: SubmitOutcome): string {
  switch (outcome.kind) {
    case 'accepted':
      return outcome.signature;
    case 'malformed':
      throw invalidParams(`failed to deserialize transaction: ${outcome.reason}`);
    case 'bad-signature':
      throw signatureFailure();
    case 'preflight-failed': {
      const { simulation } = outcome;
      const reason = simulation.error === null ? 'unknown' : formatTransactionError(simulation.error);
      const message = `Transaction simulation failed: ${reason}`;
      throw new RpcError(ErrorCode.PREFLIGHT_FAILURE, message, encodeSimulation(simulation, NO_DETAILS));
    }
    case 'unavailable':
      throw nodeUnhealthy(outcome.reason);
  }
}

function getFeeForMessage(context: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const message = decodeWire(readString(params[0], 'message'), 'base64', 'message');
  const commitment = readReachedCommitment(context.bank, readFields(params[1]));
  try {
    return wrapInContext(context, context.bank.feeForMessage(message, commitment));
  } catch (error) {
    if (error instanceof TransactionInvalid)
      throw invalidParams(`invalid transaction message: ${error.message}`);
    throw error;
  }
}

/** The faucet's transfer uses the newest blockhash, so a client cannot select one. */
function requestAirdrop({ bank }: RpcContext, params: Params): string {
  requireAtMost(params, 3);
  const wallet = readAddress(params[0], 'pubkey');
  const lamports = readU64(params[1], 'lamports');
  const fields = readFields(params[2]);
  getCommitment(fields);
  if (readConfigField(fields, 'recentBlockhash', readBlockhash) !== undefined) {
    throw invalidParams('recentBlockhash is not supported: the faucet takes the newest');
  }
  try {
    return bank.requestAirdrop(wallet, lamports);
  } catch (error) {
    if (error instanceof NetworkRefused && error.kind === 'request')
      throw new RpcError(ErrorCode.INTERNAL, error.message);
    throw error;
  }
}
