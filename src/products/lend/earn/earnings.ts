import { toAtoms } from '../../../protocols/jupiter-lend/lending-base/amounts.ts';
import type { Address } from '../../../solana/address.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import type { EarnServices } from './earn.ts';
import type { EarnMarket } from '../../../lend/earn/markets/earn-markets.ts';
import { computeEarnToken } from '../../../lend/earn/markets/earn-token.ts';
import { decodeBalance } from '../../../lend/earn/positions.ts';

/** What a wallet earned with an earn token, in atoms of the token. */
export interface Earnings {
  readonly mint: Address;
  readonly owner: Address;
  /** The current worth of the shares, minus the assets at the start and later deposits, plus withdrawals. */
  readonly earnings: bigint;
  readonly deposited: bigint;
  readonly withdrawn: bigint;
  readonly shares: bigint;
  readonly assets: bigint;
  /** The wallet's assets when its history began, in atoms of the token. Earlier earnings are unknown. */
  readonly assetsAtStart: bigint;
  /** Unix seconds; null if there is no history because the wallet never had receipt tokens. */
  readonly startedAt: number | null;
  /** The slot of the balance. */
  readonly slot: bigint;
}

/**
 * Computes what a wallet earned with earn tokens. Receipt tokens that were received or sent without a deposit or a
 * withdrawal, for example by a transfer, count as if they had been held, or missing, since the history began. Only the
 * growth of their price counts as earnings.
 *
 * @throws Unavailable when the network does not answer, or a wallet has too many new movements for one request
 */
export function findEarnings(
  services: EarnServices,
  owner: Address,
  markets: ReadonlySet<EarnMarket>,
): Promise<Earnings[]> {
  return Promise.all([...markets].map((market) => computeEarnings(services, owner, market)));
}

async function computeEarnings(
  services: EarnServices,
  owner: Address,
  market: EarnMarket,
): Promise<Earnings> {
  const { chain, history, movements } = services;
  const { mint, fTokenMint } = market.lending;
  const account = deriveAssociatedTokenAddress(owner, fTokenMint, market.tokenProgram);
  const view = chain.openView('confirmed');
  const [update] = await view.getAccounts([account]);
  const slot = update?.slot ?? view.slots().newest;
  const shares = decodeBalance(update);
  const { tokenPrice } = computeEarnToken(market, chain.clock().unixTimestamp);
  const known = await history.upToNow(market, account, update?.account != null);
  const moved = await movements.totals(owner, fTokenMint, {
    after: known?.startSlot ?? slot,
    upTo: slot,
    // A history is recorded in the order of its slots.
    settledBefore: known?.cursorSlot ?? slot,
  });
  const sharesAtStart = shares - moved.minted + moved.burned;
  const assetsAtStart = known === null ? 0n : toAtoms(sharesAtStart, known.startPrice);
  const assets = toAtoms(shares, tokenPrice);
  return {
    mint,
    owner,
    earnings: known === null ? 0n : assets - assetsAtStart - moved.deposited + moved.withdrawn,
    deposited: moved.deposited,
    withdrawn: moved.withdrawn,
    shares,
    assets,
    assetsAtStart,
    startedAt: known?.startedAt ?? null,
    slot,
  };
}
