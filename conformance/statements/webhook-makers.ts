import { randomBytes } from 'node:crypto';
import type * as kit from '@solana/kit';
import { createKeypairFromSeed } from '../../src/solana/keypair.ts';
import { isSignedBy, parseTransaction } from '../../src/solana/messages/transaction.ts';
import { type Answering, TestWebhook } from '../../src/testing/rfq/webhook-maker.ts';
import { difference, firstOf, unless } from '../answer.ts';
import { executed, INVENTORY, orderOf, soon } from '../maker.ts';
import type { Statement } from '../statement.ts';
import type { World } from '../world.ts';
import { SOL, USDC } from './mints.ts';
import { decodeTransaction } from './transactions.ts';

const KEY = 'the-key-of-the-webhook';
const AMOUNT = 100_000_000n;
/** USDC atoms for a million lamports. */
const RATE = 200_000n;
const POLL_MS = 100;
const TRIES = 3;

/** A registered maker with a webhook, and how it is asked for an order alone. */
interface Hooked {
  readonly webhook: TestWebhook;
  readonly order: typeof orderOf;
}

/** Registers a maker with an inventory whose webhook listens here, for the time of a check. */
async function withWebhook(
  world: World,
  check: (hooked: Hooked) => Promise<string | null>,
): Promise<string | null> {
  const send: (wire: Uint8Array) => Promise<string> = (wire) => {
    const base64 = Buffer.from(wire).toString('base64') as kit.Base64EncodedWireTransaction;
    return world.rpc.sendTransaction(base64, { encoding: 'base64', skipPreflight: true }).send();
  };
  const keypair = createKeypairFromSeed(randomBytes(32));
  const id = `hooked-${randomBytes(4).toString('hex')}`;
  const postToAdmin = async (path: string, body: unknown) => {
    const answer = await world.admin('POST', path, body);
    if (answer.status !== 200) throw new Error(`${path} answered ${answer.text}`);
  };
  const webhook = await TestWebhook.open({ keypair, tokens: [SOL, USDC], rate: RATE, chain: { send } });
  try {
    const wallet = keypair.address;
    // The first SOL pays fees; the second is wrapped.
    await world.rpc.requestAirdrop(wallet as kit.Address, 1_000_000_000n as kit.Lamports).send();
    await postToAdmin('/admin/v1/network/faucet', { wallet, mint: SOL, amount: `${INVENTORY.sol}` });
    await postToAdmin('/admin/v1/network/faucet', { wallet, mint: USDC, amount: `${INVENTORY.usdc}` });
    await postToAdmin('/admin/v1/makers', { id, address: wallet, webhook: webhook.url, webhookKey: KEY });
    await soon(listed(world, id), 'the list of tokens');
    const order: Hooked['order'] = async (world, query) => {
      const sale = { inputMint: SOL, outputMint: USDC, amount: `${AMOUNT}`, excludeRouters: 'metis' };
      // On a busy machine the answer can come after the 250 ms that a maker has.
      for (let tries = 1; ; tries++) {
        webhook.asked.length = 0;
        const answer = await orderOf(world, { ...sale, webhookId: id, ...query });
        if (answer.error !== 'Failed to get quotes' || tries === TRIES) return answer;
      }
    };
    return await check({ webhook, order });
  } finally {
    await world.admin('DELETE', `/admin/v1/makers/${id}`);
    await webhook.close();
  }
}

/** Resolves once the instance knows which tokens the maker trades. */
async function listed(world: World, id: string): Promise<void> {
  for (;;) {
    const { json } = await world.admin('GET', `/admin/v1/makers/${id}`);
    if (json?.webhook?.mints === 2) return;
    await new Promise((resolve) => setTimeout(resolve, POLL_MS));
  }
}

/** A statement about an order of SOL for USDC that the maker alone is asked for. */
function hooked(id: string, says: string, check: (world: World, hooked: Hooked) => Promise<string | null>) {
  const statement: Statement = {
    id: `webhook-makers/${id}`,
    says,
    check: (world) => withWebhook(world, (hooked) => check(world, hooked)),
  };
  return statement;
}

const answering =
  (status: number, body: unknown): Answering =>
  () => ({ status, body });

export const webhookMakerStatements: readonly Statement[] = [
  hooked(
    'asked',
    'A maker is asked with its key, both deadlines, and every field as text.',
    async (world, { webhook, order }) => {
      const { requestId } = await order(world, {});
      const [asked] = webhook.of('/quote');
      const { headers = {}, body = {} } = asked ?? {};
      const [start, timeout] = [headers['x-request-start'], headers['x-request-timeout']].map(Number);
      const { quoteId, tokenIn, tokenOut, amount, quoteType, protocol, taker, feeBps } = body;
      const seen = { ...body, requestId: body.requestId === requestId };
      return firstOf(
        unless(headers['x-api-key'] === KEY, headers),
        unless(Math.abs(Date.now() - (start ?? 0)) < 60_000 && timeout === 250, [start, timeout]),
        unless(
          typeof quoteId === 'string' && typeof feeBps === 'number' && body.requestId === requestId,
          seen,
        ),
        unless(tokenIn === SOL && tokenOut === USDC && taker === world.wallet.address, seen),
        unless(amount === `${AMOUNT}` && quoteType === 'exactIn' && protocol === 'v1', seen),
      );
    },
  ),
  hooked(
    'order',
    'An order that a webhook wins has the router jupiterz, the maker, quoteId and expireAt, and the maker pays for it.',
    async (world, { webhook, order }) => {
      const { transaction, router, maker, quoteId, expireAt, inAmount, swapType, gasless } = await order(
        world,
        {},
      );
      const decoded = decodeTransaction(transaction);
      const { message, signatures } = parseTransaction(Buffer.from(transaction, 'base64'));
      const seconds = Number(expireAt) - Date.now() / 1_000;
      return firstOf(
        unless(router === 'jupiterz' && maker === webhook.keypair.address, [router, maker]),
        unless(swapType === 'rfq' && gasless === true, [swapType, gasless]),
        unless(typeof quoteId === 'string' && inAmount === `${AMOUNT}`, [quoteId, inAmount]),
        unless(seconds > 30 && seconds < 3_600, [expireAt, seconds]),
        unless(
          decoded.feePayer === maker && message.staticAccounts[1] === world.wallet.address,
          decoded.feePayer,
        ),
        unless(decoded.signers === 2 && decoded.accounts === message.staticAccounts.length, decoded),
        unless(decoded.units !== null && decoded.microLamports === 1_000n, decoded),
        unless(
          signatures.every((signature) => signature.every((byte) => byte === 0)),
          'a signature',
        ),
      );
    },
  ),
  hooked(
    'fee',
    'The fee is subtracted from the output of an exact input, rounded up.',
    async (world, { webhook, order }) => {
      const { outAmount, feeBps, platformFee } = await order(world, {});
      const quoted = (AMOUNT * RATE) / 1_000_000n;
      const fee = (quoted * BigInt(feeBps) + 9_999n) / 10_000n;
      return firstOf(
        unless(feeBps > 0 && webhook.of('/quote')[0]?.body.feeBps === feeBps, [
          feeBps,
          webhook.asked[0]?.body,
        ]),
        unless(BigInt(outAmount) === quoted - fee && platformFee.amount === `${fee}`, [
          outAmount,
          platformFee,
        ]),
      );
    },
  ),
  hooked(
    'exact-output',
    'An order of an exact output has that output, and the fee is added to the input.',
    async (world, { order }) => {
      const { outAmount, inAmount, feeBps, swapMode } = await order(world, {
        amount: '20000000',
        swapMode: 'ExactOut',
      });
      const quoted = (20_000_000n * 1_000_000n + RATE - 1n) / RATE;
      const fee = (quoted * BigInt(feeBps) + 9_999n) / 10_000n;
      return firstOf(
        unless(outAmount === '20000000' && swapMode === 'ExactOut', [outAmount, swapMode]),
        unless(BigInt(inAmount) === quoted + fee, [inAmount, feeBps]),
      );
    },
  ),
  hooked(
    'without-taker',
    'An order without a taker names the maker, but has no transaction.',
    async (world, { webhook, order }) => {
      const { transaction, maker, quoteId, expireAt } = await order(world, { taker: '' });
      const { taker, suggestedPrioritizationFees } = webhook.of('/quote')[0]?.body ?? {};
      return firstOf(
        unless(transaction === null && maker === webhook.keypair.address, [transaction, maker]),
        unless(Boolean(quoteId) && Boolean(expireAt), [quoteId, expireAt]),
        unless(taker === undefined && suggestedPrioritizationFees === undefined, webhook.asked),
      );
    },
  ),
  hooked(
    'no-quote',
    'When every maker answers 404, the order is refused.',
    async (world, { webhook, order }) => {
      webhook.onQuote = answering(404, { message: 'no' });
      const { transaction, error } = await order(world, {});
      return unless(!transaction && error === 'Failed to get quotes', [transaction, error]);
    },
  ),
  hooked('simulated', 'A quote whose fill would fail is dropped.', async (world, { order }) => {
    // More than the maker holds.
    const { transaction, error } = await order(world, { amount: '900000000000' });
    return unless(!transaction && error === 'Failed to get quotes', [transaction, error]);
  }),
  {
    id: 'webhook-makers/unknown',
    says: 'An order for a webhookId that no maker has is refused.',
    check: async (world) => {
      const query = `inputMint=${SOL}&outputMint=${USDC}&amount=${AMOUNT}&excludeRouters=metis&webhookId=none`;
      return difference(await world.ask(`/swap/v2/order?${query}`), { status: 404 });
    },
  },
  hooked(
    'filled',
    'The maker is sent the swap with the signature of the taker alone, and the chain decides.',
    async (world, { webhook, order }) => {
      const ordered = await order(world, {});
      const result = await executed(world, ordered);
      const [asked] = webhook.of('/swap');
      const { requestId, quoteId, transaction } = asked?.body ?? {};
      const sent = parseTransaction(new Uint8Array(Buffer.from(String(transaction), 'base64')));
      return firstOf(
        unless(result.status === 'Success' && result.totalOutputAmount === ordered.outAmount, result),
        unless(requestId === ordered.requestId && quoteId === ordered.quoteId, asked?.body),
        unless(!isSignedBy(sent, 0) && isSignedBy(sent, 1), 'other signatures'),
      );
    },
  ),
  ...[
    ['text', { state: 'rejected', rejectionReason: 'no' }],
    ['reason', { state: { rejectedWithReason: 'insufficientBalance' } }],
  ].map(([form, answer]) =>
    hooked(
      `rejected-by-${form}`,
      `A swap that the maker rejects by a ${form} fails with -2004.`,
      async (world, { webhook, order }) => {
        const ordered = await order(world, {});
        webhook.onSwap = ({ body }) => ({ body: { quoteId: body.quoteId, ...(answer as object) } });
        const { status, code } = await executed(world, ordered);
        return unless(status === 'Failed' && code === -2004, [status, code]);
      },
    ),
  ),
];
