import { OperatorError } from '../../../common/operator-error.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { requireRecord } from '../../records/account-json.ts';
import { ChainUnavailable, SendRejected, type Simulation, type SimulationOptions } from '../../chain.ts';
import type { LandedTransaction } from '../../landed-transactions.ts';
import { ErrorCode } from '../../json-rpc/error-codes.ts';
import { parseJson } from '../../json-rpc/json.ts';
import { requireList, requireText } from '../client/read-json.ts';
import { readSimulation, readTransaction } from './read-transaction.ts';
import { type CallPolicy, READ, type RpcClient, RpcRefusal, SEND } from '../client/rpc-client.ts';

/** The maximum length of a transaction's error in a message, in characters. */
const MAX_SHOWN_ERROR = 500;

type CallClient = Pick<RpcClient, 'call'>;

/** Implements `Chain.send`. */
export async function sendTransaction(
  client: CallClient,
  transaction: Uint8Array,
  skipPreflight: boolean,
): Promise<string> {
  const config = { encoding: 'base64', skipPreflight, preflightCommitment: 'processed' };
  try {
    const params = [base64(transaction), config];
    return await client.call('sendTransaction', params, (result) => requireText(result, 'result'), SEND);
  } catch (error) {
    throw error instanceof RpcRefusal ? refusalOfSend(error) : error;
  }
}

/** Returns the same errors as the embedded network. */
function refusalOfSend(refusal: RpcRefusal): Error {
  const { code, data, message } = refusal;
  if (code === ErrorCode.PREFLIGHT_FAILURE) {
    return preflightFailure(message, data);
  }
  if (code === ErrorCode.SIGNATURE_VERIFICATION) {
    return new SendRejected('a signature of the transaction does not verify', 'SignatureFailure');
  }
  return notTransaction(refusal);
}

function preflightFailure(message: string, data: unknown): Error {
  try {
    const { err, logs } = requireRecord(data ?? {}, 'error.data');
    const error = err ?? null;
    const reason = error === null ? message : formatForError(error, MAX_SHOWN_ERROR);
    return new SendRejected(
      `the transaction would fail: ${reason}`,
      error,
      requireList(logs, 'error.data.logs', requireText),
    );
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    return new ChainUnavailable(`the RPC answered sendTransaction with ${error.message}`);
  }
}

/** Implements `Chain.simulate`. */
export async function simulateTransaction(
  client: CallClient,
  transaction: Uint8Array,
  { verifySignatures, accounts = [] }: SimulationOptions,
): Promise<Simulation> {
  const config = {
    encoding: 'base64',
    commitment: 'processed',
    sigVerify: verifySignatures,
    replaceRecentBlockhash: !verifySignatures,
    ...(accounts.length === 0 ? {} : { accounts: { encoding: 'base64', addresses: accounts } }),
  };
  const read = (result: unknown) => readSimulation(result, accounts.length);
  try {
    return await client.call('simulateTransaction', [base64(transaction), config], read, READ);
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    if (error.code !== ErrorCode.SIGNATURE_VERIFICATION) throw notTransaction(error);
    return {
      slot: null,
      feePayer: null,
      error: 'SignatureFailure',
      logs: [],
      unitsConsumed: 0n,
      returnData: null,
      accounts: [],
    };
  }
}

/** Implements `Chain.transaction`. Balances are parsed exactly, because a double cannot represent all of them. */
export async function fetchLandedTransaction(
  client: CallClient,
  signature: string,
  policy: CallPolicy = READ,
): Promise<LandedTransaction | null> {
  const config = { encoding: 'base64', commitment: 'confirmed', maxSupportedTransactionVersion: 0 };
  const read = (result: unknown) => readTransaction(result, signature);
  try {
    return await client.call('getTransaction', [signature, config], read, policy, parseJson);
  } catch (error) {
    throw error instanceof RpcRefusal ? new ChainUnavailable(error.message) : error;
  }
}

function notTransaction({ code, message }: RpcRefusal): Error {
  return code === ErrorCode.INVALID_PARAMS
    ? new SendRejected(`not a transaction: ${message}`, null)
    : new ChainUnavailable(message);
}

function base64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}
