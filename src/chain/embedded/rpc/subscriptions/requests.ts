import type { Address } from '../../../../solana/address.ts';
import {
  getAccountFormat,
  getCommitment,
  readConfigField,
  readConfigFlag,
  getLedgerCommitment,
  readFields,
  readTransactionEncoding,
} from '../calls/config.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import { readFilters } from '../calls/filters.ts';
import {
  requireAtMost,
  createIntegerReader,
  type Params,
  readAddress,
  readArray,
  readBoolean,
  readObject,
  readSignature,
} from '../calls/params.ts';
import { readTransactionDetails } from '../wire/block.ts';
import type { Topic } from './topic.ts';

/** The parsers of subscribe methods, by the word before `Subscribe`. A new subscription is one line here. */
export const SUBSCRIBE: Readonly<Record<string, (params: Params) => Topic>> = {
  account: (params) => {
    requireAtMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'account',
      address: readAddress(params[0], 'pubkey'),
      commitment: getCommitment(fields),
      format: getAccountFormat(fields, 'binary'),
    };
  },
  program: (params) => {
    requireAtMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'program',
      program: readAddress(params[0], 'programId'),
      commitment: getCommitment(fields),
      format: getAccountFormat(fields, 'binary'),
      filters: readConfigField(fields, 'filters', readFilters) ?? [],
    };
  },
  logs: (params) => {
    requireAtMost(params, 2);
    const commitment = getCommitment(readFields(params[1]));
    return { kind: 'logs', commitment, ...readLogsFilter(params[0]) };
  },
  signature: (params) => {
    requireAtMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'signature',
      signature: readSignature(params[0], 'signature'),
      commitment: getCommitment(fields),
      received: readConfigFlag(fields, 'enableReceivedNotification'),
    };
  },
  block: (params) => {
    requireAtMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'block',
      commitment: getLedgerCommitment(fields),
      mentions: readBlockFilter(params[0]),
      format: {
        encoding: readConfigField(fields, 'encoding', readTransactionEncoding) ?? 'base64',
        maxVersion: limitToNewestVersion(
          readConfigField(fields, 'maxSupportedTransactionVersion', createIntegerReader(0, 255)) ?? null,
        ),
        details: readConfigField(fields, 'transactionDetails', readTransactionDetails) ?? 'full',
        rewards: readConfigField(fields, 'showRewards', readBoolean) ?? true,
      },
    };
  },
  slot: (params) => {
    requireAtMost(params, 0);
    return { kind: 'slot' };
  },
  root: (params) => {
    requireAtMost(params, 0);
    return { kind: 'root' };
  },
};

/** The newest version of transactions. Clients that support later ones are sent the same text. */
const NEWEST_VERSION = 0;

function limitToNewestVersion(maxVersion: number | null): number | null {
  return maxVersion === null ? null : Math.min(maxVersion, NEWEST_VERSION);
}

function readLogsFilter(value: unknown) {
  if (value === 'all') return { mentions: null, votes: false };
  if (value === 'allWithVotes') return { mentions: null, votes: true };
  if (typeof value !== 'object' || value === null) {
    throw invalidParams('filter must be "all", "allWithVotes" or {"mentions": [address]}');
  }
  const [mentions, ...more] = readArray(
    readObject(value, 'filter').mentions,
    'filter.mentions',
    1,
    readAddress,
  );
  if (mentions === undefined || more.length > 0) throw invalidParams('filter.mentions must have one address');
  return { mentions, votes: true };
}

function readBlockFilter(value: unknown): Address | null {
  if (value === 'all') return null;
  if (typeof value !== 'object' || value === null) {
    throw invalidParams('filter must be "all" or {"mentionsAccountOrProgram": address}');
  }
  const { mentionsAccountOrProgram } = readObject(value, 'filter');
  return readAddress(mentionsAccountOrProgram, 'filter.mentionsAccountOrProgram');
}
