import { defineAccountLayout, type DecodedLayout } from '../lending-base/account-layout.ts';

/** The lending of one token, whose depositors receive receipt tokens. Source: the public IDL `lending`. */
export const LENDING = defineAccountLayout('lending', '87c75210f983b6f1', {
  mint: 'address',
  /** The mint of the receipt tokens. */
  fTokenMint: 'address',
  lendingId: 'u16',
  decimals: 'u8',
  rewardsRateModel: 'address',
  /** The liquidity program's supply price, as of the last update; 12 decimals. */
  liquidityExchangePrice: 'u64',
  /** Atoms of the token per atom of the receipt token, as of the last update; 12 decimals. */
  tokenExchangePrice: 'u64',
  /** Unix seconds. */
  lastUpdateTimestamp: 'u64',
  tokenReservesLiquidity: 'address',
  supplyPositionOnLiquidity: 'address',
  bump: 'u8',
});
export type Lending = DecodedLayout<typeof LENDING>;
