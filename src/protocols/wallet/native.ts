import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { PositionFetcher } from '../../protocol/positions/fetcher.ts';
import { WALLET_TOKENS } from './platform.ts';

/** Finds the lamports of the wallet itself, which are shown under the mint of wrapped SOL. */
export const walletNative: PositionFetcher = {
  id: `${WALLET_TOKENS}-solana-native`,
  platformId: WALLET_TOKENS,
  fetch: async (wallet) => {
    const [account] = await wallet.accounts([wallet.owner]);
    const amount = account?.lamports ?? 0n;
    const asset = { type: 'token', mint: WRAPPED_SOL_MINT, amount, ref: wallet.owner } as const;
    return { elements: amount === 0n ? [] : [{ type: 'multiple', label: 'Wallet', assets: [asset] }] };
  },
};
