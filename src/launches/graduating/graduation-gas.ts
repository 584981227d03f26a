import { METEORA_DBC_AUTHORITY, METEORA_DBC_PROGRAM } from '../../protocols/meteora-dbc/program/program.ts';
import type { Store } from '../../store/index.ts';
import { GasBudget, type GasCharge } from '../../waiting-orders/fills/gas-budget.ts';
import { createOrderGas, type OrderGas } from '../../waiting-orders/fills/order-gas.ts';
import { MAX_STEP_LAMPORTS } from './graduation-plan.ts';

/** A launch is large if it has raised that much. Whoever wants to spend the whole budget of a day has to raise as much each time. */
export const LARGE_RAISE_DOLLARS = 300;

/** The name by which the budget of migrations is kept apart from that of fills. */
const PURPOSE = 'launches';

/**
 * By whom the lamports of a day are counted. All launches of a size are one: whoever makes the service migrate worthless launches can
 * use any number of wallets.
 */
const PAID_FOR = { large: METEORA_DBC_PROGRAM, small: METEORA_DBC_AUTHORITY } as const;

/** What migrations may cost in a day, by the size of the launch. Both count towards the same sum. */
export interface GraduationBudgets {
  readonly large: GasBudget;
  readonly small: GasBudget;
}

/** Creates budgets by which small launches get at most half of the lamports of a day, and large ones all that is left. */
export function createGraduationBudgets(
  payer: GasCharge['wallet'],
  lamportsPerDay: bigint,
  store: Store,
): GraduationBudgets {
  const create = (perWallet: bigint) =>
    new GasBudget(payer, { perWallet, inAll: lamportsPerDay }, store, PURPOSE);
  return { large: create(lamportsPerDay), small: create(lamportsPerDay / 2n) };
}

/** Lamports that were counted for a step of a graduation. */
export interface SpentOnGraduation {
  readonly charge: GasCharge;
  readonly gas: OrderGas;
}

/** Counts what graduations cost, by the size of the launch. */
export class GraduationGas {
  readonly #bySize: Readonly<Record<keyof GraduationBudgets, OrderGas>>;
  #isSpent = false;

  /** @param onDefect - Called when a charge could not be given back. It stays counted. */
  constructor({ large, small }: GraduationBudgets, onDefect: (where: string, error: unknown) => void) {
    this.#bySize = {
      large: createOrderGas({ budget: large }, onDefect),
      small: createOrderGas({ budget: small }, onDefect),
    };
  }

  /**
   * Counts the most that a step may cost. Returns null if that is not within the budget.
   *
   * @param worth - What the launch has raised, in dollars.
   * @throws Unavailable when the store does not answer
   */
  async spend(worth: number, lamports: bigint): Promise<SpentOnGraduation | null> {
    const size = worth >= LARGE_RAISE_DOLLARS ? 'large' : 'small';
    const gas = this.#bySize[size];
    const charge = await gas.spend(PAID_FOR[size], lamports);
    if (size === 'large') this.#isSpent = charge === null;
    return charge === null ? null : { charge, gas };
  }

  /** Notes that no launch waits, whatever could not be paid before. */
  noteNothingWaits(): void {
    this.#isSpent = false;
  }

  /** Returns why large launches are not paid for; null when they are. */
  unhealthy(): string | null {
    return this.#isSpent
      ? 'launches wait, because the lamports of graduation-lamports-per-day are spent'
      : null;
  }
}

/**
 * Returns why a wallet cannot pay for a migration; null if it can.
 *
 * @param lamports - What it holds; null while the network has not said.
 */
export function describeLackOfGas(lamports: bigint | null): string | null {
  if (lamports === null || lamports >= MAX_STEP_LAMPORTS) return null;
  return `the gas wallet holds ${lamports} lamports, and a migration needs ${MAX_STEP_LAMPORTS}`;
}
