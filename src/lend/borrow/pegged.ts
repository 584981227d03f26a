import { findTokenByMint } from '../../solana/known-tokens.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import type { Vault } from './borrow-accounts.ts';

/** Whether both tokens of a vault follow one price: staked SOL and SOL, or two stablecoins. */
export function isPegged({ config }: Vault): boolean {
  const [supply, borrow] = [config.supplyToken, config.borrowToken];
  const isSol = (mint: typeof supply) => mint === WRAPPED_SOL_MINT || hasTag(mint, 'lst');
  return (isSol(supply) && isSol(borrow)) || (hasTag(supply, 'stablecoin') && hasTag(borrow, 'stablecoin'));
}

function hasTag(mint: Vault['config']['supplyToken'], tag: 'lst' | 'stablecoin'): boolean {
  return findTokenByMint(mint)?.tags.includes(tag) === true;
}
