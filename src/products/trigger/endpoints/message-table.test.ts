import { describe, expect, it } from 'vitest';
import type { Address } from '../../../solana/address.ts';
import type { Keypair } from '../../../solana/keypair.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { bps } from '../../../solana/units.ts';
import { openForAll } from '../../../testing/opened.ts';
import {
  authorizeWallet,
  createTestSignIn,
  openTriggerGateway,
} from '../../../testing/products/trigger-gateway.ts';
import {
  BERN,
  JUP,
  OrderDesk,
  readMessage,
  signBase64,
  USDC,
} from '../../../testing/waiting-orders/order-desk.ts';
import { insertTestOrders } from '../../../testing/waiting-orders/test-order-store.ts';
import { createTestOrder } from '../../../testing/waiting-orders/test-orders.ts';
import { RATE_ONE } from '../../../waiting-orders/earning/earn-program.ts';
import { createTrailingPlan } from '../../../waiting-orders/legs.ts';
import type { RecurringPlan } from '../../../waiting-orders/order-plan.ts';
import { OrderHistory } from '../../../waiting-orders/store/order-history.ts';
import type { WaitingOrder } from '../../../waiting-orders/waiting-order.ts';

const USDT = 'Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB' as Address;
const test = openForAll(openGateway, 'close');

describe('the messages of the public service', () => {
  // The table is made when the gateway is open, so it is walked in one test.
  it('are said word by word, with their status', async () => {
    const said: (readonly [string, number])[] = [];
    for (const [message, , ask] of SAID) {
      const [status, body] = await ask();
      said.push([shorten(readSaid(body), message), status]);
    }
    expect(said).toEqual(SAID.map(([message, status]) => [message, status]));
  });

  it('leave no path with a slash at the end', async () => {
    expect((await post('/orders/dca/', {}))[0]).toBe(404);
  });
});

type Answer = readonly [status: number, body: Said];
interface Said {
  readonly error: string;
  readonly details?: Readonly<Record<string, string>>;
}

/**
 * What the public service says, word by word. `Trailing orders are not enabled` is not among it, because they always are. A text that ends with three dots is the beginning of what is said, and one
 * about a field that clients look up in `details` begins with its name.
 */
const SAID: readonly (readonly [message: string, status: number, ask: () => Promise<Answer>])[] = [
  // Sign-in and vaults.
  ['Unauthorized', 401, () => send('GET', '/orders/history', undefined, null)],
  [
    'Challenge not found',
    400,
    () =>
      send(
        'POST',
        '/auth/verify',
        { type: 'message', walletPubkey: wallet(), signature: '1'.repeat(64) },
        null,
      ),
  ],
  ['Forbidden: userPubkey must match authenticated user', 403, () => craft({ userAddress: JUP })],
  ['Vault already registered', 409, () => post('/vault/register')],
  // Deposits.
  [
    "orderSubType must be omitted when orderType is 'dca'",
    400,
    () => craft({ orderType: 'dca', orderSubType: 'single' }),
  ],
  ['Order must be at least 10 USD (current value: 0.08 USD)', 400, () => craft({ amount: '80000' })],
  [
    'jlEnabled is not supported for this input mint',
    400,
    () => craftRounds({ inputMint: WRAPPED_SOL_MINT, outputMint: USDC, amount: '1000000000', jlMint: BERN }),
  ],
  ['jlMint does not match the JL token for this input mint', 400, () => craftRounds({ jlMint: JUP })],
  // Orders that wait for a price.
  ['Trigger mint is not supported', 400, () => createPrice({ triggerMint: USDC })],
  ['exactly one of triggerPriceUsd or trailingBps must be set', 400, () => createPrice({ trailingBps: 500 })],
  [
    'exactly one of triggerPriceUsd or trailingBps must be set',
    400,
    () => createPrice({ triggerPriceUsd: undefined }),
  ],
  [
    'Market price is unavailable for trailing order',
    400,
    () => createPrice({ ...TRAILING, triggerMint: WRAPPED_SOL_MINT, triggerCondition: 'above' }),
  ],
  [
    'trailingBps: Too small: expected number to be >=50',
    400,
    () => createPrice({ ...TRAILING, trailingBps: 49 }),
  ],
  [
    'Deposit transaction not found in cache. Please craft a new deposit first.',
    400,
    () => createPrice({ depositRequestId: 'unknown' }),
  ],
  ['Cannot convert to trailing stop loss order', 400, () => edit(test.fixed, { trailingBps: 500 })],
  [
    'Cannot set trigger price on trailing stop loss order',
    400,
    () => edit(test.trailing, { triggerPriceUsd: 1 }),
  ],
  ['Trailing order would immediately trigger', 400, () => edit(test.trailing, { trailingBps: 50 })],
  [
    'Order not found',
    404,
    () => send('PATCH', '/orders/price/unknown', { orderType: 'single', triggerPriceUsd: 1 }),
  ],
  ['Order not found', 404, () => send('GET', '/orders/history/unknown')],
  // Orders in rounds.
  [
    'Each order must be at least 10 USD (current value: 9.66 USD)',
    400,
    () => createRounds({ orderCount: 3 }, { amount: '29000000' }),
  ],
  ['orderCount: Too small: expected number to be >=2', 400, () => createRounds({ orderCount: 1 })],
  [
    'intervalSeconds: Too small: expected number to be >=60',
    400,
    () => createRounds({ intervalSeconds: 59 }),
  ],
  [
    'Begin fill time must be in the future',
    400,
    () => createRounds({ beginFillAt: '2020-01-01T00:00:00.000Z' }),
  ],
  [
    'Begin fill time cannot be more than 30 days in the future',
    400,
    () => createRounds({ beginFillAt: '2100-01-01T00:00:00.000Z' }),
  ],
  ['Input mint and output mint cannot be the same', 400, () => craftRounds({ outputMint: USDC })],
  [
    'orderType: Price-conditional orders must have at least minPriceUsd or maxPriceUsd set',
    400,
    () => createRounds({ orderType: 'price_conditional', triggerMint: WRAPPED_SOL_MINT }),
  ],
  [
    'triggerMint: Price-conditional orders must specify a triggerMint',
    400,
    () => createRounds({ orderType: 'price_conditional', minPriceUsd: 1 }),
  ],
  ['Trigger mint is not supported', 400, () => createRounds({ ...BOUNDED, triggerMint: USDC })],
  [
    'Mint pair is not supported',
    400,
    () => createRounds({ ...BOUNDED, outputMint: USDT, triggerMint: USDC }, { outputMint: USDT }),
  ],
  [
    'orderType: Time-based orders cannot set minPriceUsd or maxPriceUsd',
    400,
    () => createRounds({ minPriceUsd: 1 }),
  ],
  [
    'jlEnabled is only supported for time_based orders',
    400,
    () => createRounds({ ...BOUNDED, jlEnabled: true, jlMint: BERN }),
  ],
  [
    'JL orders require the JL deposit craft. Please re-craft the deposit with jlMint.',
    400,
    () => createRounds({ jlEnabled: true, jlMint: BERN }),
  ],
  [
    'Deposit transaction not found in cache. Please craft a new deposit first.',
    400,
    () => createRounds({ depositRequestId: 'unknown' }),
  ],
  ['Maximum of 10 active DCA orders allowed per user', 400, () => craftRounds({}, test.desk.stranger)],
  ['DCA order not found or you do not own it', 404, () => post('/orders/dca/cancel/unknown')],
  ["Cannot cancel DCA order in 'completed' state", 400, () => post(`/orders/dca/cancel/${test.completed}`)],
  ['DCA order not in cancellation state…', 400, () => confirmRounds(test.active, {})],
  [
    'Withdrawal transaction not found in cache. Please initiate cancel again.',
    400,
    () => confirmCancelled({ cancelRequestId: 'unknown' }),
  ],
  ['Invalid transaction format…', 400, () => confirmCancelled({ signedTransaction: 'AAAA' })],
  [
    'Invalid withdrawal transaction: Transaction signers modified',
    400,
    () => confirmCancelled({ signedTransaction: test.foreign }),
  ],
];

const WITHDRAWAL = '5f0c4f0e-6f0b-4d3c-9a52-0d6f1f6a0c11';

const ROUNDS: RecurringPlan = {
  kind: 'time_based',
  rounds: 2,
  intervalMs: 3_600_000,
  beginAt: 1,
  band: null,
  earnMint: null,
};
const BOUNDED = { orderType: 'price_conditional', minPriceUsd: 1, triggerMint: WRAPPED_SOL_MINT };
const TRAILING = { trailingBps: 500, triggerPriceUsd: undefined };

/** The sentence of an answer, or of its first detail after the name of the field. */
function readSaid({ error, details }: Said): string {
  const [detail] = Object.entries(details ?? {});
  return error === 'Request validation failed' && detail !== undefined ? detail.join(': ') : error;
}

function shorten(said: string, message: string): string {
  return message.endsWith('…') ? `${said.slice(0, message.length - 1)}…` : said;
}

async function openGateway() {
  const desk = await OrderDesk.open();
  const { custody, store, edits, withdrawals, orders } = desk;
  const { genesisHash } = desk.market.chain;
  // No token has a market price, and USDC is lent out for a token that stands for its shares.
  const { earn } = desk.dependencies;
  const find = (mint: Address) => (mint === USDC ? { earnMint: BERN, rate: RATE_ONE } : null);
  const { deposits } = desk.openAgain({}, { priceOf: () => null, earn: { ...earn, find } });
  const app = await openTriggerGateway({
    signIn: createTestSignIn(store),
    vaults: custody,
    deposits,
    edits,
    withdrawals,
    history: new OrderHistory(store, genesisHash),
  });
  let number = 0;
  const put = async (changes: Partial<WaitingOrder>) => {
    const order = createTestOrder(++number, { wallet: desk.wallet.address, ...changes });
    await insertTestOrders(store, [order], genesisHash);
    return order.id;
  };
  const rounds = { filled: 0, nextAt: 4e12, lastAt: null };
  for (let count = 0; count < 10; count++) {
    await put({ wallet: desk.stranger.address, plan: ROUNDS, rounds });
  }
  const cancelled = await put({ plan: ROUNDS, rounds, state: 'ready_to_cancel' });
  const [own, foreign] = await Promise.all(
    [desk.wallet, desk.stranger].map(async ({ address: wallet }) =>
      desk.deposits.craft(desk.depositRequest({ wallet, userAddress: wallet })),
    ),
  );
  if (own === undefined || foreign === undefined) throw new Error('no deposit was crafted');
  await orders.putCraft({
    requestId: WITHDRAWAL,
    kind: 'withdrawal',
    wallet: desk.wallet.address,
    orderId: cancelled,
    messageBytes: own.messageBytes,
    lastValidBlockHeight: 1_000_000n,
    terms: '{"balance":"1"}',
    createdAt: 1,
    deleteAt: Number.MAX_SAFE_INTEGER,
  });
  const watched = { triggerMint: WRAPPED_SOL_MINT, condition: 'below', slippageBps: null } as const;
  return {
    desk,
    app,
    cancelled,
    foreign: signBase64(foreign.messageBytes, desk.stranger),
    fixed: await put({}),
    trailing: await put({ plan: createTrailingPlan(watched, { bps: bps(500), watermark: 1e9 }) }),
    active: await put({ plan: ROUNDS, rounds }),
    completed: await put({ plan: ROUNDS, rounds, state: 'fill_success' }),
    close: async () => {
      await app.close();
      await desk.close();
    },
  };
}

const wallet = () => test.desk.wallet.address;

async function send(
  method: 'GET' | 'POST' | 'PATCH',
  path: string,
  body?: object,
  as: Address | null = wallet(),
): Promise<Answer> {
  const answer = await test.app.inject({
    method,
    url: `/trigger/v2${path}`,
    headers: as === null ? {} : { authorization: await authorizeWallet(as) },
    ...(body === undefined ? {} : { payload: body }),
  });
  return [answer.statusCode, answer.json()];
}

const post = (path: string, body?: object, as?: Address) => send('POST', path, body, as);
const edit = (id: string, body: object) =>
  send('PATCH', `/orders/price/${id}`, { orderType: 'single', ...body });
const confirmRounds = (id: string, body: object) =>
  post(`/orders/dca/confirm-cancel/${id}`, {
    signedTransaction: test.foreign,
    cancelRequestId: WITHDRAWAL,
    ...body,
  });
const confirmCancelled = (body: object) => confirmRounds(test.cancelled, body);

function craft(changes: object, as: Keypair = test.desk.wallet): Promise<Answer> {
  const pair = { inputMint: USDC, outputMint: WRAPPED_SOL_MINT, amount: '20000000' };
  const kind = { orderType: 'price', orderSubType: 'single' };
  return post('/deposit/craft', { ...pair, ...kind, userAddress: as.address, ...changes }, as.address);
}

const craftRounds = (changes: object, as?: Keypair) =>
  craft({ orderType: 'dca', orderSubType: undefined, ...changes }, as);

/** Asks for an order over a new deposit. */
async function createPrice(changes: object): Promise<Answer> {
  const common = await commonOf(await craft({}));
  const price = { triggerMint: WRAPPED_SOL_MINT, triggerCondition: 'below', triggerPriceUsd: 0.5 };
  return post('/orders/price', {
    ...common,
    orderType: 'single',
    ...price,
    expiresAt: 4_102_444_800_000,
    ...changes,
  });
}

async function createRounds(changes: object, deposit: object = {}): Promise<Answer> {
  const common = await commonOf(await craftRounds(deposit));
  return post('/orders/dca', { ...common, orderCount: 2, intervalSeconds: 3_600, ...changes });
}

/** What orders of both families say of a deposit that was crafted. */
async function commonOf([status, body]: Answer) {
  const as = test.desk.wallet;
  const deposit = body as unknown as { requestId: string; transaction: string; amount: string };
  if (status !== 200) throw new Error(`it was not crafted: ${JSON.stringify(body)}`);
  return {
    depositRequestId: deposit.requestId,
    depositSignedTx: signBase64(readMessage(deposit.transaction).messageBytes, as),
    userPubkey: as.address,
    inputMint: USDC,
    inputAmount: deposit.amount,
    outputMint: WRAPPED_SOL_MINT,
  };
}
