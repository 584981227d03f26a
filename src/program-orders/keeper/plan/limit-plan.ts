import type { Account } from '../../../chain/accounts.ts';
import { computeFillPayment } from '../../../protocols/jupiter-limit-order/amounts.ts';
import {
  createCancelOrder,
  createFlashFill,
  createPreFlashFill,
  type PlacedLimitOrder,
} from '../../../protocols/jupiter-limit-order/instructions.ts';
import { decodeLimitOrder, type LimitOrder } from '../../../protocols/jupiter-limit-order/layout.ts';
import {
  deriveProgramFeeAccount,
  LIMIT_ORDER_FEE,
  LIMIT_ORDER_PROGRAM,
} from '../../../protocols/jupiter-limit-order/program.ts';
import type { Address } from '../../../solana/address.ts';
import { decodeFromChain } from '../../../chain/chain.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { closeAccount } from '../../../solana/programs/token/instructions.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { divideUp, U64_MAX } from '../../../solana/units.ts';
import { computeTokenAccountRent } from '../../../swaps/build/route-costs.ts';
import { createSwapTerms } from '../../../swaps/build/swap-terms.ts';
import type { CreatedAccount } from '../../../transactions/build/costs.ts';
import type { GoneOrder, PlannedTask } from './order-plan.ts';
import { OrderPutOff } from './order-put-off.ts';
import { isPayable, readHeldTokens } from './paid-account.ts';
import type { PlanContext } from './plan-dependencies.ts';
import { planPlainWork, type ReadStates, readPlanStates } from './planned-work.ts';
import {
  planRoutedFill,
  type RoutedResult,
  type SurroundedSwap,
  type SurroundingInstructions,
} from './routed-fill.ts';
import { computeWorth, requireWorth } from './worth.ts';

/** The parts of an order that are tried if the whole cannot be filled. */
const PARTS = [2n, 4n, 8n] as const;
/** US dollars. A part is worth no less, so that an order is not split into fills that cost more than they sell. */
const LEAST_PART = 10;
const ALL_BPS = 10_000n;
/** Before an order expires, in which no fill is begun: it could land too late, and orders that last for seconds cost nothing. */
const LAST_SECONDS = 3n;

/** An order of a program, as a keeper has it in memory. */
export interface KnownLimitOrder {
  readonly address: Address;
  readonly order: LimitOrder;
  /** How many of its transactions have failed in a row. */
  readonly failures: number;
}

/**
 * Plans the fill of a limit order: all of it, or, if no route pays its price for that, a half, a quarter or an eighth. An order
 * that has expired is cancelled for its maker instead.
 *
 * The keeper borrows the input, sells it, and pays exactly the price of the order, so that it never pays out of what it holds:
 * the swap fails unless it pays what is owed. What the route pays beyond that stays with the keeper.
 *
 * @throws OrderPutOff when the order has to wait
 * @throws SwapRefused when no route can fill it
 * @throws ChainUnavailable when the network does not answer
 */
export async function planLimitOrder(
  context: PlanContext,
  known: KnownLimitOrder,
): Promise<PlannedTask | GoneOrder> {
  const { order: seen, address } = known;
  const accounts = deriveFillAccounts(context.gasWallet.address, seen);
  const read = await readPlanStates(context, [
    context.gasWallet.address,
    address,
    seen.inputReserve,
    accounts.makerInput,
    accounts.makerOutput,
    accounts.input,
    accounts.output,
    seen.feeAccount,
  ]);
  const order = decodeOpenOrder(address, read.stateOf(address));
  if (order === null || !hasSameAccounts(order, seen)) return { kind: 'gone' };
  const now = context.market.chain.clock().unixTimestamp;
  const found: FoundOrder = { ...known, order, accounts, read };
  const { expiredAt } = order;
  if (expiredAt !== null && now >= expiredAt) return planCancel(context, found);
  if (expiredAt !== null && expiredAt - now <= LAST_SECONDS) {
    throw new OrderPutOff(
      'unavailable',
      `it expires at ${expiredAt}, which is too soon for a fill: it is ${now}`,
    );
  }
  return planFill(context, found);
}

/** The token accounts of the keeper and of the maker that a fill may name. */
interface LimitFillAccounts {
  readonly input: Address;
  readonly output: Address;
  readonly makerInput: Address;
  readonly makerOutput: Address;
}

interface FoundOrder extends KnownLimitOrder {
  readonly accounts: LimitFillAccounts;
  readonly read: ReadStates;
}

function deriveFillAccounts(keeper: Address, order: LimitOrder): LimitFillAccounts {
  const { maker, inputMint, outputMint, inputTokenProgram, outputTokenProgram } = order;
  return {
    input: deriveAssociatedTokenAddress(keeper, inputMint, inputTokenProgram),
    output: deriveAssociatedTokenAddress(keeper, outputMint, outputTokenProgram),
    makerInput: deriveAssociatedTokenAddress(maker, inputMint, inputTokenProgram),
    makerOutput: deriveAssociatedTokenAddress(maker, outputMint, outputTokenProgram),
  };
}

function decodeOpenOrder(address: Address, account: Account | null): LimitOrder | null {
  if (account === null || account.owner !== LIMIT_ORDER_PROGRAM) return null;
  return decodeFromChain(address, () => decodeLimitOrder(account.data));
}

/** A maker can close an order and open another one at its address. That one is planned when it is reported. */
function hasSameAccounts(one: LimitOrder, other: LimitOrder): boolean {
  const names = ['inputMint', 'outputMint', 'inputTokenProgram', 'outputTokenProgram', 'feeAccount'] as const;
  return one.maker === other.maker && names.every((name) => one[name] === other[name]);
}

function planCancel(context: PlanContext, found: FoundOrder): Promise<PlannedTask> {
  const { address, order, accounts, read } = found;
  const { maker, inputMint } = order;
  const expected = { address: accounts.makerInput, owner: maker, mint: inputMint };
  const hasAccount = isPayable(expected, read.stateOf(accounts.makerInput));
  // Without an account of wrapped SOL, which most makers close after they have placed an order, SOL are returned as SOL.
  if (!hasAccount && inputMint !== WRAPPED_SOL_MINT) {
    throw new OrderPutOff(
      'account',
      `${maker} has no account for ${inputMint} that the order can be returned to`,
    );
  }
  const { gasWallet } = context;
  return planPlainWork(context, {
    task: 'cancel',
    instruction: createCancelOrder(
      { ...order, address },
      gasWallet.address,
      hasAccount ? accounts.makerInput : null,
    ),
    states: read.states,
    signers: [gasWallet],
  });
}

async function planFill(context: PlanContext, found: FoundOrder): Promise<PlannedTask> {
  const { order, accounts, read } = found;
  const { maker, inputMint, outputMint } = order;
  const references = context.findReferences(inputMint, outputMint);
  const worthOf = (making: bigint) => {
    const owed = computeFillPayment(order, making, U64_MAX)?.owed ?? 0n;
    // A maker may name any price and take almost nothing of it: only what the slippage leaves has to be paid.
    const output = divideUp(owed * (ALL_BPS - BigInt(order.slippageBps)), ALL_BPS);
    return computeWorth(context.market, { inputMint, outputMint, input: making, output }, references);
  };
  requireWorth(worthOf(order.making), { inputMint, outputMint, input: order.making, output: order.taking });
  const isPaidInTokens = isPayable(
    { address: accounts.makerOutput, owner: maker, mint: outputMint },
    read.stateOf(accounts.makerOutput),
  );
  if (!isPaidInTokens && outputMint !== WRAPPED_SOL_MINT) {
    throw new OrderPutOff(
      'account',
      `${maker} has no account for ${outputMint}, and the fill does not pay its rent`,
    );
  }
  let whole: Extract<RoutedResult, { kind: 'too little' }> | null = null;
  for (const making of [order.making, ...PARTS.map((part) => order.making / part)]) {
    if (whole !== null && !((worthOf(making) ?? 0) >= LEAST_PART)) break;
    const result = await tryPart(context, found, { making, isPaidInTokens });
    if (result?.kind === 'planned') {
      context.noteRoute(found, result.fit.route);
      return result.planned;
    }
    whole ??= result;
  }
  throw new OrderPutOff(
    'price',
    `the best route pays ${whole?.quoted ?? 0n} atoms of ${outputMint} for ${order.making} of ${inputMint}, and the order wants ${order.taking}`,
  );
}

interface FilledPart {
  readonly making: bigint;
  readonly isPaidInTokens: boolean;
}

/** Plans the fill of a part. Returns null if the order does not allow that part. */
async function tryPart(
  context: PlanContext,
  { address, order: state, accounts, read }: FoundOrder,
  { making, isPaidInTokens }: FilledPart,
): Promise<RoutedResult | null> {
  const { gasWallet, market, venues } = context;
  const order = { ...state, address };
  const { inputMint, outputMint, outputTokenProgram } = order;
  const payment = computeFillPayment(order, making, U64_MAX);
  if (payment === null) return null;
  const isSol = outputMint === WRAPPED_SOL_MINT;
  const keeper = gasWallet.address;
  // The last part comes with what strangers have sent to the reserve, which is left over in the keeper's account.
  const hasRest = making === order.making && readHeldTokens(read.stateOf(order.inputReserve)) > making;
  const closesInput = !hasRest || inputMint === WRAPPED_SOL_MINT;
  const ownFeeAccount = deriveProgramFeeAccount(outputMint, outputTokenProgram);
  const needsFeeAccount = payment.fee > 0n && !isOpen(read.stateOf(order.feeAccount));
  if (needsFeeAccount && order.feeAccount !== ownFeeAccount) {
    throw new OrderPutOff('refused', `the account ${order.feeAccount} for the fee does not exist`);
  }
  const rentOf = (mint: Address) => () => computeTokenAccountRent(market.pools, mint);
  const creations: CreatedAccount[] = [
    { account: accounts.input, rent: rentOf(inputMint), isReturned: closesInput },
  ];
  if (needsFeeAccount)
    creations.push({ account: ownFeeAccount, rent: rentOf(outputMint), isReturned: false });
  return planRoutedFill(context, {
    terms: createSwapTerms({
      inputMint,
      outputMint,
      amount: making,
      taker: keeper,
      inputArrives: true,
      venues,
      // SOL pass through an account of their own and are paid as SOL, so that none of the keeper's wrapped SOL are touched.
      destination: isSol ? { kind: 'native', address: keeper } : { kind: 'taker' },
    }),
    suspects: context.avoided,
    findLeast: (quoted) => {
      if (quoted >= payment.owed) return payment.owed;
      // Within the slippage of the order, its maker gets all that the route pays.
      return computeFillPayment(order, making, quoted) === null ? null : quoted;
    },
    surround: (swap) =>
      surroundPart({ order, keeper, accounts, making, needsFeeAccount, isPaidInTokens, closesInput }, swap),
    creations,
    states: read.states,
    signers: [gasWallet],
    program: LIMIT_ORDER_PROGRAM,
  });
}

/** What the instructions around the swap of a part depend on. */
interface PartTransaction {
  readonly order: PlacedLimitOrder;
  readonly keeper: Address;
  readonly accounts: LimitFillAccounts;
  readonly making: bigint;
  /** Whether the program's account for the fee is created. */
  readonly needsFeeAccount: boolean;
  readonly isPaidInTokens: boolean;
  /** Whether the keeper's account of the input is closed again, if it is opened here. */
  readonly closesInput: boolean;
}

/** Creates what borrows the input of a part before the swap, and pays its price after it. */
function surroundPart(
  { order, keeper, accounts, making, needsFeeAccount, isPaidInTokens, closesInput }: PartTransaction,
  { least, missing }: SurroundedSwap,
): SurroundingInstructions {
  const { inputMint, outputMint, inputTokenProgram, outputTokenProgram } = order;
  const opensInput = missing.has(accounts.input);
  const input = { payer: keeper, owner: keeper, mint: inputMint, tokenProgram: inputTokenProgram };
  const fee = { payer: keeper, owner: LIMIT_ORDER_FEE, mint: outputMint, tokenProgram: outputTokenProgram };
  const closing = { account: accounts.input, destination: keeper, authority: keeper };
  return {
    before: [
      ...(opensInput ? [createAssociatedTokenIdempotent(input)] : []),
      ...(needsFeeAccount ? [createAssociatedTokenIdempotent(fee)] : []),
      createPreFlashFill(order, keeper, accounts.input, making),
    ],
    after: [
      createFlashFill(order, {
        taker: keeper,
        source: outputMint === WRAPPED_SOL_MINT ? null : accounts.output,
        destination: isPaidInTokens ? accounts.makerOutput : null,
        maximum: least,
      }),
      ...(opensInput && closesInput ? [closeAccount(inputTokenProgram, closing)] : []),
    ],
  };
}

function isOpen(account: Account | null): boolean {
  return account !== null && isTokenProgram(account.owner);
}
