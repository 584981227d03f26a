import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { faultCount, faultDelay, faultStatus } from './fault-fields.ts';
import { AdminRefused } from '../../../chain/embedded/ledger/bank.ts';
import type { AdminNetwork } from './network-controls.ts';

const PATH = '/admin/v1/network/faults/rpc';
const MAX_DELAY_MS = 30_000;
const MAX_CODE = 0x7fff_ffff;

const Status = faultStatus('The HTTP status of the answer to the whole request, of which no call is made.');
const Code = Type.Integer({
  minimum: -MAX_CODE,
  maximum: MAX_CODE,
  description: 'The code of the JSON-RPC error with which the call is answered, without being made.',
});
const DelayMs = faultDelay(MAX_DELAY_MS);
const None = Type.Null({ description: 'None.' });
const Method = Type.String({ description: 'A method of the Solana RPC; `*` is every method.' });

export const CallFaultBody = Type.Object(
  {
    method: Type.String({
      pattern: '^(\\*|[A-Za-z_]{1,64})$',
      description: 'Such as `sendTransaction`; `*` is every method.',
    }),
    status: Type.Optional(Status),
    code: Type.Optional(Code),
    delayMs: Type.Optional(DelayMs),
    count: Type.Optional(faultCount('Calls')),
  },
  { additionalProperties: false },
);

const effect = {
  method: Method,
  status: Type.Union([Status, None]),
  code: Type.Union([Code, None]),
  delayMs: DelayMs,
};

export const CallFaultsAnswer = Type.Object({
  waiting: Type.Array(Type.Object({ ...effect, count: Type.Integer() }), {
    description: 'In their order. The first one that matches a call strikes it.',
  }),
  struck: Type.Array(Type.Object({ ...effect, at: Type.Integer({ description: 'Unix milliseconds.' }) }), {
    description: 'The last hundred calls that were struck, the oldest first.',
  }),
});

/** Registers the faults of the next calls of the embedded network's Solana RPC over HTTP. */
export function registerCallFaults(scope: FastifyInstance, controls: AdminNetwork): void {
  const app = scope.withTypeProvider<TypeBoxTypeProvider>();
  const response = { 200: CallFaultsAnswer };
  const schema = (summary: string) => ({ tags: ['network'], summary, response });
  const list = async () => {
    const { waiting, struck } = await controls.callFaults();
    return { waiting: [...waiting], struck: [...struck] };
  };
  app.get(PATH, { schema: schema('The faults of the next calls of the Solana RPC') }, list);
  app.post(
    PATH,
    {
      schema: { ...schema('Refuse, fail or delay the next calls of the Solana RPC'), body: CallFaultBody },
    },
    async ({ body: { method, status = null, code = null, delayMs = 0, count = 1 } }) => {
      if (status === null && code === null && delayMs === 0)
        throw new AdminRefused('the fault does nothing: give status, code, delayMs, or several');
      if (status !== null && code !== null)
        throw new AdminRefused('give status or code: a request with that status has no JSON-RPC error');
      await controls.faultCalls({ method, status, code, delayMs, count });
      return list();
    },
  );
  app.delete(PATH, { schema: schema('Forget the faults of the next calls of the Solana RPC') }, async () => {
    await controls.clearCallFaults();
    return list();
  });
}
