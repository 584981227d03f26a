import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import type { RequestFaults } from '../../pipeline/request-faults.ts';
import type { AdminNetwork } from './network-controls.ts';
import { ClockAnswer } from './network-schema.ts';

/** Registers the reset of the network to its genesis. It also removes the faults of requests. */
export function registerReset(
  scope: FastifyInstance,
  network: AdminNetwork,
  requestFaults: RequestFaults | null,
): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  app.post(
    '/admin/v1/network/reset',
    {
      schema: {
        tags: ['network'],
        summary: 'Put the network back to its beginning',
        description:
          'Accounts, prices and clock become those of a network that is started now, and all faults are removed. Slots, blockhashes, transaction history, named snapshots, keys and organisations stay.',
        response: { 200: ClockAnswer },
      },
    },
    async () => {
      requestFaults?.clear();
      await network.reset();
      const { slot, unixTimestamp } = network.clock();
      return { slot: slot.toString(), unixTimestamp: unixTimestamp.toString() };
    },
  );
}
