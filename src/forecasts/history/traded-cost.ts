/** What a wallet has bought of one side and still holds of it by its trades, and what it has gained. */
export interface TradedCost {
  /** Millionths of a token. */
  readonly contracts: bigint;
  /** Micro USD. */
  readonly cost: bigint;
  readonly realizedPnl: bigint;
}

/** Tokens that leave a wallet for money, by a sale or a payout. */
export interface SoldTokens {
  readonly contracts: bigint;
  /** What they bring in all, in micro USD. */
  readonly proceeds: bigint;
}

/** What a sale or a payout realizes. */
export interface RealizedTokens {
  /** What has cost the tokens that were sold. */
  readonly cost: bigint;
  /** What was gained on those of them that the wallet had bought. */
  readonly pnl: bigint;
  readonly left: TradedCost;
}

/** Nothing bought yet. */
export const NOTHING_TRADED: TradedCost = { contracts: 0n, cost: 0n, realizedPnl: 0n };

/** Adds a purchase of tokens for micro USD. */
export function addPurchase(
  { contracts, cost, realizedPnl }: TradedCost,
  bought: { readonly contracts: bigint; readonly cost: bigint },
): TradedCost {
  return { contracts: contracts + bought.contracts, cost: cost + bought.cost, realizedPnl };
}

/**
 * Takes away tokens that were sold, at their average cost. The cost of a part is rounded down, so that the rest is in what
 * remains, and all parts together cost what was paid.
 *
 * A wallet can sell tokens that it was sent. They have cost it nothing that is known, so they bring neither profit nor loss:
 * only the share of the proceeds that the bought tokens have among those sold, rounded down, is compared with their cost.
 */
export function takeSold(before: TradedCost, { contracts, proceeds }: SoldTokens): RealizedTokens {
  const bought = contracts < before.contracts ? contracts : before.contracts;
  if (bought === 0n) return { cost: 0n, pnl: 0n, left: before };
  const cost = bought === before.contracts ? before.cost : (before.cost * bought) / before.contracts;
  const share = bought === contracts ? proceeds : (proceeds * bought) / contracts;
  const pnl = share - cost;
  const left = {
    contracts: before.contracts - bought,
    cost: before.cost - cost,
    realizedPnl: before.realizedPnl + pnl,
  };
  return { cost, pnl, left };
}
