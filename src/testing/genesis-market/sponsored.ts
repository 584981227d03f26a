import type { Address } from '../../solana/address.ts';
import type { Keypair } from '../../solana/keypair.ts';
import { deriveAssociatedTokenAddress } from '../../solana/pda.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { ordinaryTokenAccount } from '../token-account.ts';
import { TOKEN_ACCOUNT_RENT } from '../../transactions/build/closings.ts';
import {
  findLimitRefusal,
  type SponsorBudget,
  type SponsorLimits,
} from '../../transactions/sponsor/budget.ts';
import { openTestSwap, type TestSwap } from './swap.ts';

export const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;
export const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
export const LIMITS: SponsorLimits = { perTaker: 100_000_000n, inAll: 1_000_000_000n };

/** A swap product whose sponsor pays for a taker with 1,000 USDC and no SOL. */
export interface SponsoredSwap {
  readonly swap: TestSwap;
  readonly budget: SponsorBudget;
  readonly taker: Keypair;
  /** Address of the sponsor. */
  readonly sponsor: Address;
  /** Replaces the token account of a wallet by one that holds `amount` atoms. */
  hold(owner: Address, mint: Address, amount: bigint): void;
  lamports(wallet: Address): bigint;
  /** The query of an order for USDC of the taker; by default, for a quarter of what it has. */
  wanted(
    outputMint: Address,
    amount?: string,
  ): Record<'inputMint' | 'outputMint' | 'amount' | 'taker', string>;
}

/** How the sponsor is set up. */
export interface SponsorOptions {
  readonly limits?: SponsorLimits;
  readonly leastDollars?: number;
  readonly feeMints?: readonly Address[];
}

export async function openSponsoredSwap({
  limits = LIMITS,
  leastDollars = 10,
  feeMints = [WRAPPED_SOL_MINT, USDC, USDT],
}: SponsorOptions = {}): Promise<SponsoredSwap> {
  const budget = createOneTakerBudget(limits);
  const swap = await openTestSwap({
    sponsor: ({ genesis }) => ({
      keypair: genesis.keys.sponsor,
      budget,
      leastDollars,
      feeMints: new Set(feeMints),
    }),
  });
  const taker = swap.newWallet(0n);
  const { network, genesis } = swap.market;
  const hold = (owner: Address, mint: Address, amount: bigint) => {
    const data = ordinaryTokenAccount({ mint, owner, amount });
    network.setAccount(deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM), {
      lamports: TOKEN_ACCOUNT_RENT,
      owner: TOKEN_PROGRAM,
      data,
      executable: false,
      rentEpoch: 0n,
    });
  };
  hold(taker.address, USDC, 1_000_000_000n);
  return {
    swap,
    budget,
    taker,
    sponsor: genesis.keys.sponsor.address,
    hold,
    lamports: (wallet) => network.account(wallet)?.lamports ?? 0n,
    wanted: (outputMint, amount = '250000000') => ({
      inputMint: USDC,
      outputMint,
      amount,
      taker: taker.address,
    }),
  };
}

/** A budget in memory. */
function createOneTakerBudget(limits: SponsorLimits): SponsorBudget {
  let spent = 0n;
  const refusal: SponsorBudget['refusal'] = async (wallet, amount) =>
    findLimitRefusal({ byTaker: spent, inAll: spent }, limits, wallet, amount);
  return {
    refusal,
    spend: async (wallet, amount) => {
      const refused = await refusal(wallet, amount);
      if (refused === null) spent += amount;
      return refused;
    },
    giveBack: (_, amount) => {
      spent -= amount;
    },
  };
}
