import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the pools of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('lists pools, filters them by token and venue, and keeps the filter in the address', async () => {
    const page = await portal.visit('/explorer/pools');
    const rows = page.getByRole('table', { name: 'Pools' }).getByRole('row');
    await page.getByRole('cell', { name: TENS_OF_MILLIONS }).first().waitFor();
    await page.getByLabel('Tokens').fill('sol usdc');
    await page.getByLabel('Venue').selectOption('Whirlpool');
    await page.getByText('2 of 2 pools').waitFor();
    expect(await rows.count()).toBe(3);
    expect(new URL(page.url()).searchParams.get('venue')).toBe('Whirlpool');
    await page.getByLabel('Tokens').fill('<b>nothing</b>');
    await page.getByText('No pool matches.').waitFor();
    await page.getByRole('button', { name: 'Show all pools' }).click();
    await page.getByRole('cell', { name: TENS_OF_MILLIONS }).first().waitFor();
  });

  it('draws the depth of a pool, reads it by keyboard, and shows it as a table', async () => {
    const page = await portal.visit('/explorer/pools?query=sol+usdc&venue=Raydium+CP');
    await page.getByRole('link', { name: 'SOL / USDC' }).first().click();
    const chart = page.getByRole('group', { name: /^Depth of SOL in USDC/ });
    await chart.locator('path').first().waitFor();
    await chart.focus();
    await page.keyboard.press('Home');
    await page.getByText(/^Selling [\d\s.]+ SOL gets .* below the price\.$/).waitFor();
    await page.keyboard.press('End');
    await page.getByText(/^Buying .* above the price\.$/).waitFor();
    await page.getByText('Show as a table').click();
    const table = page.getByRole('table', { name: /^Depth of SOL in USDC/ });
    expect(await table.getByRole('row').count()).toBeGreaterThan(20);
    await page.getByRole('button', { name: 'Prices in SOL' }).click();
    await page.getByRole('group', { name: /^Depth of USDC in SOL/ }).waitFor();
  });

  it('says what the pool alone pays for an amount, and why it does not', async () => {
    portal.expectComplaint(/status of 409/);
    const page = await portal.visit(`/explorer/pool/${POOL}`);
    await page.getByText('199.49602 USDC').waitFor();
    await page.getByLabel('How much SOL').fill('ten');
    await page.getByText('An amount of SOL above zero').waitFor();
    await page.getByRole('button', { name: 'Buy with USDC' }).click();
    await page.getByLabel('How much USDC').fill('0.000001');
    await page.getByText('The pool does not swap this amount').waitFor();
  });

  it('shows a price that was moved: the feed at once, and the pool once it follows', async () => {
    const page = await portal.visit(`${portal.adminUrl}/explorer/pool/${POOL}`);
    await page.getByText('at the price feed, 200 USDC').waitFor();
    await portal.instance.admin('PUT', 'network/prices/SOL', { price: '240' });
    await page.getByText(/^16\.67% below the price feed, 240 USDC$/).waitFor();
    await page.getByText('Pools follow the feeds').waitFor();
    await portal.instance.admin('PUT', 'network/price-follower', { following: true });
    await page.getByText(/^The thin line is the depth of .*, at 200 USDC\./).waitFor();
    await page.getByText(/^0\.\d+% below the price feed, 240 USDC$/).waitFor();
    await page.getByRole('table', { name: 'The last transactions that name the pool' }).waitFor();
    await page.getByRole('button', { name: 'Compare with now' }).click();
    await page.getByText('The thin line').waitFor({ state: 'detached' });
  });

  it('says where no pool is', async () => {
    portal.expectComplaint(/status of 40[04]/);
    const page = await portal.visit(`/explorer/pool/${USDC}`);
    await page.getByText('No pool that Sluice follows is at this address.').waitFor();
    await page.goto(`${portal.url}/explorer/pool/%3Cb%3E`);
    await page.getByText('address must be an address of 32 bytes in base58').waitFor();
  });
});

/** What the largest pools hold in dollars, at prices that trades of another test may have moved by a little. */
const TENS_OF_MILLIONS = /^\$\d{2}\s\d{3}\s\d{3}\.\d{2}$/;
/** The largest pool of SOL and USDC: 50,000 SOL at 200 dollars. */
const POOL = '7JuwJuNU88gurFnyWeiyGKbFmExMWcmRZntn9imEzdny';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
