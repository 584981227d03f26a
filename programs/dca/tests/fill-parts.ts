import {
  createFulfillFlashFill,
  createInitiateFlashFill,
} from '../../../src/protocols/jupiter-dca/dca-fills.ts';
import type { Instruction } from '../../../src/solana/messages/instruction.ts';
import { DcaWorld, type OpenOrder } from './world.ts';

/** The parts of a fill. */
export interface FillParts {
  readonly order: OpenOrder;
  readonly first: Instruction;
  readonly swap: readonly Instruction[];
  readonly second: Instruction;
}

export interface FillWorld extends FillParts {
  readonly world: DcaWorld;
  readonly other: FillParts;
}

/** A world with two orders whose first cycles are due, and the parts of a fill of each. */
export function prepareFills(): FillWorld {
  const world = new DcaWorld();
  world.hold(world.keeper, world.input, 0n);
  world.hold(world.user, world.output, 0n);
  const of = (order: OpenOrder): FillParts => ({
    order,
    first: createInitiateFlashFill(world.keeper, order),
    swap: world.swap(order, 100n, 2_000n),
    second: createFulfillFlashFill(world.keeper, order, 2_000n),
  });
  return { world, ...of(world.open()), other: of(world.open()) };
}
