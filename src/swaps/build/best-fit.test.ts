import { describe, expect, it } from 'vitest';
import { raydiumCpmm } from '../../protocols/raydium-cpmm/venue.ts';
import type { Venue } from '../../protocol/venue/venue.ts';
import { type Address, address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { bps } from '../../solana/units.ts';
import { openTestMarket } from '../../testing/genesis-market/open.ts';
import { findBestFit } from './best-fit.ts';
import { createSwapTerms } from './swap-terms.ts';

const market = await openTestMarket('without programs');

describe('findBestFit', () => {
  it('leaves out pools that are traded once in a transaction in the direction of a swap of the vault of a multisig', () => {
    expect(listVenues('wallet')).toContain(raydiumCpmm.label);
    expect(listVenues('vault')).toContain(raydiumCpmm.label);
    limit(USDC);
    expect(listVenues('vault')).toContain(raydiumCpmm.label);
    limit(WRAPPED_SOL_MINT);
    expect(listVenues('wallet')).toContain(raydiumCpmm.label);
    expect(listVenues('vault')).not.toContain(raydiumCpmm.label);
  });
});

const USDC = address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v');

/** Lets the venue limit swaps of the mint. */
function limit(mint: Address): void {
  for (const { venue } of market.pools.all()) {
    if (venue.label !== raydiumCpmm.label) continue;
    const isOncePerTransaction: Venue['isOncePerTransaction'] = (_pool, inputMint) => inputMint === mint;
    Object.assign(venue, { isOncePerTransaction });
  }
}

/** The venues that take SOL in the best route for a large amount, which is split. */
function listVenues(taker: 'wallet' | 'vault'): readonly string[] {
  const { wallet } = market;
  const vault = { settings: wallet, vaultIndex: 0, vault: wallet, signers: [wallet] };
  const terms = createSwapTerms({
    inputMint: WRAPPED_SOL_MINT,
    outputMint: USDC,
    amount: 20_000_000_000_000n,
    taker: wallet,
    ...(taker === 'vault' ? { vault } : {}),
  });
  const { route } = findBestFit(market, terms, null, () => bps(50));
  const first = route.legs.filter(({ inputMint }) => inputMint === WRAPPED_SOL_MINT);
  return first.map(({ handle }) => handle.venue.label);
}
