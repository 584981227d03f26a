import type { FastifyInstance, RouteShorthandOptions } from 'fastify';
import { Type } from 'typebox';
import { formatForError } from '../../common/format-for-error.ts';
import { parseAddress } from '../../solana/address.ts';
import type { AccountDecoder } from '../../transactions/decoding/accounts/decode-account.ts';
import type { OutsideBudget } from './network/outside-rpc.ts';
import { RequestInvalid } from '../http/validation.ts';

const AccountParams = Type.Object({ address: Type.String({ maxLength: 64 }) });

/**
 * Registers the endpoint by which pages show an account.
 * @param budget - What pages may read of an outside RPC; null on the embedded network.
 */
export function registerAccounts(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  accounts: AccountDecoder,
  budget: Pick<OutsideBudget, 'take'> | null,
): void {
  const route = { ...options, schema: { ...options.schema, params: AccountParams } };
  app.get<{ Params: Type.Static<typeof AccountParams> }>(
    `${path}/:address`,
    route,
    async (request, reply) => {
      const { params } = request;
      const address = parseAddress(params.address);
      if (address === null) {
        throw new RequestInvalid(`address must be 32 bytes in base58, got ${formatForError(params.address)}`);
      }
      // The account is read, what it names, and the mints of those.
      const refused = budget?.take(request, reply, 3) ?? null;
      if (refused !== null) return refused;
      return reply.header('cache-control', 'no-store').send(await accounts.decode(address));
    },
  );
}
