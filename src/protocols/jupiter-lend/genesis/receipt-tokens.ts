import { getGenesisToken, type TokenInfo } from '../../../solana/known-tokens.ts';
import { deriveReceiptMintAddress } from '../lending/addresses.ts';
import { getReceiptName, getReceiptSymbol } from './genesis.ts';
import { PLANNED_EARN_TOKENS } from './plan.ts';

/**
 * The data of the receipt tokens in token lists, in the order of the earn tokens. The lending program creates their
 * mints. Each has the icon of its underlying token.
 */
export const RECEIPT_TOKENS: readonly TokenInfo[] = PLANNED_EARN_TOKENS.map(({ symbol }) => {
  const token = getGenesisToken(symbol);
  return {
    mint: deriveReceiptMintAddress(token.mint),
    symbol: getReceiptSymbol(token),
    name: getReceiptName(token),
    decimals: token.decimals,
    program: token.program,
    logoURI: token.logoURI,
    tags: ['verified'],
    freezable: false,
  };
});
