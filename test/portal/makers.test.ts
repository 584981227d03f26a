import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TestWebhook } from '../../src/testing/rfq/webhook-maker.ts';
import { BETTER, ScriptedMaker } from '../e2e/scripted-maker.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the makers of the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  beforeAll(setUp);
  afterAll(tearDown);

  it('are listed for the operator, with names as text, and show the book that was sent', async () => {
    const page = await portal.visitSignedIn('/makers');
    const row = page.getByRole('row').filter({ hasText: STREAMING });
    await row.getByText(MARKUP).waitFor();
    expect(await page.evaluate('[window.hit ?? null, document.querySelector("main img")]')).toEqual([
      null,
      null,
    ]);
    await row.getByRole('link', { name: STREAMING }).click();
    await page.getByRole('heading', { name: 'SOL / USDC' }).waitFor();
    expect(await readLadder(page)).toEqual(LADDER);
    await page.getByText('Spread 10 USDC', { exact: false }).waitFor();
    await page.getByText('Raw answer of the books').click();
    await expect.poll(() => page.locator('.raw-answer').textContent()).toContain(String(BETTER.bid));
  });

  it('are checked: the list runs to its end, says what failed and where that is explained, and is there again', async () => {
    const page = await portal.visitSignedIn(`/makers/${ASKED}?tab=check`);
    await page.locator('.check-item').first().waitFor();
    const planned = await page.locator('.check-item__name').allTextContents();
    await page.getByRole('button', { name: 'Start the check' }).click();
    const result = page.getByTestId('check-result');
    await expect.poll(() => result.textContent()).toMatch(/^The maker did not pass: 12 passed, 2 failed/);
    expect(await page.locator('.check-item__name').allTextContents()).toEqual(planned);
    const failed = page.locator('[data-outcome="failed"]');
    expect(await failed.locator('.check-item__name').allTextContents()).toEqual([
      'rejection for lack of balance',
      'rejection of a signature',
    ]);
    expect(await failed.first().getByRole('link').getAttribute('href')).toContain('/docs/makers#');
    await page.getByRole('link', { name: 'All makers' }).click();
    await page.getByRole('link', { name: ASKED }).click();
    await page.getByRole('tab', { name: 'Check' }).click();
    await expect.poll(() => result.textContent()).toMatch(/^The maker did not pass/);
    await page.getByRole('button', { name: 'Check again' }).waitFor();
  });

  it('see their own page with their key, which stands nowhere, and nothing of another one', async () => {
    portal.expectComplaint(/status of 40[13]/);
    const page = await portal.visit('/makers');
    const field = page.getByLabel('Key of the maker');
    await field.fill(`${keys.get(STREAMING)}0`);
    await page.getByRole('button', { name: 'Show my page' }).click();
    await page.getByText('The key was not accepted', { exact: false }).waitFor();
    await field.fill(keys.get(STREAMING) ?? '');
    await page.getByRole('button', { name: 'Show my page' }).click();
    await page.getByRole('heading', { name: 'SOL / USDC' }).waitFor();
    expect(await readLadder(page)).toEqual(LADDER);
    for (const tab of ['Orders and fills', 'Fill rate and last look', 'Why it lost', 'Check']) {
      await page.getByRole('tab', { name: tab }).click();
      await page.getByRole('tabpanel').locator('.panel').first().waitFor();
      const text = await page.locator('main').textContent();
      expect(text).not.toContain(ASKED);
      expect(text).not.toContain(keys.get(STREAMING));
    }
    const traces =
      'location.href + JSON.stringify(history.state) + JSON.stringify(localStorage) + document.cookie';
    expect(await page.evaluate(traces)).not.toContain(keys.get(STREAMING));
    await page.getByRole('button', { name: 'Forget the key' }).click();
    await field.fill(keys.get(ASKED) ?? '');
    await page.getByRole('button', { name: 'Show my page' }).click();
    await page.getByRole('tab', { name: 'Books' }).click();
    await page.getByText('There is no book of this maker', { exact: false }).waitFor();
    expect(await page.locator('main').textContent()).not.toContain(STREAMING);
  });

  it('keep their page when an answer has another form', async () => {
    for (const [type, body] of [
      ['application/json', '{"maker":"x","books":[{"base":null}]}'],
      ['text/html', '<b>proxy</b>'],
    ] as const) {
      const page = await portal.visit('about:blank');
      await page.route('**/market-making/v1/books', (route) => route.fulfill({ contentType: type, body }));
      await page.goto(`${portal.url}/makers`);
      await page.getByLabel('Key of the maker').fill(keys.get(STREAMING) ?? '');
      await page.getByRole('button', { name: 'Show my page' }).click();
      await page.getByText('in a form that this page cannot read', { exact: false }).waitFor();
      await page.getByRole('tab', { name: 'Why it lost' }).click();
      await page.getByRole('tabpanel').locator('.panel').first().waitFor();
    }
  });

  async function setUp(): Promise<void> {
    const { instance } = portal;
    for (const id of [STREAMING, ASKED]) {
      const wallet = await instance.newWallet(10_000_000_000n, { [SOL]: FUNDS, [USDC]: FUNDS });
      if (id === ASKED) webhook = await openWebhook(wallet);
      const terms = id === ASKED ? { webhook: webhook?.url } : { name: MARKUP };
      const { key } = await instance.admin('POST', 'makers', { id, address: wallet.address, ...terms });
      keys.set(id, key);
      if (id === ASKED) continue;
      streaming = new ScriptedMaker({ id, key, wallet, ...BETTER });
      await streaming.connect(Number(new URL(instance.shown('Makers \\(gRPC\\)')).port));
    }
  }

  /** A maker that lands the first swap it is sent, and refuses all others without giving the reason that it should. */
  async function openWebhook(
    keypair: ConstructorParameters<typeof ScriptedMaker>[0]['wallet'],
  ): Promise<TestWebhook> {
    const send = (wire: Uint8Array) =>
      portal.instance.rpc('sendTransaction', Buffer.from(wire).toString('base64'), {
        encoding: 'base64',
        skipPreflight: true,
      });
    const opened = await TestWebhook.open({ keypair, tokens: [SOL, USDC], rate: 190_000n, chain: { send } });
    const { onSwap } = opened;
    opened.onQuote = ({ body }) =>
      typeof body.amount !== 'string'
        ? { status: 400, body: { message: 'no question for a quote' } }
        : [body.tokenIn, body.tokenOut].every((mint) => mint === SOL || mint === USDC)
          ? { body: opened.quote(body) }
          : { status: 404, body: { message: 'this pair is not quoted' } };
    opened.onSwap = (asked, response) => {
      opened.onSwap = ({ body: { quoteId } }) => ({
        body: { quoteId, state: 'rejected', rejectionReason: 'no' },
      });
      return onSwap(asked, response);
    };
    return opened;
  }

  async function tearDown(): Promise<void> {
    await Promise.all([streaming?.close(), webhook?.close()]);
  }
});

const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const FUNDS = 1_000_000_000_000n;
const STREAMING = 'streaming-maker';
const ASKED = 'asked-maker';
const MARKUP = '<img src=x onerror="window.hit=1">';
/** The book of the maker: what it asks, and what it bids, for how much. */
const LADDER = [
  ['ask 220', '10'],
  ['bid 210', '10'],
];

const keys = new Map<string, string>();
let streaming: ScriptedMaker | null = null;
let webhook: TestWebhook | null = null;

/** The prices and sizes of the ladder, from the top down. */
async function readLadder(page: Page): Promise<readonly (readonly string[])[]> {
  const rows = await page.locator('.ladder__row').all();
  return Promise.all(
    rows.map(async (row) => [
      (await row.locator('th').textContent()) ?? '',
      (await row.locator('.ladder__amount').textContent()) ?? '',
    ]),
  );
}
