import { describe, expect, it, vi } from 'vitest';
import { deriveInviteKey } from '../../src/protocols/jupiter-send/invite-key.ts';
import { type Keypair, signWith } from '../../src/solana/keypair.ts';
import { parseTransaction, signTransaction } from '../../src/solana/messages/transaction.ts';
import { TriggerClient } from '../e2e/trigger-client.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)(
  'orders, launches, invites and predictions in the portal (skipped without Chromium)',
  () => {
    const portal = usePortal();

    it('shows the orders of a wallet in programs, how far the market is, and the raw answer at one click', async () => {
      const wallet = await portal.instance.newWallet(SOL, { [USDC]: 1_000_000_000n });
      const signature = await placeProgramOrders(wallet);
      const page = await portal.visit(`/products/orders?address=${wallet.address}`);
      const limits = page.getByRole('table', { name: 'Limit orders' });
      await limits.getByText('1 SOL for at most 100 USDC').waitFor();
      await limits.getByText(/the market has to improve by \d/).waitFor();
      expect(await limits.locator(`a[href$="/explorer/tx/${signature}"]`).count()).toBe(1);
      const recurring = page.getByRole('table', { name: 'Recurring orders' });
      await recurring.getByText('52 USDC every 1 d, 2 times').waitFor();
      await page.getByText('Raw answer of the limit orders').click();
      await page.getByText('"rawMakingAmount": "10000000"').waitFor();
      await limits.getByRole('link', { name: 'Cancel it in the playground' }).click();
      await page.getByText('/trigger/v1/cancelOrder').first().waitFor();
    });

    it('shows an order with two prices to the wallet that has signed in, as one order', async () => {
      const wallet = await portal.instance.newWallet(SOL, { [USDC]: 100_000_000n });
      const client = await TriggerClient.signIn(portal.instance.restUrl, wallet);
      await client.order({
        orderType: 'otoco',
        outputMint: WRAPPED_SOL,
        triggerMint: WRAPPED_SOL,
        triggerCondition: 'below',
        triggerPriceUsd: 20,
        tpPriceUsd: 400,
        slPriceUsd: 10,
      });
      const page = await portal.visit(`/products/orders?address=${wallet.address}`);
      const name = JSON.stringify('sluice-credential-public-Bearer');
      await page.evaluate(`sessionStorage.setItem(${name}, ${JSON.stringify(client.token)})`);
      await page.reload();
      const orders = page.getByRole('table', { name: 'Orders that wait for a price' });
      await orders.getByText('buys: SOL at most $20').waitFor();
      await orders.getByText('takes the profit: SOL at least $400').waitFor();
      await orders.getByText('stops the loss: SOL at most $10').waitFor();
      await orders.getByText(/the market has to fall by \d+(\.\d+)?%/).waitFor();
      await orders.getByText('was deposited').waitFor();
      expect(await orders.getByRole('row').count()).toBe(2);
    });

    it('signs in with the wallet of the browser, and says how its first order is made', async () => {
      const page = await portal.visit('/products/orders');
      await page.getByRole('button', { name: 'Sign in with the wallet of this browser' }).click();
      await page.getByRole('heading', { name: 'Orders in rounds' }).waitFor();
      // Each kind of orders is answered by itself, and offers the same.
      const limits = page.locator('.panel', { has: page.getByRole('heading', { name: 'Limit orders' }) });
      await limits.getByRole('link', { name: 'Make one in the playground' }).click();
      await page.getByText('/trigger/v1/createOrder').first().waitFor();
    });

    it('shows an invite that waits, and an empty list with the way to the first one', async () => {
      const wallet = await portal.instance.newWallet(SOL);
      const page = await portal.visit(`/products/invites?address=${wallet.address}`);
      await page.getByText('Nothing that this wallet has sent waits').waitFor();
      await page.getByRole('link', { name: 'Craft one in the playground' }).first().waitFor();
      await sendInvite(wallet);
      const pending = page.getByRole('table', { name: 'Invites that can be claimed' });
      await pending.getByText('0.25 SOL').waitFor();
      await pending.getByText('this wallet to whoever has the code').waitFor();
      await page.getByText('Raw answer of the pending invites').click();
      await page.getByText('"invite_pda"').waitFor();
    });

    it('shows how far the curve of a launch is, draws it, and links to its pool', async () => {
      const page = await portal.visit('/products/launches');
      await page.getByRole('link', { name: 'LANTERN' }).click();
      await page.getByRole('heading', { name: 'Curve of LANTERN' }).waitFor();
      await page.getByText(/^43\.04% of 22\W426\.946908 USDC$/).waitFor();
      await page.getByRole('group', { name: /^The price of LANTERN .+ over what is sold/ }).waitFor();
      await page.getByText('39 USDC', { exact: true }).first().waitFor();
      await page.getByText('Raw answer of the fees').click();
      await page.getByText('POST /studio/v1/dbc/fee').waitFor();
      await page.getByRole('link', { name: 'as a pool' }).click();
      await page.waitForURL(/\/explorer\/pool\//);
    });

    it('shows a position where it was bought: from the event over its order book to the wallet', async () => {
      const page = await portal.visit('/products/predictions');
      await page.getByRole('link', { name: 'SOL price in a week' }).click();
      await page.getByRole('heading', { name: 'Order book of Above 180 US dollars' }).waitFor();
      await page.getByRole('table', { name: 'The best prices' }).getByText('ask').first().waitFor();
      await page.getByRole('link', { name: 'Above 200 US dollars' }).click();
      await page.getByRole('heading', { name: 'Order book of Above 200 US dollars' }).waitFor();
      const wallet = await portal.instance.newWallet(SOL, { [USDC]: 50_000_000n });
      await buyContracts(wallet, 'DEMO-1001-2');
      await page.goto(`${portal.url}/products/predictions?view=wallet&address=${wallet.address}`);
      const positions = page.getByRole('table', { name: 'Positions' });
      await positions.getByRole('link', { name: 'Above 200 US dollars' }).waitFor();
      await positions.getByText(/contracts? of yes/).waitFor();
      await page.getByRole('table', { name: 'History' }).getByText('order filled').waitFor();
      await page.getByRole('heading', { name: 'Realized profit over time' }).waitFor();
    });

    it('counts down the rounds of minutes by the clock of the network', async () => {
      const page = await portal.visit('/products/predictions?view=rounds');
      const rounds = page.getByRole('table', { name: 'Rounds' });
      await rounds
        .getByText(/\d+ (min|s).* left$/)
        .first()
        .waitFor();
      await rounds.getByText(/^\$\d/).first().waitFor();
      const round = rounds.getByRole('link').first();
      const before = await round.getAttribute('href');
      await portal.instance.admin('POST', 'network/clock', { seconds: 86_400 });
      await expect.poll(() => round.getAttribute('href')).not.toBe(before);
      await rounds
        .getByText(/\d+ (min|s).* left$/)
        .first()
        .waitFor();
    });

    it('is readable on a narrow window: nothing is wider than it', async () => {
      const view = { width: 390, height: 844, scheme: 'dark' } as const;
      for (const path of ['orders', 'launches', 'invites', 'predictions', 'predictions?event=DEMO-1001']) {
        const page = await portal.visit(`/products/${path}`, view);
        await page
          .getByText(/^Raw answer of/)
          .first()
          .waitFor();
        expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBe(view.width);
      }
    });

    /** Places a limit order and a recurring one. Returns the signature of the first. */
    async function placeProgramOrders(wallet: Keypair): Promise<string> {
      const pair = { inputMint: USDC, outputMint: WRAPPED_SOL };
      const { address } = wallet;
      const limit = await ask('/trigger/v1/createOrder', {
        ...pair,
        maker: address,
        payer: address,
        params: { makingAmount: '10000000', takingAmount: '100000000' },
        computeUnitPrice: 'auto',
      });
      const time = { inAmount: 104_000_000, numberOfOrders: 2, interval: 86_400 };
      const recurring = await ask('/recurring/v1/createOrder', { ...pair, user: address, params: { time } });
      const placed = await execute('trigger', limit, wallet);
      await execute('recurring', recurring, wallet);
      return placed.signature;
    }

    async function execute(product: 'trigger' | 'recurring', built: Built, wallet: Keypair) {
      const signedTransaction = signFirst(built.transaction, wallet);
      return ask(`/${product}/v1/execute`, { requestId: built.requestId, signedTransaction });
    }

    async function sendInvite(sender: Keypair): Promise<void> {
      const key = deriveInviteKey(sender.address);
      const { tx } = await ask('/send/v1/craft-send', {
        inviteSigner: key.address,
        sender: sender.address,
        amount: '250000000',
      });
      const { messageBytes } = parseTransaction(new Uint8Array(Buffer.from(tx, 'base64')));
      const wire = Buffer.from(signTransaction(messageBytes, [sender, key])).toString('base64');
      await portal.instance.rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
    }

    async function buyContracts(owner: Keypair, marketId: string): Promise<void> {
      const built = await ask('/prediction/v1/orders', {
        ownerPubkey: owner.address,
        marketId,
        isYes: true,
        isBuy: true,
        depositAmount: '5000000',
        depositMint: USDC,
      });
      const wire = signFirst(built.transaction, owner);
      await portal.instance.rpc('sendTransaction', wire, { encoding: 'base64', skipPreflight: true });
      await vi.waitFor(async () => {
        const { json } = await portal.instance.ask(`/prediction/v1/positions?ownerPubkey=${owner.address}`);
        expect(json.data).toHaveLength(1);
      });
    }

    async function ask(path: string, body: object) {
      const { status, json } = await portal.instance.ask(path, body);
      expect(status, JSON.stringify(json)).toBe(200);
      return json;
    }
  },
);

interface Built {
  readonly requestId: string;
  readonly transaction: string;
}

/** Puts the signature of the wallet that pays into the first place, and leaves those of others as they are. */
function signFirst(transaction: string, wallet: Keypair): string {
  const bytes = Buffer.from(transaction, 'base64');
  const { messageBytes } = parseTransaction(new Uint8Array(bytes));
  bytes.set(signWith(wallet, messageBytes), 1);
  return bytes.toString('base64');
}

const SOL = 1_000_000_000n;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';
