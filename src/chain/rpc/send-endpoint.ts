import type { Timers } from '../../common/ports/timers.ts';
import type { Chain } from '../chain.ts';
import type { NodeReading } from '../node-reading.ts';
import { CallPace } from './client/call-pace.ts';
import { POLL, RpcClient } from './client/rpc-client.ts';
import { readStatuses } from './submission/read-transaction.ts';
import { sendTransaction } from './submission/submit.ts';

/** A further node that takes transactions. It is never asked what is true of the network. */
export interface SendEndpoint {
  /** For metrics and reports; it tells nothing of the URL, which may hold a key. */
  readonly name: string;
  readonly chain: Pick<Chain, 'send' | 'signatureStatuses'>;
  /** Returns how the calls to it went; it is not called for that. */
  readonly read: () => NodeReading;
  readonly close: () => void;
}

export interface SendEndpointOptions {
  readonly url: URL;
  /** The most calls that are made in a second: see `CallPace`. */
  readonly callsPerSecond: number;
  readonly timers: Timers;
  /** Returns a number from 0 to 1. */
  readonly random: () => number;
}

/** @param name - A short name. */
export function openSendEndpoint(
  name: string,
  { callsPerSecond, ...options }: SendEndpointOptions,
): SendEndpoint {
  const { timers } = options;
  const pace = new CallPace({ callsPerSecond, reportsPerSecond: 0, timers });
  const client = new RpcClient({ ...options, pace });
  return {
    name,
    chain: {
      send: (wire, options) => sendTransaction(client, wire, options?.skipPreflight ?? false),
      signatureStatuses: (signatures) => {
        const read = (result: unknown) => readStatuses(result, signatures.length);
        const params = [signatures, { searchTransactionHistory: false }];
        return client.call('getSignatureStatuses', params, read, POLL);
      },
    },
    read: () => ({ ...client.reading, webSocket: null }),
    close: () => client.close(),
  };
}
