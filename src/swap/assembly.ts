import type { RoutePlanStep } from '../market/aggregator/route-plan.ts';
import { routeV2 } from '../market/aggregator/route-v2.ts';
import type { Route } from '../market/router/index.ts';
import type { Address } from '../solana/address.ts';
import type { Instruction } from '../solana/instruction.ts';
import { transferLamports } from '../solana/system.ts';
import type { Bps } from '../solana/units.ts';
import type { BuildParts } from './build-parts.ts';
import { SwapRefused } from './errors.ts';
import type { PlatformFee } from './platform-fee.ts';
import type { SwapTerms } from './swap-terms.ts';
import { type Creation, passage, TOKEN_ACCOUNT_RENT, tokenFlow } from './token-flow.ts';

/** A route as the instructions of one transaction. */
export interface Assembly {
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  readonly cleanup: Instruction | null;
  readonly tip: Instruction | null;
  readonly source: Address;
  readonly destination: Address;
  /** Token accounts that are created where they do not exist yet. */
  readonly creations: readonly Creation[];
  /** By the account that the payer lends rent for: how the taker, who gets it, gives it back. */
  readonly rentReturns: ReadonlyMap<Address, Instruction>;
  /** The whole contents of each lookup table that makes the transaction smaller; null when none does. */
  readonly tables: Record<Address, Address[]> | null;
  /** What the user receives, platform fee taken off. */
  readonly quotedOut: bigint;
  /** The least that the program accepts: rounded up, so that never an atom more than the slippage is lost. */
  readonly threshold: bigint;
  readonly slippageBps: Bps;
}

/** What is swapped along, and on which conditions. */
export interface RouteChoice {
  readonly route: Route;
  readonly fee: PlatformFee | null;
  readonly slippageBps: Bps;
}

/** The token program of a mint that some pool trades. */
type ProgramOf = (mint: Address) => Address;

export function assemble(
  parts: BuildParts,
  request: SwapTerms,
  { route, fee, slippageBps }: RouteChoice,
): Assembly {
  const programOf = tokenPrograms(parts);
  const inputProgram = programOf(request.inputMint);
  const outputProgram = programOf(request.outputMint);
  const flow = tokenFlow(request, inputProgram, outputProgram);
  const between = [...new Set(route.legs.map(({ inputMint }) => inputMint))]
    .filter((mint) => mint !== request.inputMint)
    .map((mint) => ({ mint, ...passage(request.taker, request.payer, mint, programOf(mint)) }));
  const accounts = new Map(between.map(({ mint, account }) => [mint, account]));
  accounts.set(request.inputMint, flow.source).set(request.outputMint, flow.destination);
  const quotedOut =
    fee?.side === 'output' ? route.outAmount - fee.amountOf(route.outAmount) : route.outAmount;
  const swap = routeV2(
    {
      inAmount: request.amount,
      quotedOutAmount: quotedOut,
      slippageBps,
      ...(fee === null ? {} : { platformFee: { bps: fee.bps, account: fee.account } }),
      steps: steps(route, request.taker, accounts),
    },
    {
      userTransferAuthority: request.taker,
      userSourceTokenAccount: flow.source,
      userDestinationTokenAccount: flow.destination,
      sourceMint: request.inputMint,
      destinationMint: request.outputMint,
      sourceTokenProgram: inputProgram,
      destinationTokenProgram: outputProgram,
    },
  );
  return {
    setup: [...flow.setup, ...between.map(({ create }) => create)],
    swap,
    source: flow.source,
    destination: flow.destination,
    creations: [...flow.creations, ...between.map(({ creation }) => creation)],
    rentReturns: rentReturns(request, flow.creations),
    cleanup: flow.cleanup,
    tip:
      request.tipAmount === 0n
        ? null
        : transferLamports(request.payer, parts.pickTipAccount(), request.tipAmount),
    tables: parts.lookupTables.covering(swap),
    quotedOut,
    threshold: (quotedOut * BigInt(10_000 - slippageBps) + 9_999n) / 10_000n,
    slippageBps,
  };
}

function rentReturns(
  { taker, payer, returnsRent }: SwapTerms,
  creations: readonly Creation[],
): Assembly['rentReturns'] {
  if (!returnsRent || payer === taker) return new Map();
  const lent = creations.filter(({ rentGoesTo }) => rentGoesTo === taker);
  return new Map(lent.map(({ account }) => [account, transferLamports(taker, payer, TOKEN_ACCOUNT_RENT)]));
}

/** `accounts` are the user's token accounts by mint. */
function steps(route: Route, authority: Address, accounts: ReadonlyMap<Address, Address>): RoutePlanStep[] {
  return route.legs.map(({ market, inputMint, outputMint, bps, inputIndex, outputIndex }) => ({
    step: market.venue.routeStep(market.pool, inputMint, {
      authority,
      source: accounts.get(inputMint) as Address,
      destination: accounts.get(outputMint) as Address,
    }),
    bps,
    inputIndex,
    outputIndex,
  }));
}

function tokenPrograms({ pools }: BuildParts): ProgramOf {
  return (mint) => {
    const account = pools.account(mint);
    if (account === null) throw new SwapRefused(`the mint ${mint} does not exist`);
    return account.owner;
  };
}
