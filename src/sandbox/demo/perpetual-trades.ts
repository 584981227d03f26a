import { getNanoUsd } from '../../protocol/genesis/prices.ts';
import type { CUSTODIES } from '../../protocols/jupiter-perpetuals/layout.ts';
import type { Address } from '../../solana/address.ts';
import { getGenesisToken } from '../../solana/known-tokens.ts';

export type CustodyName = keyof typeof CUSTODIES;

/** A position in the pool. Dollars have six decimals. */
export interface PerpetualTrade {
  readonly owner: Address;
  readonly token: CustodyName;
  /** The same token for a long position, and a stablecoin for a short one. */
  readonly collateral: CustodyName;
  readonly side: 'long' | 'short';
  readonly price: bigint;
  readonly sizeUsd: bigint;
  readonly collateralUsd: bigint;
  /** Atoms of the collateral's custody that are locked for the profit. */
  readonly lockedAmount: bigint;
  /** The price at which an order closes the position. Default: there is none. */
  readonly takeProfit?: bigint;
}

const DOLLAR = 1_000_000n;

/**
 * What custodies own in atoms, half of which is locked, and their shares of the pool. Together they are worth about what JLP is
 * worth at the price of the genesis.
 */
export const CUSTODY_PLANS: Readonly<
  Record<CustodyName, { readonly owned: bigint; readonly targetRatioBps: bigint }>
> = {
  SOL: { owned: 13_000n * 10n ** 9n, targetRatioBps: 4_700n },
  ETH: { owned: 120n * 10n ** 8n, targetRatioBps: 800n },
  BTC: { owned: 7n * 10n ** 8n, targetRatioBps: 1_300n },
  USDC: { owned: 1_000_000n * 10n ** 6n, targetRatioBps: 2_600n },
  USDT: { owned: 500_000n * 10n ** 6n, targetRatioBps: 600n },
};

/** The owner's positions: a long one of 5,000 dollars in SOL, and a short one of 3,000 dollars in BTC. */
function listOwnTrades(owner: Address): PerpetualTrade[] {
  const long = { price: 180n * DOLLAR, sizeUsd: 5_000n * DOLLAR };
  return [
    {
      ...long,
      owner,
      token: 'SOL',
      collateral: 'SOL',
      side: 'long',
      collateralUsd: 1_000n * DOLLAR,
      lockedAmount: (long.sizeUsd * 10n ** 9n) / long.price,
      takeProfit: 250n * DOLLAR,
    },
    {
      owner,
      token: 'BTC',
      collateral: 'USDC',
      side: 'short',
      price: 110_000n * DOLLAR,
      sizeUsd: 3_000n * DOLLAR,
      collateralUsd: 1_500n * DOLLAR,
      lockedAmount: 3_000n * DOLLAR,
    },
  ];
}

/**
 * Lists all positions in the pool: those of the owner, and for each custody one of another trader. Together they lock half of
 * what the custody owns. The other trader's positions were opened at the prices of the genesis, with a fifth of their size as
 * collateral.
 */
export function listTrades(owner: Address, other: Address): readonly PerpetualTrade[] {
  const own = listOwnTrades(owner);
  const rest = (name: CustodyName) =>
    own
      .filter(({ collateral }) => collateral === name)
      .reduce((left, { lockedAmount }) => left - lockedAmount, CUSTODY_PLANS[name].owned / 2n);
  const open = (token: CustodyName, symbol: string, collateral: CustodyName): PerpetualTrade => {
    const price = getNanoUsd(symbol) / 1_000n;
    const isLong = token === collateral;
    const lockedAmount = rest(collateral);
    const one = 10n ** BigInt(getGenesisToken(symbol).decimals);
    const sizeUsd = isLong ? (lockedAmount * price) / one : lockedAmount;
    const side = isLong ? 'long' : 'short';
    return {
      owner: other,
      token,
      collateral,
      side,
      price,
      sizeUsd,
      collateralUsd: sizeUsd / 5n,
      lockedAmount,
    };
  };
  return [
    ...own,
    open('SOL', 'SOL', 'SOL'),
    open('ETH', 'WETH', 'ETH'),
    open('BTC', 'WBTC', 'BTC'),
    open('SOL', 'SOL', 'USDC'),
    open('ETH', 'WETH', 'USDT'),
  ];
}
