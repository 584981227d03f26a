import { waitWithin } from '../../common/ports/timers.ts';
import {
  ReferencePrices,
  type ReferencePricesOptions,
} from '../../waiting-orders/references/reference-prices.ts';
import { ProgramOrderKeeper, type ProgramOrderKeeperOptions } from '../keeper/program-order-keeper.ts';

export interface OpenProgramKeeperOptions
  extends Omit<ProgramOrderKeeperOptions, 'references'>,
    Pick<ReferencePricesOptions, 'marketData' | 'holdSlots'> {}

/** A keeper that works. */
export interface OpenedProgramKeeper {
  /** Returns why orders are not filled by this process; null when they are. */
  readonly unhealthy: () => string | null;
  /** Begins no further fill. Resolves when none is on its way. */
  readonly drain: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** How long the start waits until the open orders are read. */
const MAX_FIRST_READ_MS = 2_000;

/** Opens the keeper of orders that live in programs, with the prices that it compares them with. */
export async function openProgramKeeper({
  marketData,
  holdSlots,
  ...options
}: OpenProgramKeeperOptions): Promise<OpenedProgramKeeper> {
  const { timers, onDefect } = options;
  const { chain } = options.market;
  const references = new ReferencePrices({ marketData, chain, holdSlots, timers, onDefect });
  const keeper = new ProgramOrderKeeper({ ...options, references });
  await waitWithin(keeper.start(), MAX_FIRST_READ_MS, timers);
  return {
    unhealthy: () => keeper.unhealthy(),
    drain: () => keeper.drain(),
    close: async () => {
      await keeper.close();
      references.close();
    },
  };
}
