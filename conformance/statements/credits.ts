import { setTimeout as sleep } from 'node:timers/promises';
import { unless } from '../answer.ts';
import type { Statement } from '../statement.ts';
import type { AskOptions, World } from '../world.ts';
import { SOL, USDC } from './mints.ts';

const QUOTE = `inputMint=${SOL}&outputMint=${USDC}&amount=100000000`;

/** Asks with a key of a new organisation. @returns the credits that the organisation then has used */
async function creditsAfter(world: World, path: string, options: AskOptions = {}): Promise<number> {
  const { slug, key } = await world.newOrganisation();
  await world.ask(path, { ...options, key });
  // The request is recorded when its connection has taken the answer, which may be after the client has it.
  await sleep(50);
  const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/usage`);
  return json?.month?.used;
}

function costs(id: string, credits: number, what: string, path: string, options?: AskOptions): Statement {
  return {
    id: `credits/${id}`,
    says: `${what} costs ${credits} credits.`,
    check: async (world) => {
      const used = await creditsAfter(world, path, options);
      return unless(used === credits, { used });
    },
  };
}

const post = (body: unknown): AskOptions => ({ method: 'POST', body });
const WALLET = '11111111111111111111111111111112';
const SENT = { inviteSigner: 'EeQyWsZ9kCxZ4oiBTvWNMDmXWKkhfQveARTEF2r8keM6', sender: WALLET, amount: '1' };
const UNSIGNED = post({ requestId: '00000000-0000-4000-8000-000000000000', signedTransaction: 'AA==' });

export const creditsStatements: readonly Statement[] = [
  costs('build', 1, 'A build', `/swap/v2/build?${QUOTE}&taker=${WALLET}`),
  costs('order', 1, 'An order', `/swap/v2/order?${QUOTE}`),
  costs('quote-v1', 1, 'A quote of swap v1', `/swap/v1/quote?${QUOTE}`),
  costs('execute', 0, 'An execution', '/swap/v2/execute', UNSIGNED),
  costs('execute-v1', 0, 'An execution under the older path', '/ultra/v1/execute', UNSIGNED),
  costs('pending-invites', 1, 'A list of pending invites', `/send/v1/pending-invites?address=${WALLET}`),
  costs('invite-history', 1, 'A history of invites', `/send/v1/invite-history?address=${WALLET}`),
  costs('craft-send', 1, 'An invite', '/send/v1/craft-send', post(SENT)),
  costs(
    'craft-clawback',
    1,
    'A clawback',
    '/send/v1/craft-clawback',
    post({ invitePDA: USDC, sender: WALLET }),
  ),
  costs('prediction-events', 1, 'A list of prediction events', '/prediction/v1/events'),
  costs(
    'prediction-history',
    1,
    'A history of prediction markets',
    `/prediction/v1/history?ownerPubkey=${WALLET}`,
  ),
  costs(
    'prediction-order',
    1,
    'An order of a prediction market',
    '/prediction/v1/orders',
    post({ isBuy: true }),
  ),
  costs(
    'prediction-execute',
    0,
    'Landing an order of a prediction market',
    '/prediction/v1/execute',
    post({ signedTransaction: 'AAAA' }),
  ),
  costs('refused-by-product', 1, 'A request that a product answers with 400', '/swap/v2/order?amount=x'),
  costs('unknown-path', 0, 'A path that does not exist', '/swap/v2/nowhere'),
  costs('method', 0, 'A request with a method that the path does not have', '/swap/v2/order', {
    method: 'DELETE',
  }),
  costs('health', 0, 'Asking for health', '/health'),
  {
    id: 'credits/month',
    says: 'Usage names the credits that the plan includes in the calendar month, and the overage.',
    check: async (world) => {
      const { slug } = await world.newOrganisation();
      const { json } = await world.admin('GET', `/admin/v1/organisations/${slug}/usage`);
      const { plan, included, used, overage, since, until } = json.month;
      const days = (until - since) / 86_400_000;
      const isMonth = new Date(since).getUTCDate() === 1 && days >= 28 && days <= 31;
      const isPro = plan === 'pro' && included === 500_000_000 && used === 0 && overage === 0;
      return unless(isPro && isMonth, json.month);
    },
  },
];
