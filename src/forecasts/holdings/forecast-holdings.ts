import type { Address } from '../../solana/address.ts';
import type { ForecastHolding, ForecastHoldings } from '../forecast.ts';
import type { CostBook } from './cost-book.ts';
import type { HeldOutcome, OutcomeTokens } from './outcome-tokens.ts';

export interface ForecastHoldingsOptions {
  readonly tokens: Pick<OutcomeTokens, 'find' | 'listOfOwner' | 'listOfMint'>;
  readonly costs: Pick<CostBook, 'find' | 'refresh'>;
  /** Records everything that was confirmed before the call. */
  readonly upToNow: () => Promise<void>;
}

/** Creates what answers who holds outcome tokens, and what these have cost. */
export function createForecastHoldings({
  tokens,
  costs,
  upToNow,
}: ForecastHoldingsOptions): ForecastHoldings {
  const toHolding = ({ address, owner, mint, amount, seenAt }: HeldOutcome): ForecastHolding => {
    const cost = costs.find(owner, mint);
    if (cost === null) {
      return {
        account: address,
        owner,
        mint,
        contracts: amount,
        totalCost: 0n,
        realizedPnl: 0n,
        openedAt: seenAt,
        updatedAt: seenAt,
      };
    }
    let owned = 0n;
    for (const each of tokens.listOfOwner(owner)) if (each.mint === mint) owned += each.amount;
    // A wallet can have sent some of the tokens away, or hold them in several accounts, with others that it was sent.
    const among = cost.contracts > owned ? cost.contracts : owned;
    return {
      account: address,
      owner,
      mint,
      contracts: amount,
      totalCost: among === 0n ? 0n : (cost.cost * amount) / among,
      realizedPnl: cost.account === address ? cost.realizedPnl : 0n,
      openedAt: cost.openedAt,
      updatedAt: cost.updatedAt,
    };
  };
  return {
    find: (account: Address) => {
      const held = tokens.find(account);
      return held === null ? null : toHolding(held);
    },
    holdingsOf: (owner: Address) => tokens.listOfOwner(owner).map(toHolding),
    holdersOf: (mint: Address) => tokens.listOfMint(mint).map(toHolding),
    catchUp: async () => {
      // Whoever follows the program in the background reports what fails.
      await upToNow()
        .then(() => costs.refresh())
        .catch(() => undefined);
    },
  };
}
