import { requireAvailable } from '../../chain/chain.ts';
import { Unavailable } from '../../common/unavailable.ts';
import type { Address } from '../../solana/address.ts';
import { isPaidOutOnClosing } from '../../solana/program-addresses.ts';
import { type Bps, minimum } from '../../solana/units.ts';
import type { Assembly } from '../../swaps/build/assembly.ts';
import type { BestFit } from '../../swaps/build/best-fit.ts';
import type { SwapMarket } from '../../swaps/build/swap-market.ts';
import type { SwapTerms, VenueChoice } from '../../swaps/build/swap-terms.ts';
import { findFailingPools } from '../../swaps/engines/failing-pools.ts';
import { buildOrderTransaction, INSUFFICIENT_SOL } from '../../swaps/engines/order-transaction.ts';
import { SwapRefused } from '../../swaps/refusals.ts';
import type { AccountStates } from '../../transactions/build/costs.ts';
import type { OrderSale } from '../order-sale.ts';
import { type FillPlan, FillPutOff, type PlannedFill } from './fill-plan.ts';
import { createFillTerms, quoteFill } from './fill-quote.ts';
import { describeRefusal } from './fill-refusal.ts';
import {
  createRentPutOff,
  type FillSituation,
  findTradedMint,
  readFillSituation,
  readMintDecimals,
} from './fill-situation.ts';
import { computeFillFloor, type FloorLimits, getFillSlippage, isUsablePrice } from './floor.ts';
import { SuspectPools } from './suspect-pools.ts';

export interface FillPlannerDependencies {
  readonly market: SwapMarket;
  /** Labels of the venues that routes may use, by program. */
  readonly venueLabels: Readonly<Record<string, string>>;
  /** The address of the wallet that pays for fills. */
  readonly gasWallet: Address;
  /** Whether that wallet is known to hold too little for any fill. Absent: it never is. */
  readonly isGasEmpty?: () => boolean;
  readonly limits: FloorLimits;
  /** The setting `order-fee-bps`. */
  readonly feeBps: Bps;
  /** The venues that fills may lead over; absent allows every venue. */
  readonly venues?: VenueChoice;
}

/** US dollars for one whole token of the input and of the output; null for a token without a price that can be relied on. */
export interface ReferenceQuote {
  readonly referenceIn: number | null;
  readonly referenceOut: number | null;
}

/** How many routes are tried when simulation shows that their transactions would fail. */
const MAX_ATTEMPTS = 4;
/** The parts of an order that are tried if the whole cannot be filled. */
const PARTS = [2n, 4n, 8n] as const;
/** US dollars. A part is worth no less, so that an order does not crumble into fills that cost more than they sell. */
const LEAST_PART = 10;
/** Fills in a row that may fail before the order's account is handed over instead of closed. */
const MAX_FAILED_CLOSINGS = 1;

/** Plans the fills of orders whose price is reached. Nothing is signed or counted here. */
export class FillPlanner {
  readonly #dependencies: FillPlannerDependencies;
  readonly #suspects = new SuspectPools();
  #serial = 0;

  constructor(dependencies: FillPlannerDependencies) {
    this.#dependencies = dependencies;
  }

  /**
   * Plans the fill of an order: exactly what the sale says, or all that lies in its account, or, if no route pays enough for
   * that, a half, a quarter or an eighth of what remains of it.
   * @param references - The prices that the floor is computed from.
   * @returns the unsigned fill, or why the order has to wait
   */
  async plan(order: OrderSale, references: ReferenceQuote): Promise<FillPlan> {
    const suspects = this.#suspects.of(order);
    if (suspects.size > 0) {
      const plan = await this.#planWithout(suspects, order, references);
      if (plan.kind === 'fill') return plan;
    }
    return this.#planWithout(NO_POOLS, order, references);
  }

  async #planWithout(
    pools: ReadonlySet<Address>,
    order: OrderSale,
    references: ReferenceQuote,
  ): Promise<FillPlan> {
    try {
      return await this.#plan(order, references, pools);
    } catch (error) {
      if (error instanceof FillPutOff) return { kind: 'waits', reason: error.reason, detail: error.message };
      if (error instanceof SwapRefused) return { kind: 'waits', ...describeRefusal(error) };
      if (error instanceof Unavailable)
        return { kind: 'waits', reason: 'unavailable', detail: error.message };
      throw error;
    }
  }

  async #plan(
    order: OrderSale,
    references: ReferenceQuote,
    suspects: ReadonlySet<Address>,
  ): Promise<PlannedFill> {
    const { market, gasWallet, isGasEmpty } = this.#dependencies;
    requireAvailable(market.chain);
    if (isGasEmpty?.() === true) {
      throw new FillPutOff('gas', `the wallet ${gasWallet} that pays for fills is empty`);
    }
    if (order.inputMint === order.outputMint) {
      throw new FillPutOff('route', `${order.inputMint} cannot be sold for itself`);
    }
    const floorOf = this.#createFloor(order, references);
    const found = await readFillSituation(this.#dependencies, order);
    const { amount, isWhole } = findSoldAmount(order, found);
    const returned = isWhole ? found.held.rent : 0n;
    if (found.outputRent > returned) throw createRentPutOff(order, { ...found, returned });
    const whole = await this.#tryFill(order, found, {
      amount,
      floor: floorOf(amount),
      rentGoesTo: isWhole ? (found.outputRent > 0n ? gasWallet : order.wallet) : null,
      isHandedOver: isHandedOver(order, found),
      suspects,
    });
    if (whole.kind === 'fill') return whole.fill;
    for (const part of this.#listParts(order, found, references)) {
      const sold = { amount: part, floor: floorOf(part), rentGoesTo: null, isHandedOver: false, suspects };
      const tried = await this.#tryFill(order, found, sold);
      if (tried.kind === 'fill') return tried.fill;
    }
    const { quotedOut, floor } = whole;
    throw new FillPutOff(
      'price',
      `the best route pays ${quotedOut} atoms of ${order.outputMint} for ${amount} of ${order.inputMint}, and the order is filled for ${floor} at least`,
    );
  }

  #createFloor(order: OrderSale, { referenceIn, referenceOut }: ReferenceQuote): (amount: bigint) => bigint {
    if (!isUsablePrice(referenceIn))
      throw new FillPutOff('unpriced', `${order.inputMint} has no reliable price`);
    if (!isUsablePrice(referenceOut))
      throw new FillPutOff('unpriced', `${order.outputMint} has no reliable price`);
    const tokens = {
      input: { dollars: referenceIn, decimals: this.#decimalsOf(order.inputMint) },
      output: { dollars: referenceOut, decimals: this.#decimalsOf(order.outputMint) },
    };
    return (amount) => computeFillFloor(amount, tokens, getFillSlippage(order), this.#dependencies.limits);
  }

  #decimalsOf(mint: Address): number {
    return readMintDecimals(findTradedMint(this.#dependencies.market, mint));
  }

  /** Returns the parts of an order that may be filled alone. A part leaves the account open, so it must cost no rent. */
  #listParts(
    { remaining, inputMint, exactly, leg }: OrderSale,
    { held, outputRent }: FillSituation,
    { referenceIn }: ReferenceQuote,
  ): readonly bigint[] {
    // A part of a profit that is taken would leave the rest without its stop.
    if (outputRent > 0n || exactly !== null || leg === 'take_profit') return [];
    const unit = (referenceIn ?? 0) / 10 ** this.#decimalsOf(inputMint);
    const parts = PARTS.map((part) => minimum(remaining, held.amount) / part);
    return parts.filter((amount) => Number(amount) * unit >= LEAST_PART);
  }

  /** Builds a fill of so much, unless its best route does not reach the floor. */
  async #tryFill(order: OrderSale, found: FillSituation, sold: Sold): Promise<Tried> {
    const { market, gasWallet, venues } = this.#dependencies;
    const { fee } = found;
    // A part sells tokens alone.
    const unsynced = sold.rentGoesTo === null ? 0n : found.held.unsynced;
    const avoid = new Set(sold.suspects);
    let failure: SwapRefused | null = null;
    for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
      const terms = createFillTerms(order, gasWallet, { ...sold, unsynced, fee, avoid, venues });
      let fit: BestFit;
      try {
        fit = quoteFill(market, terms, { fee, slippage: getFillSlippage(order), floor: sold.floor });
      } catch (error) {
        throw error instanceof SwapRefused ? (failure ?? error) : error;
      }
      const { quotedOut } = fit.assembly;
      if (quotedOut < sold.floor) {
        if (failure !== null) throw failure;
        return { kind: 'too little', quotedOut, floor: sold.floor };
      }
      try {
        const fill = await this.#build(order, found, sold, { terms, fit });
        this.#suspects.note(order, fit.route);
        return { kind: 'fill', fill };
      } catch (error) {
        if (!(error instanceof SwapRefused && error.reason.kind === 'failing')) throw error;
        failure = error;
        const failing = findFailingPools(this.#dependencies.venueLabels, fit.route, error.reason);
        for (const pool of failing) avoid.add(pool);
      }
    }
    throw failure ?? new Error('no route was tried');
  }

  async #build(
    order: OrderSale,
    found: FillSituation,
    { amount, floor, rentGoesTo }: Sold,
    { terms, fit: { assembly } }: { readonly terms: SwapTerms; readonly fit: BestFit },
  ): Promise<PlannedFill> {
    const { market, gasWallet } = this.#dependencies;
    const states = await this.#readFurther(found.states, assembly);
    const toBuild = {
      order: { receiver: order.wallet, priorityFee: null },
      terms,
      assembly,
      coSigner: null,
      isSponsored: true,
      serial: this.#serial++,
    };
    const built = await buildOrderTransaction(market, toBuild, states);
    if (built.unbuildable !== undefined) {
      const { code, details } = built.unbuildable;
      throw new FillPutOff(code === INSUFFICIENT_SOL ? 'gas' : 'refused', details);
    }
    const { messageBytes, lastValidBlockHeight, costs } = built;
    const rentReturned = rentGoesTo === gasWallet ? found.held.rent : 0n;
    if (costs.rentFee > rentReturned) {
      throw createRentPutOff(order, { outputRent: costs.rentFee, returned: rentReturned });
    }
    return {
      kind: 'fill',
      messageBytes,
      lastValidBlockHeight,
      lookupTables: assembly.tables,
      inputAmount: amount,
      held: found.held.amount - found.held.unsynced,
      quotedOut: assembly.quotedOut,
      threshold: assembly.threshold,
      floor,
      slippageBps: assembly.slippageBps,
      platformFee: terms.platformFee ?? null,
      isWhole: rentGoesTo !== null,
      lamports: costs.signatureFee + costs.prioritizationFee,
      rentPaid: costs.rentFee,
      rentReturned,
      created: found.created,
    };
  }

  /** Adds the accounts between the steps to those that are known. Most routes lead through none. */
  async #readFurther(
    states: AccountStates,
    { creations }: Pick<Assembly, 'creations'>,
  ): Promise<AccountStates> {
    const further = creations.map(({ account }) => account).filter((account) => !states.has(account));
    if (further.length === 0) return states;
    const read = await this.#dependencies.market.chain.getAccounts(further);
    return new Map([...states, ...read.map(({ address, account }) => [address, account] as const)]);
  }
}

/**
 * Returns the atoms that a fill sells, and whether they are all that the order's account holds.
 * @throws FillPutOff when the account holds less than has to be sold
 */
function findSoldAmount(
  { account, exactly }: OrderSale,
  { held }: FillSituation,
): { readonly amount: bigint; readonly isWhole: boolean } {
  if (exactly === null) return { amount: held.amount, isWhole: true };
  const tokens = held.amount - held.unsynced;
  if (tokens < exactly) {
    throw new FillPutOff('refused', `the order's account ${account} holds ${tokens} atoms, not ${exactly}`);
  }
  return { amount: exactly, isWhole: false };
}

/**
 * Whether the wallet becomes the owner of the order's account, which is not closed then. Closing fails if somebody has sent tokens
 * to the account after its balance was read, and a stranger could do that before each fill. An account of wrapped SOL is closed
 * with whatever is in it, and one whose rent the gas wallet needs has to be closed.
 */
function isHandedOver({ failures, inputMint }: OrderSale, { outputRent }: FillSituation): boolean {
  return failures > MAX_FAILED_CLOSINGS && outputRent === 0n && !isPaidOutOnClosing(inputMint);
}

const NO_POOLS: ReadonlySet<Address> = new Set();

interface Sold {
  /** Atoms of the input. */
  readonly amount: bigint;
  readonly floor: bigint;
  /** Who gets the rent of the order's account; null leaves the account open. */
  readonly rentGoesTo: Address | null;
  /** Whether they become the owner of the account, which is not closed then. */
  readonly isHandedOver: boolean;
  /** Pools to leave out. */
  readonly suspects: ReadonlySet<Address>;
}

type Tried =
  | { readonly kind: 'fill'; readonly fill: PlannedFill }
  | { readonly kind: 'too little'; readonly quotedOut: bigint; readonly floor: bigint };
