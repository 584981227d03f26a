import type { Address } from '../../../../solana/address.ts';
import {
  accountFormatOf,
  commitmentOf,
  field,
  flag,
  ledgerCommitmentOf,
  readFields,
  readTransactionEncoding,
} from '../calls/config.ts';
import { invalidParams } from '../../../json-rpc/rpc-errors.ts';
import { readFilters } from '../calls/filters.ts';
import {
  atMost,
  integerBetween,
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
    atMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'account',
      address: readAddress(params[0], 'pubkey'),
      commitment: commitmentOf(fields),
      format: accountFormatOf(fields, 'binary'),
    };
  },
  program: (params) => {
    atMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'program',
      program: readAddress(params[0], 'programId'),
      commitment: commitmentOf(fields),
      format: accountFormatOf(fields, 'binary'),
      filters: field(fields, 'filters', readFilters) ?? [],
    };
  },
  logs: (params) => {
    atMost(params, 2);
    const commitment = commitmentOf(readFields(params[1]));
    return { kind: 'logs', commitment, ...readLogsFilter(params[0]) };
  },
  signature: (params) => {
    atMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'signature',
      signature: readSignature(params[0], 'signature'),
      commitment: commitmentOf(fields),
      received: flag(fields, 'enableReceivedNotification'),
    };
  },
  block: (params) => {
    atMost(params, 2);
    const fields = readFields(params[1]);
    return {
      kind: 'block',
      commitment: ledgerCommitmentOf(fields),
      mentions: readBlockFilter(params[0]),
      format: {
        encoding: field(fields, 'encoding', readTransactionEncoding) ?? 'base64',
        maxVersion: newestOf(field(fields, 'maxSupportedTransactionVersion', integerBetween(0, 255)) ?? null),
        details: field(fields, 'transactionDetails', readTransactionDetails) ?? 'full',
        rewards: field(fields, 'showRewards', readBoolean) ?? true,
      },
    };
  },
  slot: (params) => {
    atMost(params, 0);
    return { kind: 'slot' };
  },
  root: (params) => {
    atMost(params, 0);
    return { kind: 'root' };
  },
};

/** The newest version of transactions. Clients that support later ones are sent the same text. */
const NEWEST_VERSION = 0;

function newestOf(maxVersion: number | null): number | null {
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
