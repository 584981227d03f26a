import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { Keypair } from '../../src/solana/keypair.ts';
import {
  getTransactionSignature,
  parseTransaction,
  signTransaction,
} from '../../src/solana/messages/transaction.ts';
import { BETTER, ScriptedMaker } from '../e2e/scripted-maker.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the ledger of the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  beforeAll(setUp);
  afterAll(() => maker?.close());

  it('tells an operator why an order failed, from the list of failures on, without a command', async () => {
    const page = await portal.visitSignedIn('/operate/orders');
    await page.getByLabel('Outcome').selectOption('failed');
    await expect.poll(() => page.url()).toContain('outcome=failed');
    const { requestId } = getOrder('missed');
    const row = page.getByRole('row').filter({ has: page.locator(`[title="${requestId}"]`) });
    await row.getByText('-2003: the maker did not sign within 10 seconds').waitFor();
    await row.locator(`a:has([title="${requestId}"])`).click();
    await page.locator('.order-cause__sentence').waitFor();
    expect(await page.locator('.order-cause').textContent()).toMatch(
      /^The maker ledger-maker missed its last look: it was offered the swap and did not sign it within [\d.]+ \w+\.Whose doingThe maker\.Who paidNobody paid anything/,
    );
    const chain = page.getByRole('list').filter({ has: page.getByRole('heading', { name: 'Given out' }) });
    await chain
      .getByText('19.', { exact: false })
      .or(chain.getByText('21', { exact: false }))
      .first()
      .waitFor();
    await chain
      .getByText('POST /swap/v2/execute was answered with 200 and code -2003', { exact: false })
      .waitFor();
    await chain
      .getByText('ledger-maker was offered the swap and did not answer.', { exact: false })
      .waitFor();
  });

  it('finds each order by its id, and says in one sentence what became of it and whose doing it was', async () => {
    const page = await portal.visitSignedIn('/operate/orders');
    for (const [name, sentence, whose] of SENTENCES) {
      await page.getByLabel('The id of an order', { exact: false }).fill(getOrder(name).requestId);
      await page.getByRole('button', { name: 'Find' }).click();
      await expect
        .poll(() => page.locator('.order-cause').textContent(), { message: name })
        .toMatch(sentence);
      expect(await page.locator('.order-cause').textContent(), name).toContain(`Whose doing${whose}`);
      await page.getByRole('link', { name: 'All orders' }).click();
    }
  });

  it('finds orders by a signature, a taker and a maker, says what it looked for, and what is not there', async () => {
    portal.expectComplaint(/status of 404/);
    const page = await portal.visitSignedIn('/operate/orders');
    const find = async (text: string, said: string) => {
      await page.getByLabel('The id of an order', { exact: false }).fill(text);
      await page.getByRole('button', { name: 'Find' }).click();
      await page.getByText(`Looking for ${said}`, { exact: false }).waitFor();
    };
    const { signature, taker, requestId } = getOrder('swapped');
    for (const [text, said] of [
      [signature, 'a signature'],
      [taker, 'the wallet of a taker'],
    ] as const) {
      await find(text, said);
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
      await page.locator(`[title="${requestId}"]`).waitFor();
    }
    await find('ledger-maker', 'the id of a maker');
    await page.getByRole('button', { name: 'Fills' }).click();
    await page.getByRole('row').filter({ hasText: 'confirmed' }).first().waitFor();
    await page.getByRole('row').filter({ hasText: 'rejected' }).first().waitFor();
    await page.getByLabel('The id of an order', { exact: false }).fill('<img src=x onerror=1>');
    await page.getByRole('button', { name: 'Find' }).click();
    await page.getByText('This is neither the id of an order', { exact: false }).waitFor();
    await page.goto(`${portal.adminUrl}/operate/orders/629bddf3-0038-43a6-8956-f5433d6b1191`);
    await page.getByText('There is no order 629bddf3', { exact: false }).waitFor();
    await page.getByRole('link', { name: 'Look in the log for a request that has this id itself' }).waitFor();
  });

  it('shows a member the orders of its organisation with the fill, and not the makers that were considered', async () => {
    const path = `/organisations/demo/orders/${getOrder('missed').requestId}`;
    const invitation = { name: 'reader', role: 'member' };
    const { token } = await portal.instance.admin('POST', 'organisations/demo/invitations', invitation);
    const member = await portal.instance.admin('POST', 'invitations/accept', { token });
    const page = await portal.visitSignedIn(path, undefined, member.token);
    await page.getByText('is between them and the operator of this instance', { exact: false }).waitFor();
    await expect.poll(() => page.locator('.order-cause').textContent()).toMatch(/missed its last look/);
    expect(await page.locator('main').textContent()).not.toContain('demo-webhook-maker');
  });

  it('shows what was changed, by whom, as what was and what is, with names as text', async () => {
    const page = await portal.visitSignedIn('/operate/audit');
    const row = page.getByRole('row').filter({ hasText: 'maker.added' });
    await row.getByText(MARKUP).waitFor();
    expect(await page.evaluate('[window.hit ?? null, document.querySelector("main img")]')).toEqual([
      null,
      null,
    ]);
    await row.getByRole('link', { name: 'ledger-maker' }).waitFor();
    await page.getByLabel('Of what').fill('ledgered');
    await expect.poll(() => page.url()).toContain('subject=ledgered');
    await page.getByText('plan.changed').waitFor();
    const changed = page.getByRole('row').filter({ hasText: 'plan.changed' });
    expect(await changed.locator('del').allTextContents()).toEqual(['free']);
    expect(await changed.locator('ins').textContent()).toBe('pro');
    await page.getByLabel('Who').fill('nobody');
    await page.getByText('Nothing that is kept fits these filters.').waitFor();
  });

  async function setUp(): Promise<void> {
    const { instance } = portal;
    const wallet = await instance.newWallet(10_000_000_000n, { [SOL]: FUNDS, [USDC]: FUNDS });
    const begun = Array.from({ length: TAKERS }, () => instance.newWallet(2_000_000_000n));
    takers.push(...(await Promise.all(begun)));
    const registered = { id: 'ledger-maker', address: wallet.address, name: MARKUP };
    const { key } = await instance.admin('POST', 'makers', registered);
    maker = new ScriptedMaker({ id: 'ledger-maker', key, wallet, ...BETTER });
    await maker.connect(Number(new URL(instance.shown('Makers \\(gRPC\\)')).port));
    await instance.admin('POST', 'organisations', { slug: 'ledgered', plan: 'free' });
    await instance.admin('PATCH', 'organisations/ledgered', { plan: 'pro' });
    await makeFailuresOfMakers(maker);
    for (const { id } of (await instance.admin('GET', 'makers')).makers)
      await instance.admin('POST', `makers/${id}/disable`);
    await makeFailuresOfPools();
  }

  /** The maker takes ten seconds to miss a swap; what else fails with it, fails meanwhile. */
  async function makeFailuresOfMakers(scripted: ScriptedMaker): Promise<void> {
    const missed = await giveOut('missed');
    scripted.ignored.add(missed.signature);
    const ended = execute(missed);
    await execute(await giveOut('swapped'));
    const stranger = await giveOut('stranger');
    const wrong = Buffer.from(stranger.signed, 'base64');
    wrong[10] = (wrong[10] ?? 0) ^ 1;
    await execute({ ...stranger, signed: wrong.toString('base64') });
    const faulty = await giveOut('faulty');
    await portal.instance.admin('POST', 'network/faults/next', { effect: 'fail', wallet: faulty.taker });
    await execute(faulty);
    await ended;
    const tampered = await giveOut('tampered');
    scripted.tampered.add(tampered.signature);
    await execute(tampered);
  }

  /** What runs out does so once the clock of the network is set ahead. */
  async function makeFailuresOfPools(): Promise<void> {
    const { instance } = portal;
    const poor = await giveOut('poor', { lamports: 1_000_000_000n, amount: 900_000_000n });
    await execute(await giveOut('rich', { wallet: poor.wallet, amount: 900_000_000n }));
    await execute(poor);
    const slipped = await giveOut('slipped', { slippageBps: 10 });
    const before = await quoteSol();
    await instance.admin('PUT', 'network/price-follower', { following: true });
    await instance.admin('PUT', 'network/prices/SOL', { price: '196' });
    await vi.waitFor(async () => expect(await quoteSol()).toBeLessThan((before * 985n) / 1_000n));
    await execute(slipped);
    const [late, dropped] = [await giveOut('late'), await giveOut('dropped')];
    await instance.admin('POST', 'network/faults/next', {
      effect: 'drop',
      count: 1_000,
      wallet: dropped.taker,
    });
    const ended = execute(dropped);
    await vi.waitFor(async () => {
      const { order } = await instance.admin('GET', `orders/${dropped.requestId}`);
      expect(order.execution).not.toBeNull();
    });
    await instance.admin('POST', 'network/clock', { slots: 400 });
    await Promise.all([ended, execute(late)]);
  }

  async function quoteSol(): Promise<bigint> {
    const query = new URLSearchParams({ inputMint: SOL, outputMint: USDC, amount: '100000000' });
    return BigInt((await portal.instance.ask(`/swap/v2/order?${query}`)).json.outAmount);
  }

  /** Orders a swap of SOL for a new wallet, and signs it. */
  async function giveOut(name: string, terms: OrderTerms = {}): Promise<SignedOrder> {
    const { instance } = portal;
    const wallet =
      terms.wallet ??
      (terms.lamports === undefined ? takers.pop() : await instance.newWallet(terms.lamports));
    if (wallet === undefined) throw new Error('there are too few takers');
    const query = new URLSearchParams({
      inputMint: SOL,
      outputMint: USDC,
      amount: String(terms.amount ?? 100_000_000n),
      taker: wallet.address,
      ...(terms.slippageBps === undefined ? {} : { slippageBps: String(terms.slippageBps) }),
    });
    // Right after it has begun, an instance may answer that it is busy.
    const json = await vi.waitFor(async () => {
      const answer = await instance.ask(`/swap/v2/order?${query}`);
      expect(answer.json.transaction, JSON.stringify(answer.json)).toMatch(/./);
      return answer.json;
    });
    const { messageBytes } = parseTransaction(Buffer.from(json.transaction, 'base64'));
    const signed = Buffer.from(signTransaction(messageBytes, [wallet]));
    const order = {
      requestId: json.requestId,
      taker: wallet.address,
      wallet,
      signature: getTransactionSignature(parseTransaction(signed)),
      signed: signed.toString('base64'),
    };
    orders.set(name, order);
    return order;
  }

  async function execute({ requestId, signed }: SignedOrder): Promise<void> {
    await portal.instance.ask('/swap/v2/execute', { requestId, signedTransaction: signed });
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const FUNDS = 1_000_000_000_000n;
const MARKUP = '<img src=x onerror="window.hit=1">';
const TAKERS = 8;
const TAKER = 'The taker’s side';

/** What is said of each order, and whose doing it was. */
const SENTENCES: readonly (readonly [name: string, sentence: RegExp, whose: string])[] = [
  ['swapped', /^The swap was made exactly as it was quoted\./, 'Nobody'],
  ['stranger', /was refused, because what it sent was no signed transaction/, TAKER],
  ['faulty', /failed on the chain: a fault of the network did it on purpose/, 'The network'],
  ['tampered', /^The maker ledger-maker returned another transaction than it was offered/, 'The maker'],
  ['poor', /failed on the chain: the taker’s wallet did not allow it/, TAKER],
  ['slipped', /the market moved|had moved further than the slippage/, 'The market'],
  ['late', /^The blockhash of the order had run out when it came back/, 'The network'],
  ['dropped', /the network did not take it into a block before its blockhash ran out/, 'The network'],
];

interface SignedOrder {
  readonly requestId: string;
  readonly taker: string;
  readonly wallet: Keypair;
  readonly signature: string;
  readonly signed: string;
}

interface OrderTerms {
  readonly wallet?: Keypair;
  readonly lamports?: bigint;
  readonly amount?: bigint;
  readonly slippageBps?: number;
}

/** Wallets that nobody has used yet. */
const takers: Keypair[] = [];
const orders = new Map<string, SignedOrder>();
let maker: ScriptedMaker | null = null;

function getOrder(name: string): SignedOrder {
  const order = orders.get(name);
  if (order === undefined) throw new Error(`there is no order ${name}`);
  return order;
}
