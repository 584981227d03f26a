import type { Protocol } from '../../protocol/protocol.ts';
import { walletNative } from './native.ts';
import { walletNfts } from './nfts.ts';
import { WALLET_PLATFORMS } from './platform.ts';
import { walletTokens } from './tokens.ts';

/** What the wallet itself holds. */
export const walletProtocol: Protocol = {
  name: 'wallet',
  platforms: WALLET_PLATFORMS,
  fetchers: [walletTokens, walletNative, walletNfts],
};
