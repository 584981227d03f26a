import { requireAvailable } from '../../../chain/chain.ts';
import { Unavailable } from '../../../common/unavailable.ts';
import type { Address } from '../../../solana/address.ts';
import { SwapRefused } from '../../../swaps/refusals.ts';
import { FillPutOff } from '../../../waiting-orders/fills/fill-plan.ts';
import { describeRefusal } from '../../../waiting-orders/fills/fill-refusal.ts';
import { SuspectPools } from '../../../waiting-orders/fills/suspect-pools.ts';
import { type KnownDcaOrder, planDcaOrder } from './dca-plan.ts';
import { type KnownLimitOrder, planLimitOrder } from './limit-plan.ts';
import type { GoneOrder, ProgramOrderPlan, PlannedTask } from './order-plan.ts';
import { OrderPutOff, toOrderWait } from './order-put-off.ts';
import type { OrderPlanDependencies, PlanContext } from './plan-dependencies.ts';

/** An order of one of the two programs. */
export type KnownOrder =
  | ({ readonly program: 'limit-order' } & KnownLimitOrder)
  | ({ readonly program: 'dca' } & KnownDcaOrder);

/** Plans what a keeper does with orders of programs. Nothing is signed or counted here. */
export class ProgramOrderPlanner {
  readonly #context: PlanContext;
  readonly #suspects = new SuspectPools();
  #serial = 0;

  constructor(dependencies: OrderPlanDependencies) {
    this.#context = {
      ...dependencies,
      nextSerial: () => this.#serial++,
      avoided: NO_POOLS,
      noteRoute: ({ address, failures }, route) => this.#suspects.note({ id: address, failures }, route),
    };
  }

  /**
   * Plans a transaction that fills an order as it is now, cancels it after its end, or closes it.
   *
   * Returns the unsigned transaction, or why the order has to wait.
   */
  async plan(known: KnownOrder): Promise<ProgramOrderPlan> {
    try {
      return await this.#plan(known);
    } catch (error) {
      if (error instanceof OrderPutOff) return { kind: 'waits', reason: error.reason, detail: error.message };
      if (error instanceof FillPutOff)
        return { kind: 'waits', reason: toOrderWait(error.reason), detail: error.message };
      if (error instanceof SwapRefused) {
        const { reason, detail } = describeRefusal(error);
        return { kind: 'waits', reason: toOrderWait(reason), detail };
      }
      if (error instanceof Unavailable)
        return { kind: 'waits', reason: 'unavailable', detail: error.message };
      throw error;
    }
  }

  async #plan(known: KnownOrder): Promise<PlannedTask | GoneOrder> {
    const { market, gasWallet, isGasEmpty, dcaKeeper } = this.#context;
    requireAvailable(market.chain);
    if (isGasEmpty?.() === true) {
      throw new OrderPutOff('gas', `the wallet ${gasWallet.address} that pays for fills is empty`);
    }
    const planWith = (context: PlanContext) => {
      if (known.program === 'limit-order') return planLimitOrder(context, known);
      if (dcaKeeper === null) throw new OrderPutOff('refused', 'no key of this keeper may fill DCA orders');
      return planDcaOrder(context, dcaKeeper, known);
    };
    const avoided = this.#suspects.of({ id: known.address, failures: known.failures });
    if (avoided.size > 0) {
      try {
        return await planWith({ ...this.#context, avoided });
      } catch (error) {
        // Fills fail for other reasons, too. Without any other route, the order is better tried over these pools than never.
        if (!(error instanceof OrderPutOff || error instanceof SwapRefused)) throw error;
      }
    }
    return planWith(this.#context);
  }
}

const NO_POOLS: ReadonlySet<Address> = new Set();
