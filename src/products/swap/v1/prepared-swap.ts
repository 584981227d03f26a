import { requireAvailable } from '../../../chain/chain.ts';
import type { Route } from '../../../market/router/index.ts';
import { readonly } from '../../../solana/messages/instruction.ts';
import { MAX_ACCOUNTS } from '../../../solana/messages/message-accounts.ts';
import { TOKEN_PROGRAM } from '../../../solana/program-addresses.ts';
import { type Bps, bps } from '../../../solana/units.ts';
import { type Assembly, assemble } from '../build/assembly.ts';
import { checkDestination } from '../build/build.ts';
import type { BuildParts } from '../build/build-parts.ts';
import { SwapRefused } from '../errors.ts';
import { MAX_INSTRUCTIONS, sharedInstructions } from '../build/instruction-count.ts';
import { checkFeeProgram, type PlatformFee, platformFee } from '../fees.ts';
import { slippageFor } from '../build/slippage.ts';
import type { SwapTerms } from '../build/swap-terms.ts';
import { isOpened, withoutCreating } from '../build/token-flow.ts';
import { mostInput } from './exact-out.ts';
import { OWN_ACCOUNTS, sharedAccounts } from '../build/forms.ts';
import { quotedRoute } from './quoted-route.ts';
import type { SwapRequest } from './swap-request.ts';

/** An accepted quote as instructions, and the slippage that they allow. */
export interface PreparedSwap {
  readonly assembly: Assembly;
  readonly slippage: {
    readonly bps: Bps;
    /** The least that is received, or with `ExactOut` the most that is spent. */
    readonly otherAmount: bigint;
  };
}

/**
 * Assembles the swap over the pools that the quote names. With `ExactOut` it spends the most that the quote allows and
 * demands the whole output: nothing that the caller signs for can be missed.
 * @throws SwapRefused when the quote, the accounts or the chain do not allow the swap
 */
export async function prepareSwap(parts: BuildParts, request: SwapRequest): Promise<PreparedSwap> {
  requireAvailable(parts.chain);
  const { quote } = request;
  const exactOut = quote.swapMode === 'ExactOut';
  const quoted = termsOf(request, quote.inAmount);
  if (!request.skipsLookups) await checkDestination(parts, quoted);
  const fee = await platformFee(parts.tokenAccountMints, quoted);
  checkFee(parts, request, fee);
  if (request.sharedAccounts) checkShared(parts, request);
  const spent = quote.inAmount - (fee?.side === 'input' ? fee.amountOf(quote.inAmount) : 0n);
  const route = quotedRoute(parts, quote, spent);
  const allowed = allowedSlippage(request, () => slippageFor(parts, route));
  const terms = exactOut ? termsOf(request, mostInput(quote.inAmount, allowed)) : quoted;
  const assembled = assemble(parts, terms, {
    route,
    fee,
    legacy: request.legacy,
    quotedOut: quote.outAmount,
    slippageBps: exactOut ? bps(0) : allowed,
    form: request.sharedAccounts ? sharedAccounts(quote.version, request.taker) : OWN_ACCOUNTS[quote.version],
  });
  const assembly = await withoutNeedless(parts, request, tracked(request, assembled));
  // Without a look-up it is not known which accounts are opened.
  if (request.sharedAccounts && !request.skipsLookups) checkInstructions(route, request, assembly);
  return {
    assembly,
    slippage: { bps: allowed, otherAmount: exactOut ? terms.amount : assembled.threshold },
  };
}

/** `estimate` is only asked where it decides. */
function allowedSlippage({ quote, estimatedSlippage: bounds }: SwapRequest, estimate: () => Bps): Bps {
  if (bounds === null) return quote.slippageBps;
  return bps(Math.min(bounds.most, Math.max(bounds.least, estimate())));
}

function termsOf(request: SwapRequest, amount: bigint): SwapTerms {
  const { inputMint, outputMint } = request.quote;
  const { taker, payer, platformFee: fee, wrapAndUnwrapSol, destination } = request;
  return {
    inputMint,
    outputMint,
    amount,
    taker,
    payer,
    platformFee: fee,
    wrapAndUnwrapSol,
    destination,
    fast: false,
    venues: undefined,
    maxAccounts: MAX_ACCOUNTS,
    // A tip may have a payer of its own, so it stands beside the assembly.
    tipAmount: 0n,
    returnsRent: false,
  };
}

function checkFee({ pools }: BuildParts, { quote }: SwapRequest, fee: PlatformFee | null): void {
  if (fee === null) return;
  // As by the public service: the output is the whole amount, so that only the input is left to pay.
  if (quote.swapMode === 'ExactOut' && fee.side === 'output') {
    throw new SwapRefused(
      `feeAccount must be a token account of inputMint ${quote.inputMint} with ExactOut, but it is one of outputMint`,
    );
  }
  checkFeeProgram(pools, fee, quote.version);
}

/** The shared forms move the tokens once more at each end, and a Token-2022 mint may charge for that. */
function checkShared({ pools }: BuildParts, { quote: { inputMint, outputMint } }: SwapRequest): void {
  for (const mint of [inputMint, outputMint]) {
    if (pools.account(mint)?.owner !== TOKEN_PROGRAM) {
      throw new SwapRefused(
        `useSharedAccounts is not possible with the Token-2022 mint ${mint}; leave it out`,
      );
    }
  }
}

/** A quote leaves room for the user's own accounts to be opened, not for the aggregator's besides. */
function checkInstructions(route: Route, { quote, platformFee: fee }: SwapRequest, assembly: Assembly): void {
  const form = { version: quote.version, hasFee: fee !== undefined };
  const runs = sharedInstructions(route, form, assembly);
  if (runs <= MAX_INSTRUCTIONS) return;
  throw new SwapRefused(
    `the swap through shared accounts runs ${runs} instructions, and a transaction at most ${MAX_INSTRUCTIONS}: ` +
      'leave out useSharedAccounts, or quote with fewer maxAccounts',
  );
}

/** The program ignores accounts behind the last step's. */
function tracked({ trackingAccount }: SwapRequest, assembly: Assembly): Assembly {
  if (trackingAccount === undefined) return assembly;
  const { swap } = assembly;
  return { ...assembly, swap: { ...swap, accounts: [...swap.accounts, readonly(trackingAccount)] } };
}

/** Leaves out the creation of accounts that exist; without a look-up all are created unless they exist. */
async function withoutNeedless(
  { chain }: BuildParts,
  request: SwapRequest,
  assembly: Assembly,
): Promise<Assembly> {
  const addresses = assembly.creations.map(({ account }) => account);
  if (request.skipsLookups || addresses.length === 0) return assembly;
  const found = await chain.getAccounts(addresses);
  const opened = found.filter(({ account }) => isOpened(account)).map(({ address }) => address);
  return { ...assembly, setup: withoutCreating(assembly.setup, new Set(opened)) };
}
