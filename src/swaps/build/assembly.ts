import type { Account } from '../../chain/accounts.ts';
import type { RoutePlanStep } from '../../market/aggregator/route-plan.ts';
import { routeV2 } from '../../market/aggregator/route-v2.ts';
import type { Route } from '../../market/router/index.ts';
import { createRouteSteps } from '../../market/router/plan.ts';
import type { Address } from '../../solana/address.ts';
import type { Instruction } from '../../solana/messages/instruction.ts';
import { isPaidOutOnClosing, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import type { Bps } from '../../solana/units.ts';
import type { LookupTableIndex } from '../../market/pools/lookup-tables.ts';
import {
  type ClosingInstructions,
  createClosingInstructions,
  TOKEN_ACCOUNT_RENT,
  withholdsFees,
} from '../../transactions/build/closings.ts';
import { Authority, closeAccount, setAuthority } from '../../solana/programs/token/instructions.ts';
import { harvestWithheldFees } from '../../solana/programs/token/transfer-fee.ts';
import { SwapRefused } from '../refusals.ts';
import type { PlatformFee } from '../fees/platform-fee.ts';
import { collectPassedMints } from './route-costs.ts';
import { lendsRent, type SwapTerms } from './swap-terms.ts';
import {
  type Creation,
  getIntermediateTokenAccount,
  createTokenFlow,
  toClosingParties,
} from './token-flow.ts';

/** The instructions of a route in one transaction. */
export interface Assembly {
  readonly setup: readonly Instruction[];
  readonly swap: Instruction;
  /** How many accounts the swaps in the pools name, without their programs. `maxAccounts` bounds this number. */
  readonly innerAccounts: number;
  readonly cleanup: Instruction | null;
  /** How the account is closed that `SwapTerms.source` names; empty if it stays open, or there is none. */
  readonly sourceClosing: readonly Instruction[];
  readonly tip: Instruction | null;
  readonly source: Address;
  readonly destination: Address;
  /** Token accounts that are created where they do not exist yet. */
  readonly creations: readonly Creation[];
  /** How accounts that the tokens pass through are closed if the transaction creates them. */
  readonly closings: readonly ClosingInstructions[];
  /** What keeps a payer's rent in accounts that stay with the taker from the taker, by account that is created. */
  readonly guards: ReadonlyMap<Address, Instruction>;
  /** How the taker, who receives the rent, returns it, by the account that the payer lends the rent for. */
  readonly rentReturns: ReadonlyMap<Address, Instruction>;
  /** The whole contents of each lookup table that makes the transaction smaller; null when no table does. */
  readonly tables: Record<Address, Address[]> | null;
  /** What the user receives after the platform fee. */
  readonly quotedOut: bigint;
  /** The least that the program accepts. It is rounded up, so that the slippage never costs an atom more. */
  readonly threshold: bigint;
  readonly slippageBps: Bps;
}

/** The route of a swap, and its terms. */
export interface RouteChoice {
  readonly route: Route;
  readonly fee: PlatformFee | null;
  readonly slippageBps: Bps;
  /** The amount that the program measures the slippage against; when absent, what the route pays less the fee. */
  readonly quotedOut?: bigint;
  /** For a form that delivers an exact output. The amount of the terms is then the most that the swap may take. */
  readonly exactOut?: ExactOutput;
  /** The aggregator's instruction; when absent, `route_v2`. */
  readonly form?: SwapForm;
  /** Whether to make a transaction without lookup tables. */
  readonly legacy?: boolean;
}

/** Atoms of the output that is delivered, and of the input that was quoted for it, the platform fee included. */
export interface ExactOutput {
  readonly amount: bigint;
  readonly quotedIn: bigint;
}

/** One of the aggregator's instructions that execute a route. */
export interface SwapForm {
  /** Owns and signs for the accounts that the steps use; null when the taker does. */
  readonly programAuthority: Address | null;
  /** Shares are multiples of this many basis points. */
  readonly shareUnit: 1 | 100;
  instruction(use: SwapFormInput): Instruction;
}

export interface SwapFormInput {
  readonly terms: SwapTerms;
  readonly quotedOut: bigint;
  /** 0 in the forms for an exact input. */
  readonly quotedIn: bigint;
  readonly slippageBps: Bps;
  readonly fee: PlatformFee | null;
  readonly steps: readonly RoutePlanStep[];
  /** The user's accounts for input and output. */
  readonly source: Address;
  readonly destination: Address;
  /**
   * Where the program transfers what the destination receives, less the fee; undefined when it stays in the
   * destination.
   */
  readonly handedOnTo: Address | undefined;
  /**
   * The accounts that the first steps take from and the last ones pay into. They differ from the user's only with a
   * program authority.
   */
  readonly stepSource: Address;
  readonly stepDestination: Address;
  readonly sourceTokenProgram: Address;
  readonly destinationTokenProgram: Address;
}

export const ROUTE_V2: SwapForm = { programAuthority: null, shareUnit: 1, instruction: routeV2Form };

/** Finds the token program of a mint that some pool trades. */
type ProgramOf = (mint: Address) => Address;

export interface AssemblyDependencies {
  /** The mints of the swap. */
  readonly pools: MintReader;
  /** Null makes transactions without lookup tables. */
  readonly lookupTables: Pick<LookupTableIndex, 'covering'> | null;
  /** Picks one of the accounts that tips can be paid to. Absent where no terms have a tip. */
  readonly pickTipAccount?: () => Address;
}

/** Finds the account of a mint; null if it does not exist. */
export interface MintReader {
  account(mint: Address): Pick<Account, 'owner' | 'data'> | null;
}

/** @throws SwapRefused when a mint no longer exists, or the fee cannot be taken from the output */
export function assemble(
  dependencies: AssemblyDependencies,
  request: SwapTerms,
  choice: RouteChoice,
): Assembly {
  const { route, fee, slippageBps, form = ROUTE_V2 } = choice;
  const programOf = createProgramFinder(dependencies);
  const flow = createTokenFlow(
    request,
    programOf(request.inputMint),
    programOf(request.outputMint),
    passesTaker(route, request, fee, form),
  );
  const stepOwner = form.programAuthority ?? request.taker;
  const accounts = new Map([
    [request.inputMint, flow.source],
    [request.outputMint, flow.destination],
  ]);
  const setup = [...flow.setup];
  const creations = [...flow.creations];
  const closings = [...flow.closings];
  for (const mint of collectFurtherMints(route, request, form)) {
    const isPassed = stepOwner === request.taker;
    const { account, create, creation } = getIntermediateTokenAccount(
      stepOwner,
      isPassed && !isEmptied(route, mint) && lendsRent(request) ? request.taker : request.payer,
      mint,
      programOf(mint),
    );
    accounts.set(mint, account);
    setup.push(create);
    if (!isPassed || !isEmptied(route, mint)) {
      creations.push(creation);
      continue;
    }
    creations.push({ ...creation, rentGoesTo: request.payer });
    closings.push(
      createClosingInstructions(toClosingParties(request), {
        account,
        mint,
        tokenProgram: programOf(mint),
        withholdsFees: withholdsFees(dependencies.pools.account(mint)),
      }),
    );
  }
  const quotedOut = choice.exactOut?.amount ?? choice.quotedOut ?? afterFee(route.outAmount, fee);
  const steps = createRouteSteps(route, stepOwner, accounts);
  const swap = form.instruction({
    terms: request,
    quotedOut,
    quotedIn: choice.exactOut?.quotedIn ?? 0n,
    slippageBps,
    fee,
    source: flow.source,
    destination: flow.destination,
    handedOnTo: flow.handedOnTo,
    steps,
    stepSource: accounts.get(request.inputMint) as Address,
    stepDestination: accounts.get(request.outputMint) as Address,
    sourceTokenProgram: programOf(request.inputMint),
    destinationTokenProgram: programOf(request.outputMint),
  });
  return {
    setup,
    swap,
    innerAccounts: countInnerAccounts(steps),
    source: flow.source,
    destination: flow.destination,
    creations,
    closings,
    guards: flow.guards,
    rentReturns: createRentReturns(request, flow.creations),
    cleanup: flow.cleanup,
    sourceClosing: createSourceClosing(dependencies, request),
    tip: createTip(dependencies, request),
    tables: choice.legacy === true ? null : (dependencies.lookupTables?.covering(swap) ?? null),
    quotedOut,
    threshold: choice.exactOut?.amount ?? (quotedOut * BigInt(10_000 - slippageBps) + 9_999n) / 10_000n,
    slippageBps,
  };
}

/** Returns the instructions that close the account that the terms name as source, or hand it over, in favour of whom they name. */
export function createSourceClosing(
  { pools }: Pick<AssemblyDependencies, 'pools'>,
  { taker, payer, inputMint, source }: Pick<SwapTerms, 'taker' | 'payer' | 'inputMint' | 'source'>,
): readonly Instruction[] {
  if (source === undefined || source.rentGoesTo === null) return [];
  const { account, rentGoesTo: destination, isHandedOver = false } = source;
  const mint = pools.account(inputMint);
  if (mint === null) throw new SwapRefused(`the mint ${inputMint} does not exist`);
  if (isHandedOver) {
    const authority = Authority.ACCOUNT_OWNER;
    return [setAuthority(mint.owner, { of: account, authority, current: taker, next: destination })];
  }
  if (isPaidOutOnClosing(inputMint) && destination === payer) {
    // Closing pays out tokens as well, of which the payer gets none: the taker returns the rent alone.
    const toTaker = closeAccount(mint.owner, { account, destination: taker, authority: taker });
    return [toTaker, transferLamports(taker, payer, TOKEN_ACCOUNT_RENT)];
  }
  const close = closeAccount(mint.owner, { account, destination, authority: taker });
  return withholdsFees(mint) ? [harvestWithheldFees(inputMint, [account]), close] : [close];
}

function createTip(
  { pickTipAccount }: Pick<AssemblyDependencies, 'pickTipAccount'>,
  { payer, tipAmount }: SwapTerms,
): Instruction | null {
  if (tipAmount === 0n) return null;
  if (pickTipAccount === undefined) throw new Error('the terms have a tip, and no account takes one');
  return transferLamports(payer, pickTipAccount(), tipAmount);
}

/** With accounts of a program authority, everything passes through those, and the fee is taken from them. */
function passesTaker(
  route: Pick<Route, 'legs'>,
  { outputMint }: SwapTerms,
  fee: PlatformFee | null,
  { programAuthority }: SwapForm,
): boolean {
  if (programAuthority !== null) return false;
  return fee?.side === 'output' || paysUserOnly(route, outputMint);
}

/** Whether a step that pays the output of a route pays accounts of the taker only. */
export function paysUserOnly({ legs }: Pick<Route, 'legs'>, output: Address): boolean {
  return legs.some(
    ({ outputMint, handle: { venue } }) => outputMint === output && venue.paysUserOnly === true,
  );
}

function afterFee(outAmount: bigint, fee: PlatformFee | null): bigint {
  return fee?.side === 'output' ? outAmount - fee.amountOf(outAmount) : outAmount;
}

/** Mints that the steps need an account for beside the user's two. A program authority needs one for every mint. */
function collectFurtherMints(
  route: Pick<Route, 'legs'>,
  { outputMint }: SwapTerms,
  { programAuthority }: SwapForm,
): ReadonlySet<Address> {
  if (programAuthority === null) return collectPassedMints(route);
  return new Set([...route.legs.map(({ inputMint }) => inputMint), outputMint]);
}

/**
 * Whether nothing is left of a mint that a route passes through. A maker's fill takes whole lots and leaves the rest, and
 * only of SOL can a rest be paid out.
 */
export function isEmptied({ legs }: Pick<Route, 'legs'>, mint: Address): boolean {
  return (
    mint === WRAPPED_SOL_MINT ||
    legs.every(({ inputMint, handle: { venue } }) => inputMint !== mint || venue.wholeLots !== true)
  );
}

function routeV2Form(use: SwapFormInput): Instruction {
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

function createRentReturns(
  { taker, payer }: SwapTerms,
  creations: readonly Creation[],
): Assembly['rentReturns'] {
  if (payer === taker) return new Map();
  const lent = creations.filter(({ paidBy, rentGoesTo }) => paidBy === payer && rentGoesTo === taker);
  return new Map(lent.map(({ account }) => [account, transferLamports(taker, payer, TOKEN_ACCOUNT_RENT)]));
}

/** Counts an account once if several of the swaps name it, because the network locks it once. */
function countInnerAccounts(steps: readonly RoutePlanStep[]): number {
  const programs = new Set<Address>();
  for (const { step } of steps) if (step.accounts[0] !== undefined) programs.add(step.accounts[0].address);
  const counted = new Set<Address>();
  let count = 0;
  for (const { step } of steps) {
    const named = step.accounts.filter(({ address }) => !programs.has(address) && !counted.has(address));
    count += named.length;
    for (const { address } of named) counted.add(address);
  }
  return count;
}

function createProgramFinder({ pools }: Pick<AssemblyDependencies, 'pools'>): ProgramOf {
  return (mint) => {
    const account = pools.account(mint);
    if (account === null) throw new SwapRefused(`the mint ${mint} does not exist`);
    return account.owner;
  };
}
