import { decodeFromChain } from '../../../chain/chain.ts';
import type { Account } from '../../../chain/accounts.ts';
import { deriveDcaTokens } from '../../../protocols/jupiter-dca/dca-accounts.ts';
import {
  createEndAndCloseDca,
  createFulfillFlashFill,
  createInitiateFlashFill,
  createTransferDca,
} from '../../../protocols/jupiter-dca/dca-fills.ts';
import { type DcaOrder, decodeDcaOrder } from '../../../protocols/jupiter-dca/dca-order.ts';
import { DCA_FEE_AUTHORITY, DCA_PROGRAM } from '../../../protocols/jupiter-dca/dca-program.ts';
import {
  computeDcaBounds,
  computeDcaCycle,
  computeDcaFee,
  computeDcaInputLeft,
} from '../../../protocols/jupiter-dca/dca-schedule.ts';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { closeAccount } from '../../../solana/programs/token/instructions.ts';
import { MIN_WALLET_LAMPORTS } from '../../../solana/rent.ts';
import { divideUp, maximum } from '../../../solana/units.ts';
import { createSwapTerms } from '../../../swaps/build/swap-terms.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { TOKEN_ACCOUNT_RENT } from '../../../transactions/build/closings.ts';
import { findTradedMint, readMintDecimals } from '../../../waiting-orders/fills/fill-situation.ts';
import { computeFillFloor, isUsablePrice } from '../../../waiting-orders/fills/floor.ts';
import type { GoneOrder, PlannedTask } from './order-plan.ts';
import { OrderPutOff } from './order-put-off.ts';
import { isPayable, readHeldTokens } from './paid-account.ts';
import type { PlanContext } from './plan-dependencies.ts';
import { planPlainWork, type ReadStates, readPlanStates } from './planned-work.ts';
import { planRoutedFill, type RoutedResult } from './routed-fill.ts';
import { computeWorth, requireWorth } from './worth.ts';

/** Fills in a row that may fail before the user is not paid in the same transaction any more. */
const MAX_FAILED_PAYOUTS = 1;

/** An order of a program, as a keeper has it in memory. */
export interface KnownDcaOrder {
  readonly address: Address;
  readonly order: DcaOrder;
  /** How many of its transactions have failed in a row. */
  readonly failures: number;
}

/**
 * Plans the cycle of a DCA order that is due, for no less than the reference prices allow and within the order's own bounds. The
 * user is paid in the same transaction where that is possible. An order that has traded and is without input is closed for its
 * user instead.
 *
 * @throws OrderPutOff when the order has to wait
 * @throws SwapRefused when no route can fill it
 * @throws ChainUnavailable when the network does not answer
 */
export async function planDcaOrder(
  context: PlanContext,
  keeper: Keypair,
  known: KnownDcaOrder,
): Promise<PlannedTask | GoneOrder> {
  const { address, order: seen } = known;
  const accounts = {
    input: deriveDcaTokens(keeper.address, seen.inputMint),
    fee: deriveDcaTokens(DCA_FEE_AUTHORITY.address, seen.outputMint),
    userInput: deriveDcaTokens(seen.user, seen.inputMint),
    userOutput: deriveDcaTokens(seen.user, seen.outputMint),
  };
  const { gasWallet } = context;
  const named = [gasWallet.address, keeper.address, seen.user, address, seen.inAccount, seen.outAccount];
  const read = await readPlanStates(context, [...named, ...Object.values(accounts)]);
  const order = decodeOpenOrder(address, read.stateOf(address));
  if (order === null || order.outAccount !== seen.outAccount) return { kind: 'gone' };
  const found: FoundDcaOrder = { ...known, order, accounts, read, keeper };
  if (computeDcaInputLeft(order) === 0n) {
    if (order.inUsed === 0n) {
      throw new OrderPutOff('dust', 'its user has emptied it before anything was traded, and can close it');
    }
    return planPlainWork(context, {
      task: 'close',
      instruction: createEnding(gasWallet.address, found, readHeldTokens(read.stateOf(order.inAccount))),
      states: read.states,
      signers: [gasWallet],
    });
  }
  const now = context.market.chain.clock().unixTimestamp;
  if (now < order.nextCycleAt) {
    throw new OrderPutOff('unavailable', `the next cycle is due at ${order.nextCycleAt}, and it is ${now}`);
  }
  return planCycle(context, found);
}

interface FoundDcaOrder extends KnownDcaOrder {
  readonly keeper: Keypair;
  readonly read: ReadStates;
  readonly accounts: {
    readonly input: Address;
    readonly fee: Address;
    readonly userInput: Address;
    readonly userOutput: Address;
  };
}

function decodeOpenOrder(address: Address, account: Account | null): DcaOrder | null {
  if (account === null || account.owner !== DCA_PROGRAM) return null;
  return decodeFromChain(address, () => decodeDcaOrder(account.data));
}

/**
 * Creates the end of an order without input. The rent of the user's account comes out of the order's own.
 *
 * @param donated - Atoms of the input that nobody deposited.
 */
function createEnding(
  payer: Address,
  { address, order, accounts, read }: FoundDcaOrder,
  donated: bigint,
): Instruction {
  const paysDonation = donated > 0n && order.inputMint !== WRAPPED_SOL_MINT;
  const { user, inputMint, outputMint } = order;
  const input = { address: accounts.userInput, owner: user, mint: inputMint };
  if (paysDonation && !isPayable(input, read.stateOf(accounts.userInput))) {
    throw new OrderPutOff(
      'account',
      `${user} has no account for the ${donated} atoms of ${inputMint} that were sent`,
    );
  }
  const output = { address: accounts.userOutput, owner: user, mint: outputMint };
  const opensAccount = !isPayable(output, read.stateOf(accounts.userOutput));
  return createEndAndCloseDca(payer, { ...order, address }, { opensAccount, paysDonation });
}

async function planCycle(context: PlanContext, found: FoundDcaOrder): Promise<PlannedTask> {
  const { failures, order } = found;
  const amount = computeDcaCycle(order);
  const least = findLeastPaid(context, order, amount);
  const payout = failures > MAX_FAILED_PAYOUTS ? null : createPayout(context, found, { amount, least });
  let result: RoutedResult;
  try {
    result = await routeCycle(context, found, { amount, least, payout });
  } catch (error) {
    // The fill may fit or succeed without the payout, which then comes with a later one, or with the end of the order.
    const isOfPayout =
      error instanceof SwapRefused || (error instanceof OrderPutOff && error.reason === 'route');
    if (payout === null || !isOfPayout) throw error;
    result = await routeCycle(context, found, { amount, least, payout: null });
  }
  if (result.kind === 'planned') {
    context.noteRoute(found, result.fit.route);
    return result.planned;
  }
  const { inputMint, outputMint } = order;
  throw new OrderPutOff(
    'price',
    `the best route pays ${result.quoted} atoms of ${outputMint} for ${amount} of ${inputMint}, and the cycle is filled for ${least} at least, within the bounds of the order`,
  );
}

/**
 * Returns the least atoms that a swap has to pay for a cycle: the floor by the reference prices, and what leaves the order's own
 * minimum behind the fee.
 *
 * @throws OrderPutOff without reliable prices, or when cycles of the order are worth too little
 */
function findLeastPaid(context: PlanContext, order: DcaOrder, amount: bigint): bigint {
  const { market, limits } = context;
  const { inputMint, outputMint } = order;
  const references = context.findReferences(inputMint, outputMint);
  const { referenceIn, referenceOut } = references;
  if (!isUsablePrice(referenceIn)) throw new OrderPutOff('unpriced', `${inputMint} has no reliable price`);
  if (!isUsablePrice(referenceOut)) throw new OrderPutOff('unpriced', `${outputMint} has no reliable price`);
  const input = isRestOfCycles(order) ? maximum(order.inAmountPerCycle, amount) : amount;
  const cycle = { inputMint, outputMint, input, output: 0n };
  requireWorth(computeWorth(market, cycle, references), cycle);
  const decimalsOf = (mint: Address) => readMintDecimals(findTradedMint(market, mint));
  const tokens = {
    input: { dollars: referenceIn, decimals: decimalsOf(inputMint) },
    output: { dollars: referenceOut, decimals: decimalsOf(outputMint) },
  };
  const floor = computeFillFloor(amount, tokens, null, limits);
  return maximum(floor, computePaidFor(computeDcaBounds(order, amount).least));
}

/**
 * Whether what is left comes after whole cycles. Of the last one, less may be left than of the others, and it is filled all the
 * same, so that the order can end. A user who withdraws and deposits could otherwise have any number of such rests filled.
 */
function isRestOfCycles({ inUsed, inAmountPerCycle }: DcaOrder): boolean {
  return inUsed > 0n && inUsed % inAmountPerCycle === 0n;
}

/** Returns the least payment of which so much is left behind the fee. */
export function computePaidFor(received: bigint): bigint {
  let paid = divideUp(received * 10_000n, 9_990n);
  while (paid > 0n && paid - 1n - computeDcaFee(paid - 1n) >= received) paid--;
  while (paid - computeDcaFee(paid) < received) paid++;
  return paid;
}

interface Cycle {
  readonly amount: bigint;
  /** Atoms that the swap pays at the least. */
  readonly least: bigint;
}

/** Returns the instruction that pays the user after the fill; null if the user cannot be paid now. */
function createPayout(
  context: PlanContext,
  found: FoundDcaOrder,
  { amount, least }: Cycle,
): Instruction | null {
  const { address, order, accounts, read } = found;
  const { user, outputMint } = order;
  const payer = context.gasWallet.address;
  const isLast = computeDcaInputLeft(order) === amount;
  const donated = readHeldTokens(read.stateOf(order.inAccount)) - amount;
  if (isLast && donated === 0n) return createEnding(payer, found, 0n);
  if (outputMint === WRAPPED_SOL_MINT) {
    const held = read.stateOf(user)?.lamports ?? 0n;
    const paid = least - computeDcaFee(least);
    return held + paid >= MIN_WALLET_LAMPORTS ? createTransferDca(payer, { ...order, address }) : null;
  }
  const output = { address: accounts.userOutput, owner: user, mint: outputMint };
  return isPayable(output, read.stateOf(accounts.userOutput))
    ? createTransferDca(payer, { ...order, address })
    : null;
}

function routeCycle(
  context: PlanContext,
  { address, order: state, accounts, read, keeper }: FoundDcaOrder,
  { amount, least, payout }: Cycle & { readonly payout: Instruction | null },
): Promise<RoutedResult> {
  const { gasWallet, avoided, venues } = context;
  const order = { ...state, address };
  const { inputMint, outputMint, outAccount } = order;
  const { most } = computeDcaBounds(order, amount);
  const rent = () => TOKEN_ACCOUNT_RENT;
  return planRoutedFill(context, {
    terms: createSwapTerms({
      inputMint,
      outputMint,
      amount,
      taker: keeper.address,
      payer: gasWallet.address,
      inputArrives: true,
      venues,
      destination: { kind: 'token-account', address: outAccount },
    }),
    suspects: avoided,
    findLeast: (quoted) => {
      const isWithin = most === null || quoted - computeDcaFee(quoted) <= most;
      return quoted >= least && isWithin ? least : null;
    },
    surround: ({ threshold, missing }) => {
      const open = (owner: Address, mint: Address) =>
        createAssociatedTokenIdempotent({
          payer: gasWallet.address,
          owner,
          mint,
          tokenProgram: TOKEN_PROGRAM,
        });
      const opensInput = missing.has(accounts.input);
      const closing = { account: accounts.input, destination: gasWallet.address, authority: keeper.address };
      return {
        before: [
          ...(opensInput ? [open(keeper.address, inputMint)] : []),
          ...(missing.has(accounts.fee) ? [open(DCA_FEE_AUTHORITY.address, outputMint)] : []),
          createInitiateFlashFill(keeper.address, order),
        ],
        after: [
          createFulfillFlashFill(keeper.address, order, maximum(threshold, 1n)),
          ...(payout === null ? [] : [payout]),
          ...(opensInput ? [closeAccount(TOKEN_PROGRAM, closing)] : []),
        ],
      };
    },
    creations: [
      { account: accounts.input, rent, isReturned: true },
      { account: accounts.fee, rent, isReturned: false },
    ],
    states: read.states,
    signers: gasWallet.address === keeper.address ? [gasWallet] : [gasWallet, keeper],
    program: DCA_PROGRAM,
  });
}
