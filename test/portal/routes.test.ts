import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the routes page of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('shows the venues of a quote, and the output that Sluice answered', async () => {
    const page = await portal.visit('/routes');
    await page.getByTestId('quote-output').waitFor();
    await chooseToken(page, 'You receive', 'jup', 'JUP Jupiter');
    await page.getByLabel('Amount to pay').fill('25');
    const answered = page.waitForResponse((response) => response.url().includes('/swap/v2/order?'));
    await page.getByRole('button', { name: 'Get quote' }).click();
    const answer = (await (await answered).json()) as {
      outAmount: string;
      routePlan: { swapInfo: { label: string; ammKey: string } }[];
    };
    const output = page.getByTestId('quote-output').locator('[title]').first();
    await expect.poll(() => output.getAttribute('title')).toBe(`${answer.outAmount} of the smallest unit`);
    expect(await output.textContent()).toMatch(/JUP$/);
    const cards = page.locator('.flow-card');
    const venues = answer.routePlan.map(({ swapInfo }) => swapInfo.label).sort();
    expect(venues.length).toBeGreaterThan(0);
    expect((await cards.locator('.flow-card__venue').allTextContents()).sort()).toEqual(venues);
    await cards.first().click();
    const link = await page.locator('.leg-detail a').first().getAttribute('href');
    expect(answer.routePlan.map(({ swapInfo }) => `/portal/explorer/account/${swapInfo.ammKey}`)).toContain(
      link,
    );
    expect(page.url()).toContain('amount=25');
  });

  it('understands the query of an order, whose amount is in smallest units', async () => {
    const page = await portal.visit(`/routes?${new URLSearchParams(ORDER)}`);
    await page.getByTestId('quote-output').waitFor();
    expect(await page.getByLabel('Amount to pay').inputValue()).toBe('0.1');
    const link = page.getByRole('link', { name: 'Open in the playground' });
    const query = new URL((await link.getAttribute('href')) ?? '', portal.url).searchParams;
    expect(Object.fromEntries(query)).toEqual({ taker: '', ...ORDER });
  });

  it('compares the engines on request, and says which one won and why', async () => {
    // An engine without a quote refuses, which the browser writes down.
    portal.expectComplaint(/status of 40[04]/);
    const page = await portal.visit('/routes?amount=0.5');
    const orders: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes('/swap/v2/order?')) orders.push(request.url());
    });
    await page.getByRole('button', { name: 'Compare engines' }).click();
    const verdict = page.locator('.engines__verdict');
    await expect.poll(() => verdict.textContent()).toMatch(/^(metis|jupiterz) won/);
    expect(await page.locator('.engines__name').allTextContents()).toEqual([
      expect.stringContaining('metis'),
      expect.stringContaining('jupiterz'),
    ]);
    expect(await page.locator('.engines__offer[data-winner="true"]').count()).toBe(1);
    const excluded = orders.map((url) => new URL(url).searchParams.get('excludeRouters'));
    expect(excluded.filter((name) => name !== null).sort()).toEqual(['jupiterz', 'metis']);
  });

  it('says why there is no route, and offers what would help', async () => {
    portal.expectComplaint(/status of 400/);
    const page = await portal.visit('/routes?amount=0.000000001');
    await page.getByRole('heading', { name: 'There is no route for this swap' }).waitFor();
    expect(await page.getByRole('alert').textContent()).toContain('no route from inputMint SOL');
    await page.getByRole('button', { name: 'A thousand times as much' }).click();
    await page.getByTestId('quote-output').waitFor();
    expect(await page.getByLabel('Amount to pay').inputValue()).toBe('0.000001');
    await page.goBack();
    await page.getByRole('heading', { name: 'There is no route for this swap' }).waitFor();
    expect(await page.getByLabel('Amount to pay').inputValue()).toBe('0.000000001');
  });

  it('stacks the route on a narrow screen, where nothing is wider than the screen', async () => {
    const page = await portal.visit('/routes?amount=100000', { width: 390, height: 844, scheme: 'dark' });
    await page.locator('.flow-stack .flow-card').first().waitFor();
    expect(await page.locator('.route-flow__drawing').count()).toBe(0);
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390);
  });
});

const ORDER = {
  inputMint: 'So11111111111111111111111111111111111111112',
  outputMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  amount: '100000000',
};

/** Finds a token by keyboard alone. */
async function chooseToken(page: Page, field: string, text: string, option: string): Promise<void> {
  const combobox = page.getByRole('combobox', { name: field });
  await combobox.click();
  await combobox.fill(text);
  await page.getByRole('option', { name: option }).first().waitFor();
  const names = await page.getByRole('option').allTextContents();
  const steps = names.findIndex((name) => name.replaceAll(' ', '').startsWith(option.replaceAll(' ', '')));
  for (let step = 0; step < steps; step++) await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
}
