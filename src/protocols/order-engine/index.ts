import type { Protocol } from '../../protocol/protocol.ts';
import { ORDER_ENGINE_PROGRAM } from './fill-instruction.ts';
import { ORDER_ENGINE_INTERFACE } from './interface.ts';
import { ORDER_ENGINE_INSTRUCTIONS } from './order-engine-decoding.ts';

/** The program that settles the quotes of makers that are asked by webhook. */
export const orderEngineProtocol: Protocol = {
  name: 'order-engine',
  programs: [
    {
      name: 'order-engine',
      address: ORDER_ENGINE_PROGRAM,
      loadsAfterAggregator: true,
      interface: ORDER_ENGINE_INTERFACE,
    },
  ],
  instructions: [ORDER_ENGINE_INSTRUCTIONS],
};
