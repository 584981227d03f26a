import type { Address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { type Bps, bps } from '../../solana/units.ts';
import { type BestFit, findBestFit } from '../../swaps/build/best-fit.ts';
import { estimateSlippage } from '../../swaps/build/slippage.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import {
  createSwapTerms,
  type SwapDestination,
  type SwapTerms,
  type VenueChoice,
} from '../../swaps/build/swap-terms.ts';
import type { PlatformFee } from '../../swaps/fees/platform-fee.ts';
import type { OrderSale } from '../order-sale.ts';

/** What a fill sells, and how. */
export interface SoldInput {
  /** Atoms of the input. */
  readonly amount: bigint;
  /** Who gets the rent of the order's account, which is closed; null leaves it open. */
  readonly rentGoesTo: Address | null;
  /** Whether the account becomes theirs instead. */
  readonly isHandedOver: boolean;
  /** Lamports of an account of wrapped SOL that are sold and are no tokens yet. */
  readonly unsynced: bigint;
  /** Null without a fee. */
  readonly fee: PlatformFee | null;
  /** Pools that simulation has shown to refuse the swap. */
  readonly avoid: ReadonlySet<Address>;
  /** Undefined allows every venue. */
  readonly venues: VenueChoice | undefined;
}

/**
 * Returns the terms of a swap out of an order's account, which the gas wallet pays for. The output goes straight to the order's
 * wallet, or into the account of the vault that the sale names.
 */
export function createFillTerms(
  sale: OrderSale,
  gasWallet: Address,
  { amount, rentGoesTo, isHandedOver, unsynced, fee, avoid, venues }: SoldInput,
): SwapTerms {
  const { inputMint, outputMint, vault, account } = sale;
  return createSwapTerms({
    inputMint,
    outputMint,
    amount,
    taker: vault,
    payer: gasWallet,
    source: { account, rentGoesTo, isHandedOver, unsynced },
    destination: findDestination(sale),
    platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
    avoid,
    venues,
    // The gas wallet pays the rent of the wallet's account, and gets that of the order's account.
    chargesRent: true,
  });
}

function findDestination({ outputMint, wallet, outputAccount }: OrderSale): SwapDestination {
  if (outputAccount !== null) return { kind: 'own-account', address: outputAccount };
  return { kind: outputMint === WRAPPED_SOL_MINT ? 'unwrapped' : 'wallet', address: wallet };
}

/**
 * Finds the route that pays most. Its slippage is that of the order, or is estimated, and never leads below the floor.
 * @param slippage - Null estimates it.
 * @throws SwapRefused when no route fits a transaction
 */
export function quoteFill(
  market: SwapMarket,
  terms: SwapTerms,
  {
    fee,
    slippage,
    floor,
  }: { readonly fee: PlatformFee | null; readonly slippage: Bps | null; readonly floor: bigint },
): BestFit {
  return findBestFit(market, terms, fee, (route) => {
    const quoted = fee?.side === 'output' ? route.outAmount - fee.amountOf(route.outAmount) : route.outAmount;
    return capSlippage(slippage ?? estimateSlippage(market, route), quoted, floor);
  });
}

/** Returns the slippage, but no more than leads from the quote to the floor. It is rounded down, so the floor is kept. */
export function capSlippage(slippage: Bps, quoted: bigint, floor: bigint): Bps {
  const room = quoted > floor ? Number(((quoted - floor) * 10_000n) / quoted) : 0;
  return bps(Math.min(slippage, room));
}
