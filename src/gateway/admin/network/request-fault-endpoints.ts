import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { faultCount, faultDelay, faultStatus } from './fault-fields.ts';
import { AdminRefused } from '../../../chain/embedded/ledger/bank.ts';
import type { RequestFaults } from '../../pipeline/request-faults.ts';

const PATH = '/admin/v1/network/faults/requests';
const MAX_DELAY_MS = 60_000;

const Status = faultStatus('Answered in place of the product, as the gateway answers it otherwise.');
const DelayMs = faultDelay(MAX_DELAY_MS);
const NoStatus = Type.Null({ description: 'None: the request is processed, after the delay.' });

export const RequestFaultBody = Type.Object(
  {
    path: Type.String({
      pattern: '^/[^?#]*$',
      maxLength: 500,
      description: 'As clients ask for it, without a query; with `*` at its end, every path that begins so.',
    }),
    status: Type.Optional(Status),
    delayMs: Type.Optional(DelayMs),
    count: Type.Optional(faultCount('Requests')),
  },
  { additionalProperties: false },
);

export const RequestFaultsAnswer = Type.Object({
  waiting: Type.Array(
    Type.Object({
      path: Type.String(),
      status: Type.Union([Status, NoStatus]),
      delayMs: DelayMs,
      count: Type.Integer(),
    }),
    { description: 'In their order. The first one that matches a request strikes it.' },
  ),
  struck: Type.Array(
    Type.Object({
      requestId: Type.String(),
      method: Type.String(),
      path: Type.String(),
      status: Type.Union([Status, NoStatus]),
      delayMs: DelayMs,
      at: Type.Integer({ description: 'Unix milliseconds.' }),
    }),
    { description: 'The last hundred requests that were struck, the oldest first.' },
  ),
});

/** Registers the faults of the next requests to the public server. */
export function registerRequestFaults(scope: FastifyInstance, faults: RequestFaults): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: RequestFaultsAnswer };
  const list = () => ({ waiting: [...faults.waiting], struck: [...faults.struck] });
  const schema = (summary: string) => ({ tags: ['network'], summary, response });
  app.get(PATH, { schema: schema('The faults of the next requests') }, async () => list());
  app.post(
    PATH,
    { schema: { ...schema('Refuse or delay the next requests of a path'), body: RequestFaultBody } },
    async ({ body: { path: asked, status = null, delayMs = 0, count = 1 } }) => {
      if (status === null && delayMs === 0)
        throw new AdminRefused('the fault does nothing: give status, delayMs, or both');
      const refusal = faults.add({ path: asked, status, delayMs, count });
      if (refusal !== null) throw new AdminRefused(refusal);
      return list();
    },
  );
  app.delete(PATH, { schema: schema('Forget the faults of the next requests') }, async () => {
    faults.clear();
    return list();
  });
}
