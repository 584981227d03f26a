import type { TransactionError } from '../../../records/transaction-error.ts';
import {
  readConfigField,
  readConfigFlag,
  getLedgerCommitment,
  readFields,
  readFieldsOrEncoding,
  readTransactionEncoding,
  requireMinContextSlot,
} from '../calls/config.ts';
import { wrapInContext, type RpcContext } from '../calls/context.ts';
import type { Handler } from '../calls/dispatch.ts';
import {
  requireAtMost,
  createIntegerReader,
  type Params,
  readAddress,
  readArray,
  readSignature,
} from '../calls/params.ts';
import { encodeRecord } from '../wire/record.ts';

const MAX_STATUSES = 256;
const MAX_SIGNATURES = 1_000;

/** The methods that read transactions by signature. */
export function createTransactionMethods(context: RpcContext): [string, Handler][] {
  return [
    ['getSignatureStatuses', (params) => getSignatureStatuses(context, params)],
    ['getSignaturesForAddress', (params) => getSignaturesForAddress(context, params)],
    ['getTransaction', (params) => getTransaction(context, params)],
  ];
}

function getSignatureStatuses(context: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const signatures = readArray(params[0], 'signatures', MAX_STATUSES, readSignature);
  const searchHistory = readConfigFlag(readFields(params[1]), 'searchTransactionHistory');
  const { slot, value } = context.bank.signatureStatuses(signatures, searchHistory);
  const statuses = value.map((status) =>
    status === null
      ? null
      : {
          slot: status.slot,
          confirmations: status.confirmations,
          status: toStatusResult(status.error),
          err: status.error,
          confirmationStatus: status.commitment,
        },
  );
  return wrapInContext(context, { slot, value: statuses });
}

/** Returns the older form of a result, which is reported in addition to `err`. */
function toStatusResult(error: TransactionError | null) {
  return error === null ? { Ok: null } : { Err: error };
}

function getSignaturesForAddress({ bank }: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const address = readAddress(params[0], 'address');
  const fields = readFields(params[1]);
  const before = readConfigField(fields, 'before', readSignature);
  const until = readConfigField(fields, 'until', readSignature);
  const limit = readConfigField(fields, 'limit', createIntegerReader(1, MAX_SIGNATURES)) ?? MAX_SIGNATURES;
  const commitment = getLedgerCommitment(fields);
  requireMinContextSlot(bank, fields, commitment);
  const found = bank.signaturesForAddress(address, {
    commitment,
    limit,
    ...(before === undefined ? {} : { before }),
    ...(until === undefined ? {} : { until }),
  });
  return found.map(({ signature, slot, blockTime, error, memo, commitment: reached }) => ({
    signature,
    slot,
    err: error,
    memo,
    blockTime,
    confirmationStatus: reached,
  }));
}

/** The second parameter may be an encoding alone. */
function getTransaction({ bank }: RpcContext, params: Params) {
  requireAtMost(params, 2);
  const signature = readSignature(params[0], 'signature');
  const fields = readFieldsOrEncoding(params[1]);
  const encoding = readConfigField(fields, 'encoding', readTransactionEncoding) ?? 'json';
  const maxVersion =
    readConfigField(fields, 'maxSupportedTransactionVersion', createIntegerReader(0, 255)) ?? null;
  const record = bank.transaction(signature, getLedgerCommitment(fields));
  return record === null ? null : encodeRecord(record, { encoding, maxVersion });
}
