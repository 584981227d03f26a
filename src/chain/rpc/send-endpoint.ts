import type { Timers } from '../../common/ports/timers.ts';
import type { Chain } from '../chain.ts';
import { POLL, RpcClient } from './client/rpc-client.ts';
import { readStatuses } from './submission/read-transaction.ts';
import { sendTransaction } from './submission/submit.ts';

/** A further node that takes transactions. It is never asked what is true of the network. */
export interface SendEndpoint {
  /** For metrics and reports; it tells nothing of the URL, which may hold a key. */
  readonly name: string;
  readonly chain: Pick<Chain, 'send' | 'signatureStatuses'>;
  readonly close: () => void;
}

/** @param name - A short name. */
export function openSendEndpoint(name: string, url: URL, timers: Timers, random: () => number): SendEndpoint {
  const client = new RpcClient({ url, timers, random });
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
    close: () => client.close(),
  };
}
