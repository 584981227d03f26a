/** The platform of assets that the wallet holds directly. */
export const WALLET_TOKENS = 'wallet-tokens';
export const WALLET_NFTS = 'wallet-nfts';
