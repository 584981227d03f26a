import type { Chain } from '../../chain/chain.ts';

/** Something that forwards transactions to the network, such as the RPC. */
export interface Sender {
  /** The name in reports and metrics. It is never a URL, because a URL may contain a key. */
  readonly name: string;
  readonly chain: Pick<Chain, 'send' | 'signatureStatuses'>;
}
