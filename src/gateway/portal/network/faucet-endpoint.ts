import type { FastifyInstance, FastifyReply, RouteShorthandOptions } from 'fastify';
import { NetworkRefused } from '../../../chain/embedded/ledger/bank.ts';
import { BoundedCache } from '../../../common/collections/bounded-cache.ts';
import { formatForError } from '../../../common/format-for-error.ts';
import { parseAddress } from '../../../solana/address.ts';
import { sendGatewayError } from '../../http/errors.ts';
import { RequestInvalid } from '../../http/validation.ts';
import { SlidingLog } from '../../limits/sliding-log.ts';
import { MinuteBudget } from './minute-budget.ts';
import type { PortalNetwork } from './portal-network.ts';

/** In a minute. */
const MAX_FOR_ADDRESS = 3;
/** In a minute, for all addresses together: the faucet's SOL pays for the network's own transactions too. */
const MAX_FOR_ALL = 30;
/** In a minute, for one caller: one that fills wallet after wallet leaves something for others. */
const MAX_FOR_CALLER = 20;
/** No more can be counted in a minute. */
const MAX_ADDRESSES = 64;
const MAX_BODY_BYTES = 1024;

/** Registers `POST /portal/data/faucet`, which fills a throwaway wallet of the embedded network. */
export function registerPortalFaucet(
  app: FastifyInstance,
  path: string,
  options: RouteShorthandOptions,
  network: PortalNetwork,
): void {
  // Callers without a key are often the only ones, so all of them together have all of it.
  const budget = new MinuteBudget({
    forAll: MAX_FOR_ALL,
    forCaller: MAX_FOR_CALLER,
    forClients: MAX_FOR_ALL,
  });
  const byAddress = new BoundedCache<string, SlidingLog>(MAX_ADDRESSES);
  app.post(path, { ...options, bodyLimit: MAX_BODY_BYTES }, async ({ body, caller }, reply) => {
    if (typeof body !== 'object' || body === null)
      throw new RequestInvalid('The body must be a JSON object with an address');
    const given = (body as Record<string, unknown>).address;
    const wallet = typeof given === 'string' ? parseAddress(given) : null;
    if (wallet === null)
      throw new RequestInvalid(`address must be a Solana address, got ${formatForError(given)}`);
    const now = network.now();
    const own = byAddress.get(wallet) ?? new SlidingLog();
    byAddress.set(wallet, own);
    const byOwn = own.hit(now, MAX_FOR_ADDRESS);
    if (!byOwn.admitted)
      return refuseGift(reply, byOwn.freesAt - now, `${MAX_FOR_ADDRESS} times a minute to one wallet`);
    const spent = budget.take(caller, now);
    if (spent !== null) {
      own.takeBack();
      const limit =
        spent.spent === 'caller'
          ? `${MAX_FOR_CALLER} times a minute to one caller`
          : `${MAX_FOR_ALL} times a minute to all wallets together`;
      return refuseGift(reply, spent.waitMs, limit);
    }
    try {
      const { signatures, lamports, tokenAmounts } = await network.fundWallet(wallet);
      return reply.header('cache-control', 'no-store').send({
        signatures,
        lamports: lamports.toString(),
        tokenAmounts: tokenAmounts.map(({ mint, amount }) => ({ mint, amount: amount.toString() })),
      });
    } catch (error) {
      if (error instanceof NetworkRefused) throw new RequestInvalid(error.message);
      throw error;
    }
  });
}

function refuseGift(reply: FastifyReply, waitMs: number, limit: string): FastifyReply {
  const seconds = Math.max(1, Math.ceil(waitMs / 1_000));
  reply.header('retry-after', seconds);
  return sendGatewayError(reply, 429, `The faucet gives at most ${limit}; try again in ${seconds} s`);
}
