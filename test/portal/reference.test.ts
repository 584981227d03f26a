import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the API reference of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('finds an operation by words, and shows its parameters, its snippets and a real answer', async () => {
    const page = await portal.visit('/reference');
    await page.getByPlaceholder('Filter the endpoints').fill('swap v2 order');
    await page.getByRole('navigation', { name: 'Endpoints' }).getByRole('link').first().click();
    await page.getByRole('heading', { name: 'Swap as a transaction to sign' }).waitFor();
    await page.getByText('Mint of the token to swap.').waitFor();
    await page.getByRole('tab', { name: 'Python' }).click();
    const program = page.getByRole('region', { name: 'the request in Python' });
    await expect.poll(() => program.textContent()).toContain(`${portal.instance.restUrl}/swap/v2/order?`);
    await page.getByRole('button', { name: 'Ask this instance' }).click();
    const answer = page.getByRole('region', { name: 'the answer' });
    await expect.poll(() => answer.textContent()).toContain('"routePlan"');
  });

  it('opens the members of an answer, and finds the error of which a text is an instance', async () => {
    const page = await portal.visit('/reference/GetOrder');
    const step = page.locator('.schema-tree__member', { has: page.getByText('routePlan', { exact: true }) });
    await step.locator('summary').first().click();
    await step.getByText('swapInfo', { exact: true }).waitFor();
    await page
      .getByLabel('Find a code or a text that you got')
      .fill('slippageBps must be a whole number from 0 to 10000, got "x"');
    await page.getByText('… must be a whole number from … to …, got …', { exact: true }).waitFor();
  });

  it('leads to the page of the documentation about the product', async () => {
    const page = await portal.visit('/reference/CreateTriggerPriceOrder');
    await page.getByRole('link', { name: 'Guide to the product' }).click();
    await page.getByRole('heading', { name: 'Orders that wait for a price', level: 1 }).waitFor();
  });

  it('leads to the same operation in the playground', async () => {
    const page = await portal.visit('/reference/GetPrices');
    await page.getByRole('link', { name: 'Try it' }).click();
    await page.waitForURL(/\/portal\/playground\/GetPrices$/);
  });

  it('says that there is no operation of a name', async () => {
    const page = await portal.visit('/reference/Nothing%3Cb%3E');
    await page.getByText('There is no endpoint of the name Nothing<b>.').waitFor();
  });
});
