import type { FastifyInstance } from 'fastify';
import { createSwapServices, swap } from '../../products/swap/index.ts';
import { openProductGateway } from '../product-gateway.ts';
import type { TestSwap } from './swap.ts';

/** The front door over a swap product, for clients without a key that send requests without end. */
export function openSwapGateway({ composed }: TestSwap): Promise<FastifyInstance> {
  return openProductGateway(swap.run(createSwapServices(composed)));
}
