import { requireAvailable, type Chain } from '../../chain/chain.ts';
import type { Route } from '../../market/router/index.ts';
import type { Address } from '../../solana/address.ts';
import { setTokenLedger } from '../../market/aggregator/token-accounts.ts';
import type { TokenLedgers } from '../../market/aggregator/token-ledgers.ts';
import { type Instruction, readonly } from '../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM } from '../../solana/program-addresses.ts';
import { type Bps, bps } from '../../solana/units.ts';
import { type Assembly, assemble, type SwapForm } from '../build/assembly.ts';
import { checkDestination, type DestinationDependencies } from '../build/build.ts';
import type { RoutingDependencies } from '../build/best-fit.ts';
import type { Pools } from '../../market/pools/pools.ts';
import { SwapRefused } from '../refusals.ts';
import { MAX_INSTRUCTIONS, countSharedInstructions } from '../build/fit.ts';
import { checkFeeProgram, type PlatformFee, findPlatformFee } from '../fees/platform-fee.ts';
import { type SlippageDependencies, estimateSlippage } from '../build/slippage.ts';
import { createSwapTerms, type SwapTerms } from '../build/swap-terms.ts';
import { listCleanupInstructions, findAccounts, listGuards, removeCreations } from '../build/around-swap.ts';
import { computeMaximumInput } from './exact-out.ts';
import {
  EXACT_OUT_FORMS,
  EXACT_IN_FORMS,
  createSharedAccountsForm,
  createSharedExactOutForm,
  createTokenLedgerForm,
} from '../build/forms.ts';
import { resolveQuotedRoute } from './quoted-route.ts';
import type { SwapRequest } from './swap-request.ts';

/** The instructions of an accepted quote, and the slippage that they allow. */
export interface PreparedSwap {
  readonly assembly: Assembly;
  /** What follows the swap: its cleanup, and the closing of accounts that the transaction opens. */
  readonly cleanup: readonly Instruction[];
  /** Records the balance before the input arrives; null for a swap of the quoted amount. */
  readonly setLedger: Instruction | null;
  readonly slippage: {
    readonly bps: Bps;
    /** The least that is received, or with `ExactOut` the most that is spent. */
    readonly otherAmount: bigint;
  };
}

export interface PreparationDependencies
  extends RoutingDependencies,
    SlippageDependencies,
    DestinationDependencies {
  readonly chain: Pick<Chain, 'clock' | 'getAccounts' | 'unhealthy'>;
  readonly tokenLedgers: Pick<TokenLedgers, 'pick'>;
}

/**
 * Assembles the swap over the pools that the quote names. With `ExactOut`, it delivers exactly the output, and takes at
 * most what the quote and the slippage allow.
 * @throws SwapRefused when the quote, the accounts or the chain do not allow the swap
 */
export async function prepareSwap(
  dependencies: PreparationDependencies,
  request: SwapRequest,
): Promise<PreparedSwap> {
  requireAvailable(dependencies.chain);
  const { quote } = request;
  const exactOut = quote.swapMode === 'ExactOut';
  const ledger = request.spendsArrivals ? await tokenLedger(dependencies, request) : null;
  const quoted = toPreparedTerms(request, quote.inAmount);
  if (!request.skipsLookups) await checkDestination(dependencies, quoted);
  const fee = await findPlatformFee(dependencies.tokenAccountMints, quoted);
  checkFee(dependencies, request, fee);
  if (request.sharedAccounts) checkShared(dependencies, request);
  const route = resolveQuotedRoute(
    dependencies,
    quote,
    exactOut ? quote.outAmount : spentOnRoute(quote, fee),
  );
  const allowed = computeAllowedSlippage(request, () => estimateSlippage(dependencies, route));
  const terms = exactOut ? toPreparedTerms(request, computeMaximumInput(quote.inAmount, allowed)) : quoted;
  const assembled = assemble(dependencies, terms, {
    route,
    fee,
    legacy: request.legacy,
    ...(exactOut
      ? { exactOut: { amount: quote.outAmount, quotedIn: quote.inAmount } }
      : { quotedOut: quote.outAmount }),
    slippageBps: allowed,
    form: selectSwapForm(request, ledger),
  });
  const { assembly, missing } = await removeNeedlessCreations(
    dependencies,
    request,
    addTrackingAccount(request, assembled),
  );
  // Without a read it is unknown which accounts have to be created.
  if (request.sharedAccounts && !request.skipsLookups) checkInstructions(route, request, assembly);
  return {
    assembly,
    cleanup: listCleanupInstructions(assembly, missing),
    setLedger: ledger === null ? null : setTokenLedger(ledger, assembly.source),
    slippage: { bps: allowed, otherAmount: exactOut ? terms.amount : assembled.threshold },
  };
}

function spentOnRoute({ inAmount }: SwapRequest['quote'], fee: PlatformFee | null): bigint {
  return inAmount - (fee?.side === 'input' ? fee.amountOf(inAmount) : 0n);
}

function selectSwapForm(
  { quote, taker, sharedAccounts: shared }: SwapRequest,
  ledger: Address | null,
): SwapForm {
  if (ledger !== null) return createTokenLedgerForm(ledger, shared, taker);
  if (quote.swapMode === 'ExactOut') {
    return shared ? createSharedExactOutForm(quote.version, taker) : EXACT_OUT_FORMS[quote.version];
  }
  return shared ? createSharedAccountsForm(quote.version, taker) : EXACT_IN_FORMS[quote.version];
}

/**
 * Returns the ledger that the swap uses.
 * @throws SwapRefused for a quote that cannot be executed with another input amount, and if the network has no ledger
 */
async function tokenLedger(
  { tokenLedgers }: Pick<PreparationDependencies, 'tokenLedgers'>,
  { quote, taker }: SwapRequest,
): Promise<Address> {
  if (quote.version !== 'V1') {
    throw new SwapRefused({ kind: 'ledger-by-v2' }, 'NOT_SUPPORTED');
  }
  if (quote.swapMode !== 'ExactIn') {
    throw new SwapRefused({ kind: 'ledger-with-exact-out' }, 'NOT_SUPPORTED');
  }
  const ledger = await tokenLedgers.pick(taker);
  if (ledger !== null) return ledger;
  throw new SwapRefused({ kind: 'no-ledger' }, 'NOT_SUPPORTED');
}

/** @param estimate - Called only when the slippage is to be estimated. */
function computeAllowedSlippage({ quote, estimatedSlippage: bounds }: SwapRequest, estimate: () => Bps): Bps {
  if (bounds === null) return quote.slippageBps;
  return bps(Math.min(bounds.max, Math.max(bounds.min, estimate())));
}

function toPreparedTerms(request: SwapRequest, amount: bigint): SwapTerms {
  const { inputMint, outputMint } = request.quote;
  const { taker, payer, platformFee: fee, wrapAndUnwrapSol, destination } = request;
  // A tip may have its own payer, so it is kept apart from the assembly.
  return createSwapTerms({
    inputMint,
    outputMint,
    amount,
    taker,
    payer,
    platformFee: fee,
    wrapAndUnwrapSol,
    inputArrives: request.spendsArrivals,
    destination,
  });
}

function checkFee(
  { pools }: { readonly pools: Pools },
  { quote }: SwapRequest,
  fee: PlatformFee | null,
): void {
  if (fee === null) return;
  // As by the public service, the output is the whole amount, so that only the input is left to pay.
  if (quote.swapMode === 'ExactOut' && fee.side === 'output') {
    throw new SwapRefused({ kind: 'fee-from-exact-output', inputMint: quote.inputMint });
  }
  checkFeeProgram(pools, fee, quote.version);
}

/** The shared forms transfer the tokens once more at each end, and a Token-2022 mint may charge for that. */
function checkShared(
  { pools }: { readonly pools: Pools },
  { quote: { inputMint, outputMint } }: SwapRequest,
): void {
  for (const mint of [inputMint, outputMint]) {
    if (pools.account(mint)?.owner !== TOKEN_PROGRAM) {
      throw new SwapRefused({ kind: 'shared-accounts-of-token-2022', mint });
    }
  }
}

/** A quote leaves room for creating the user's own accounts, but not for creating the aggregator's as well. */
function checkInstructions(route: Route, { quote, platformFee: fee }: SwapRequest, assembly: Assembly): void {
  const form = { version: quote.version, hasFee: fee !== undefined };
  const instructions = countSharedInstructions(route, form, assembly);
  if (instructions <= MAX_INSTRUCTIONS) return;
  throw new SwapRefused(
    { kind: 'shared-accounts-over-limit', instructions, limit: MAX_INSTRUCTIONS },
    'MAX_ACCOUNT_GREATER_THAN_MAX',
  );
}

/** The program ignores accounts after those of the last step. */
function addTrackingAccount({ trackingAccount }: SwapRequest, assembly: Assembly): Assembly {
  if (trackingAccount === undefined) return assembly;
  const { swap } = assembly;
  return { ...assembly, swap: { ...swap, accounts: [...swap.accounts, readonly(trackingAccount)] } };
}

/**
 * Leaves out the creation of existing accounts, and their closing. Without a read, every account is created unless it
 * exists, and those that the tokens pass through stay open, because it is not known what they held before. With a payer they
 * are read in any case, because its rent depends on it.
 */
async function removeNeedlessCreations(
  { chain }: { readonly chain: Pick<Chain, 'getAccounts'> },
  request: SwapRequest,
  assembly: Assembly,
): Promise<{ readonly assembly: Assembly; readonly missing: ReadonlySet<Address> }> {
  if (request.skipsLookups && request.payer === request.taker) return { assembly, missing: new Set() };
  const { missing, existing } = await findAccounts(chain, assembly);
  const setup = [...removeCreations(assembly.setup, existing), ...listGuards(assembly, missing)];
  return { assembly: { ...assembly, setup }, missing };
}
