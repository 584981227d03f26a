import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the controls of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('move a price, and show what that changed in the next quote, the depth chart and the portfolio', async () => {
    const page = await openControls();
    await page.getByRole('button', { name: 'Pools follow the feeds: off' }).click();
    await page.getByRole('button', { name: 'Pools follow the feeds: on' }).waitFor();
    const effects = page.getByRole('region', { name: 'What it changed' });
    const depth = await openFollowed(page, effects.getByRole('link', { name: 'Its depth chart' }));
    // What was not measured before the move has nothing to be compared with.
    await effects.getByText('measuring …').first().waitFor({ state: 'detached' });

    await page.getByRole('slider', { name: 'Price of SOL in US dollars' }).focus();
    await page.keyboard.press('PageUp');
    await logged(page, 'Set the price of SOL to $220').getByText('It was $200, and is $220').waitFor();
    for (const name of ['Best quote of 1 SOL', 'Price in the deepest pool', 'The demo wallet’s portfolio']) {
      const row = effects.getByRole('row', { name });
      await row.getByText(/^\+\d+\.\d\d%$/).waitFor();
    }
    // The pools follow the feed swap by swap, and the page stops measuring by itself.
    await expect.poll(() => measureChange(effects, 'Best quote of 1 SOL')).toBeGreaterThan(8);
    await expect.poll(() => measureChange(effects, 'Price in the deepest pool')).toBeGreaterThan(8);

    await depth
      .getByText(/feed.*220/i)
      .first()
      .waitFor();
    const quote = await openFollowed(page, effects.getByRole('link', { name: 'The next quote' }));
    await quote.getByRole('button', { name: 'Send', exact: true }).click();
    await quote
      .getByText(/"outAmount"/)
      .first()
      .waitFor();
    expect(await readOutAmount(quote)).toBeGreaterThan(215_000_000n);

    await logged(page, 'Set the price of SOL to $220').getByRole('button', { name: /^Undo/ }).click();
    await logged(page, 'Set the price of SOL to $200').waitFor();
  });

  it('move a price by dragging its line', async () => {
    const page = await openControls('?feed=JUP');
    const slider = page.getByRole('slider', { name: 'Price of JUP in US dollars' });
    // What is drawn later above the line would move it.
    await page.getByRole('button', { name: /^Pools follow the feeds/ }).waitFor();
    const box = (await slider.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width / 2, box.y + box.height / 4, { steps: 4 });
    await page.mouse.up();
    await page.getByText(/^Set the price of JUP to \$0\.5\d+$/).waitFor();
    const { prices } = await portal.instance.admin('GET', 'network/prices');
    const jup = prices.find(({ symbol }: { symbol: string }) => symbol === 'JUP');
    expect(Number(jup.price)).toBeGreaterThan(0.5);
  });

  it('say why the server refuses a price', async () => {
    portal.expectComplaint(/status of 400/);
    const page = await openControls();
    await page.getByLabel('Exact price in US dollars').fill('none');
    await page.getByRole('button', { name: 'Set the price' }).click();
    await page.getByRole('alert').filter({ hasText: 'price' }).waitFor();
    await logged(page, 'Set the price of SOL to $none').getByText('refused').waitFor();
  });

  it('move the clock', async () => {
    const page = await openControls();
    await page.getByRole('button', { name: '+ 1 hour' }).click();
    await logged(page, 'Moved the clock by 1 hour').waitFor();
    await page.getByText(/^(1 h|5\d min).* ahead$/).waitFor();
  });

  it('let requests fail until the fault is removed', async () => {
    portal.expectComplaint(/status of 503/);
    const page = await openControls();
    await page.getByText('Add a fault of the next requests to the products').click();
    const form = page.locator('form').filter({ has: page.getByLabel('Path') });
    await form.getByLabel('Path').fill('/price/*');
    await form.getByLabel('Count').fill('1000');
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await page.getByText('The next 1000 requests to /price/* are answered with 503.').first().waitFor();

    const playground = await portal.visit(
      '/playground/GetPrices?ids=So11111111111111111111111111111111111111112',
    );
    await playground.getByRole('button', { name: 'Send', exact: true }).click();
    await playground.getByText(/^503/).first().waitFor();

    await page.getByRole('button', { name: 'Remove all faults' }).click();
    await logged(page, 'Removed all faults').waitFor();
    await playground.getByRole('button', { name: 'Send', exact: true }).click();
    await playground.getByText(/^200/).first().waitFor();
  });

  it('save a snapshot, and go back to it', async () => {
    const page = await openControls();
    await page.getByLabel('Name of the snapshot').fill('before');
    await page.getByRole('button', { name: 'Save a snapshot' }).click();
    await page.getByRole('button', { name: 'Restore before' }).waitFor();
    const downloads = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download before' }).click();
    const file = join(mkdtempSync(join(tmpdir(), 'sluice-snapshot-')), 'again.snapshot');
    await (await downloads).saveAs(file);

    const exact = page.getByLabel('Exact price in US dollars');
    const price = await exact.inputValue();
    await exact.fill('150');
    await page.getByRole('button', { name: 'Set the price' }).click();
    await logged(page, 'Set the price of SOL to $150').waitFor();
    await page.getByRole('button', { name: 'Restore before' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Restore it' }).click();
    await logged(page, 'Restored the snapshot before').waitFor();
    await expect.poll(() => exact.inputValue()).toBe(price);

    await page.getByLabel('Upload a snapshot').setInputFiles(file);
    await page.getByRole('button', { name: 'Restore again' }).waitFor();
  });

  it('give tokens to a wallet, and reset the network only after the word is typed', async () => {
    const page = await openControls();
    const wallet = await portal.instance.newWallet(1_000_000_000n);
    await page.getByRole('textbox', { name: 'Wallet', exact: true }).last().fill(wallet.address);
    await page.getByLabel('Token', { exact: true }).fill('USDC');
    await page.getByLabel('Amount').fill('12.5');
    await page.getByText('USDC', { exact: true }).first().waitFor();
    await page.getByRole('button', { name: 'Give it' }).click();
    await page.getByText(/^Gave 12\.5 USDC to/).waitFor();
    await page.getByLabel('Token', { exact: true }).fill('SOL');
    await page.getByRole('button', { name: 'Give it' }).click();
    await page.getByText(/^Gave 12\.5 SOL to/).waitFor();
    const { value } = await portal.instance.rpc('getBalance', wallet.address, { commitment: 'processed' });
    expect(value).toBe(13_500_000_000);

    await page.getByRole('button', { name: 'Reset the network' }).click();
    const sure = page.getByRole('dialog').getByRole('button', { name: 'Reset it' });
    expect(await sure.isDisabled()).toBe(true);
    await page.getByLabel('Type reset to go on').fill('reset');
    await sure.click();
    await logged(page, 'Reset the network').waitFor();
  });

  it('are on the admin port alone', async () => {
    const page = await portal.visit('/controls');
    const link = page.getByRole('link', { name: 'Open this page there.' });
    expect(await link.getAttribute('href')).toBe(`${portal.adminUrl}/controls`);
    expect(await page.getByRole('navigation', { name: 'Portal' }).getByText('Controls').count()).toBe(0);
  });

  /** Opens the controls, signed in as the operator. */
  async function openControls(search = ''): Promise<Page> {
    // The portfolio of a network that is put back while it is read is refused; the page shows that.
    portal.expectComplaint(/status of 503.*\/portfolio\//);
    const page = await portal.visitSignedIn(`/controls${search}`);
    await page.getByRole('slider').waitFor();
    return page;
  }

  /** Opens what a link leads to in a page of its own. */
  async function openFollowed(page: Page, link: Locator): Promise<Page> {
    const href = await link.getAttribute('href');
    const next = await page.context().newPage();
    await next.goto(new URL(href ?? '', page.url()).href);
    return next;
  }
});

/** The entry of what was done. */
function logged(page: Page, what: string): Locator {
  return page
    .getByRole('list', { name: 'What you did' })
    .getByRole('listitem')
    .filter({ hasText: what })
    .first();
}

async function measureChange(effects: Locator, name: string): Promise<number> {
  await effects.getByRole('button', { name: 'Ask again' }).click();
  const text = await effects.getByRole('row', { name }).getByText(/%$/).textContent();
  return Number(text?.replace('%', ''));
}

async function readOutAmount(page: Page): Promise<bigint> {
  const text = (await page.locator('main').textContent()) ?? '';
  return BigInt(/"outAmount":\s*"(\d+)"/.exec(text)?.[1] ?? '0');
}
