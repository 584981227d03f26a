import type { Protocol } from '../../protocol/protocol.ts';
import { address } from '../../solana/address.ts';

/** Creates accounts with exactly the rent that they need. */
const SYSTEM_EXTRAS_PROGRAM = address('SysExL2WDyJi9aRZrXorrjHJut3JwHQ7R9bTyctbNNG');

/** Creates associated token accounts where they are missing. */
const TOKEN_EXTRAS_PROGRAM = address('TokExjvjJmhKaRBShsBAsbSvEWMA1AgUNK7ps4SAc2p');

/** The helper programs that umi calls when it makes mints and token accounts. */
export const mplToolboxProtocol: Protocol = {
  name: 'mpl-toolbox',
  programs: [
    { name: 'system-extras', address: SYSTEM_EXTRAS_PROGRAM, loadsAfterAggregator: true },
    { name: 'token-extras', address: TOKEN_EXTRAS_PROGRAM, loadsAfterAggregator: true },
  ],
};
