import type { RoutePlanStep } from '../../../market/aggregator/route-plan.ts';
import { routeV2 } from '../../../market/aggregator/route-v2.ts';
import type { Route } from '../../../market/router/index.ts';
import type { Address } from '../../../solana/address.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { transferLamports } from '../../../solana/programs/system.ts';
import type { Bps } from '../../../solana/units.ts';
import type { BuildParts } from './build-parts.ts';
import { SwapRefused } from '../errors.ts';
import type { PlatformFee } from '../fees.ts';
import type { SwapTerms } from './swap-terms.ts';
import { type Creation, intermediateTokenAccount, TOKEN_ACCOUNT_RENT, tokenFlow } from './token-flow.ts';

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
  /** What the program measures the slippage against; what the route pays, less the fee, when absent. */
  readonly quotedOut?: bigint;
  /** The aggregator's instruction; `route_v2` when absent. */
  readonly form?: SwapForm;
  /** A transaction without lookup tables. */
  readonly legacy?: boolean;
}

/** One of the aggregator's instructions that carry out a route for an exact input. */
export interface SwapForm {
  /** Owns the accounts that the steps use, and signs them; null: the taker does. */
  readonly programAuthority: Address | null;
  /** Basis points that its shares are multiples of. */
  readonly shareUnit: 1 | 100;
  instruction(use: FormUse): Instruction;
}

export interface FormUse {
  readonly terms: SwapTerms;
  readonly quotedOut: bigint;
  readonly slippageBps: Bps;
  readonly fee: PlatformFee | null;
  readonly steps: readonly RoutePlanStep[];
  /** The user's accounts of the two ends. */
  readonly source: Address;
  readonly destination: Address;
  /** Where the program hands on to what the destination receives, less the fee; undefined when it stays there. */
  readonly handedOnTo: Address | undefined;
  /** What the first steps take from and the last deliver into: other accounts only with a program authority. */
  readonly stepSource: Address;
  readonly stepDestination: Address;
  readonly sourceTokenProgram: Address;
  readonly destinationTokenProgram: Address;
}

export const ROUTE_V2: SwapForm = { programAuthority: null, shareUnit: 1, instruction: routeV2Form };

/** The token program of a mint that some pool trades. */
type ProgramOf = (mint: Address) => Address;

/** @throws SwapRefused when a mint is gone, or the fee takes all of the output or cannot be taken of it */
export function assemble(parts: BuildParts, request: SwapTerms, choice: RouteChoice): Assembly {
  const { route, fee, slippageBps, form = ROUTE_V2 } = choice;
  const programOf = tokenPrograms(parts);
  const flow = tokenFlow(
    request,
    programOf(request.inputMint),
    programOf(request.outputMint),
    // Accounts of a program authority have the fee taken off before the output is handed on in any case.
    fee?.side === 'output' && form.programAuthority === null,
  );
  const stepOwner = form.programAuthority ?? request.taker;
  const accounts = new Map([
    [request.inputMint, flow.source],
    [request.outputMint, flow.destination],
  ]);
  const setup = [...flow.setup];
  const creations = [...flow.creations];
  for (const mint of ownMints(route, request, form)) {
    const { account, create, creation } = intermediateTokenAccount(
      stepOwner,
      request.payer,
      mint,
      programOf(mint),
    );
    accounts.set(mint, account);
    setup.push(create);
    creations.push(creation);
  }
  const quotedOut = choice.quotedOut ?? afterFee(route.outAmount, fee);
  if (quotedOut === 0n) throw new SwapRefused('platformFeeBps leaves nothing of the output; give less');
  const swap = form.instruction({
    terms: request,
    quotedOut,
    slippageBps,
    fee,
    source: flow.source,
    destination: flow.destination,
    handedOnTo: flow.handedOnTo,
    steps: steps(route, stepOwner, accounts),
    stepSource: accounts.get(request.inputMint) as Address,
    stepDestination: accounts.get(request.outputMint) as Address,
    sourceTokenProgram: programOf(request.inputMint),
    destinationTokenProgram: programOf(request.outputMint),
  });
  return {
    setup,
    swap,
    source: flow.source,
    destination: flow.destination,
    creations,
    rentReturns: rentReturns(request, flow.creations),
    cleanup: flow.cleanup,
    tip:
      request.tipAmount === 0n
        ? null
        : transferLamports(request.payer, parts.pickTipAccount(), request.tipAmount),
    tables: choice.legacy === true ? null : parts.lookupTables.covering(swap),
    quotedOut,
    threshold: (quotedOut * BigInt(10_000 - slippageBps) + 9_999n) / 10_000n,
    slippageBps,
  };
}

function afterFee(outAmount: bigint, fee: PlatformFee | null): bigint {
  return fee?.side === 'output' ? outAmount - fee.amountOf(outAmount) : outAmount;
}

/** Mints of which the steps need an account besides those of the user's two ends. */
function ownMints(route: Route, { inputMint, outputMint }: SwapTerms, form: SwapForm): readonly Address[] {
  const ofAll = form.programAuthority !== null;
  const mints: Address[] = [];
  for (const { inputMint: mint } of route.legs) {
    if ((ofAll || mint !== inputMint) && !mints.includes(mint)) mints.push(mint);
  }
  if (ofAll && !mints.includes(outputMint)) mints.push(outputMint);
  return mints;
}

function routeV2Form(use: FormUse): Instruction {
  const { terms, quotedOut, slippageBps, fee } = use;
  return routeV2(
    {
      inAmount: terms.amount,
      quotedOutAmount: quotedOut,
      slippageBps,
      platformFee: fee === null ? undefined : { bps: fee.bps, account: fee.account },
      steps: use.steps,
    },
    {
      userTransferAuthority: terms.taker,
      userSourceTokenAccount: use.source,
      userDestinationTokenAccount: use.destination,
      destinationTokenAccount: use.handedOnTo,
      sourceMint: terms.inputMint,
      destinationMint: terms.outputMint,
      sourceTokenProgram: use.sourceTokenProgram,
      destinationTokenProgram: use.destinationTokenProgram,
    },
  );
}

function rentReturns(
  { taker, payer, returnsRent }: SwapTerms,
  creations: readonly Creation[],
): Assembly['rentReturns'] {
  if (!returnsRent || payer === taker) return new Map();
  const lent = creations.filter(({ rentGoesTo }) => rentGoesTo === taker);
  return new Map(lent.map(({ account }) => [account, transferLamports(taker, payer, TOKEN_ACCOUNT_RENT)]));
}

/** `accounts` are the authority's token accounts by mint. */
function steps(route: Route, authority: Address, accounts: ReadonlyMap<Address, Address>): RoutePlanStep[] {
  return route.legs.map(({ market, inputMint, outputMint, bps, inputIndex, outputIndex, quote }) => ({
    step: market.venue.routeStep(
      market.pool,
      inputMint,
      {
        authority,
        source: accounts.get(inputMint) as Address,
        destination: accounts.get(outputMint) as Address,
      },
      quote,
    ),
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
