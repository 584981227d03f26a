import { genesisToken, type TokenInfo } from '../../genesis/tokens.ts';
import { receiptMintAddress } from '../earn/addresses.ts';
import { receiptName, receiptSymbol } from './genesis.ts';
import { PLANNED_EARN_TOKENS } from './plan.ts';

/**
 * The receipt tokens of the genesis as token lists show them, in the order of the earn tokens. The lending program makes
 * their mints, and they show the picture of what they stand for.
 */
export const RECEIPT_TOKENS: readonly TokenInfo[] = PLANNED_EARN_TOKENS.map(({ symbol }) => {
  const token = genesisToken(symbol);
  return {
    mint: receiptMintAddress(token.mint),
    symbol: receiptSymbol(token),
    name: receiptName(token),
    decimals: token.decimals,
    program: token.program,
    logoURI: token.logoURI,
    tags: ['verified'],
    freezable: false,
  };
});
