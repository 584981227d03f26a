import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the start page of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('shows what runs, where, and with whose keys', async () => {
    const page = await portal.visit();
    await page.getByText(portal.instance.shown('Demo wallet').slice(0, 4)).first().waitFor();
    for (const name of ['REST', 'Solana RPC']) await page.getByText(portal.instance.shown(name)).waitFor();
    await page.getByText('Needed: callers').waitFor({ state: 'hidden' });
  });

  it('waits where its caller has sent too many requests, and goes on by itself', async () => {
    portal.expectComplaint(/status of 429/);
    const page = await portal.visit('about:blank');
    let refusals = 0;
    await page.route('**/portal/data/instance', async (route) => {
      refusals += 1;
      const error = { status: 429, json: { message: '[API Gateway] Too many requests' } };
      await (refusals === 1 ? route.fulfill(error) : route.continue());
    });
    await page.goto(portal.url);
    await page.getByRole('heading', { name: 'Too many requests in the last minute' }).waitFor();
    await page.getByRole('button', { name: 'Swap 0.1 SOL for USDC' }).waitFor();
  });

  it('swaps at a press of the button, and shows the transaction and both balances', async () => {
    const page = await portal.visit();
    await page.getByRole('button', { name: 'Swap 0.1 SOL for USDC' }).click();
    const result = page.getByRole('region', { name: 'The result of the swap' });
    await result.waitFor();
    await expect.poll(() => result.textContent()).toMatch(/0\.1 SOL became \d+\.\d+ USDC/);
    const steps = await page.evaluate(
      `[...document.querySelectorAll('[data-step]')].map(({ dataset }) => [dataset.step, dataset.progress])`,
    );
    expect(steps).toEqual(STEPS.map((step) => [step, 'done']));
  });

  it('leads from the swap to its route and to its transaction', async () => {
    const page = await portal.visit();
    await page.getByRole('button', { name: 'Swap 0.1 SOL for USDC' }).click();
    await page.getByRole('link', { name: 'Quote it again and see the route' }).click();
    await page
      .getByText(/^0\.1 SOL/)
      .first()
      .waitFor();
    await page.goBack();
    await page.getByRole('link', { name: 'Read the transaction' }).click();
    await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor();
    await page.getByText('landed', { exact: true }).waitFor();
    for (const name of ['Balances', 'Instructions'])
      await page.getByRole('heading', { name }).first().waitFor();
  });

  it('is walked through by the keyboard alone', async () => {
    const page = await portal.visit();
    await page.getByRole('heading', { name: 'Products of this instance' }).waitFor();
    for (const name of HEADER_STOPS) {
      await page.keyboard.press('Tab');
      expect(await page.evaluate(FOCUSED_NAME)).toBe(name);
    }
    await page.keyboard.press('Shift+Tab');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Makers', level: 1 }).waitFor();
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
  });

  it('keeps the wallet over a reload, swaps back, and forgets the wallet', async () => {
    const page = await portal.visit();
    await page.getByRole('button', { name: 'Swap 0.1 SOL for USDC' }).click();
    await page.getByRole('button', { name: /^Swap .* USDC back$/ }).click();
    await page.getByText(/USDC became 0\.0\d+ SOL/).waitFor();
    const wallet = page.locator('.first-swap__wallet [title]').first();
    const address = await wallet.getAttribute('title');
    await page.reload();
    expect(await wallet.getAttribute('title')).toBe(address);
    await page.getByRole('button', { name: 'Forget it' }).click();
    await wallet.waitFor({ state: 'detached' });
  });
});

const STEPS = ['wallet', 'faucet', 'order', 'decode', 'sign', 'execute', 'balances'];
/** What the header has, up to the reference. */
const HEADER_STOPS = [
  ...['Skip to the page', 'Sluice, start page'],
  ...['Start', 'Playground', 'Routes', 'Explorer', 'Products', 'Makers', 'API reference'],
];

/** What a reader hears of the element that has the focus. */
const FOCUSED_NAME = '(document.activeElement.ariaLabel ?? document.activeElement.textContent).trim()';
