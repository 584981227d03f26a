import { execFileSync } from 'node:child_process';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the playground of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('finds an endpoint by the keyboard, changes a choice, sends it, and keeps it in the address', async () => {
    const page = await portal.visit('/playground');
    await page.locator('[data-operation="QuoteGet"]').waitFor();
    await page.keyboard.press('/');
    await page.keyboard.type('get v1 quote');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.getByText(/optional values/).click();
    await page.getByLabel('swapMode').selectOption('ExactOut');
    await page.keyboard.press('Control+Enter');
    await answerOf(page).getByText('200 OK').waitFor();
    await expect.poll(() => bodyOf(page)).toMatch(/"swapMode": "ExactOut"/);
    await expect.poll(() => page.url()).toMatch(/QuoteGet\?swapMode=ExactOut$/);
    await page.reload();
    await expect.poll(() => page.getByLabel('swapMode').inputValue()).toBe('ExactOut');
  });

  it('names a wrong value of a body at its field, before it is sent and when it is refused', async () => {
    const page = await portal.visit('/playground/PostEarnDeposit');
    const sent: string[] = [];
    page.on('request', (request) => sent.push(new URL(request.url()).pathname));
    const amount = page.getByLabel('amount');
    await amount.fill('');
    await sendIn(page);
    await page.getByText('One value is wrong.').waitFor();
    await expect.poll(() => errorOf(page, amount)).toMatch(/required/);
    expect(sent).not.toContain('/lend/v1/earn/deposit');
    portal.expectComplaint(/status of 400/);
    await amount.fill('a lot');
    await sendIn(page);
    await answerOf(page).getByText('400 Bad Request').waitFor();
    await expect.poll(() => errorOf(page, amount)).toMatch(/amount/);
    await page.getByRole('button', { name: 'Edit as JSON' }).click();
    await page.getByLabel('JSON').fill('{"asset": ');
    await page.getByText('Line 1 is not JSON').waitFor();
  });

  it('orders a swap with the wallet of the browser, decodes, simulates and signs it, and it lands', async () => {
    const page = await portal.visit('/playground/GetOrder');
    await page.getByRole('button', { name: 'Use my throwaway wallet' }).click();
    await page.getByText('It has 10 SOL').waitFor();
    await sendIn(page);
    const transactions = page.getByRole('region', { name: 'Transactions of the answer' });
    await transactions.getByRole('button', { name: 'Decode' }).click();
    await transactions.getByText('What it says').waitFor();
    await transactions.getByRole('button', { name: 'Simulate' }).click();
    await transactions.getByText('would succeed').waitFor();
    await transactions.getByRole('button', { name: 'Sign and send' }).click();
    await transactions.getByText('landed', { exact: true }).first().waitFor();
    expect(await transactions.getByRole('button', { name: 'Sign and send' }).isDisabled()).toBe(true);
  });

  it('compiles the instructions of a build, and sends them to the network', async () => {
    const page = await portal.visit('/playground/GetBuild');
    await page.getByRole('button', { name: 'Use my throwaway wallet' }).click();
    await page.getByText('It has 10 SOL').waitFor();
    await sendIn(page);
    await page.getByRole('button', { name: 'Compile' }).click();
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText('landed', { exact: true }).first().waitFor();
  });

  it('shows the events of a stream as they come, until it is stopped', async () => {
    const page = await portal.visit('/playground/StreamPrices');
    await sendIn(page);
    const events = page.getByRole('region', { name: 'Events, the newest first' });
    await events.getByText('prices', { exact: true }).first().waitFor();
    await answerOf(page).getByText('live', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Stop' }).click();
    await answerOf(page).getByText('Stopped.').waitFor();
    await page.getByRole('button', { name: 'Send', exact: true }).waitFor();
  });

  it('copies a command that makes the very request that is sent, with quotes in it', async () => {
    const page = await portal.visit('/playground/PostEarnDeposit');
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await page.getByLabel('signer').fill(`it's "$(exit)" \`x\` \\`);
    portal.expectComplaint(/status of 400/);
    const [request] = await Promise.all([
      page.waitForRequest((each) => each.url().endsWith('/lend/v1/earn/deposit')),
      sendIn(page),
    ]);
    await page.getByRole('button', { name: 'Copy the request as curl' }).click();
    const command = await page.evaluate<string>('navigator.clipboard.readText()');
    const [, url, ...options] = readShellWords(command);
    expect(url).toBe(request.url());
    const body = options[options.indexOf('--data-raw') + 1];
    expect(JSON.parse(body ?? '')).toEqual(request.postDataJSON());
    expect(request.postDataJSON().signer).toBe(`it's "$(exit)" \`x\` \\`);
  });

  it('ends a request with its form, and shows each form again on the way back', async () => {
    const page = await portal.visit('/playground/SearchTokens?query=USDC');
    await page.getByLabel('query').fill('<b>JUP</b>');
    await expect.poll(() => page.url()).toMatch(/%3Cb%3E/);
    await page.locator('[data-operation="GetPrices"]').click();
    await page.getByRole('heading', { name: 'Prices', exact: true }).waitFor();
    await page.goBack();
    await expect.poll(() => page.getByLabel('query').inputValue()).toBe('<b>JUP</b>');
    await sendIn(page);
    await answerOf(page).getByText('200 OK').waitFor();
    expect(await page.locator('.answer-view b').count()).toBe(0);
  });

  it('shows where a token goes that is needed and not entered yet', async () => {
    const page = await portal.visit('/playground/CreateTriggerPriceOrder');
    await page.getByText('Bearer YOUR_TOKEN').waitFor();
    const control = `document.querySelector('textarea[data-path$="depositSignedTx"]')`;
    expect(await page.evaluate(`getComputedStyle(${control}).fontFamily`)).toMatch(/mono/);
  });

  it('signs with a wallet of the sandbox on the admin port, and shows the endpoints of the operator', async () => {
    const page = await portal.visit(`${portal.adminUrl}/playground/GetOrder`);
    await sendIn(page);
    await page.getByLabel(/^Operator/).fill(portal.instance.operatorCredential);
    await page.getByRole('button', { name: 'Sign and send' }).click();
    await page.getByText('landed', { exact: true }).first().waitFor();
    await page.getByRole('link', { name: 'Admin', exact: true }).click();
    await page.locator('[data-operation="GetAdminV1NetworkWallets"]').click();
    await sendIn(page);
    await expect.poll(() => bodyOf(page)).toMatch(/"name": "demo"/);
    // What is shown and copied would pass the credential on.
    await page.getByText('Bearer YOUR_TOKEN').waitFor();
    expect(await page.locator('main').textContent()).not.toContain(portal.instance.operatorCredential);
  });
});

/** The text that a field names as its error. */
async function errorOf(page: Page, field: Locator): Promise<string | null> {
  const ids = ((await field.getAttribute('aria-describedby')) ?? '').split(' ');
  const id = ids.find((each) => each.endsWith('-error'));
  return id === undefined ? null : page.locator(`[id="${id}"]`).textContent();
}

function answerOf(page: Page) {
  return page.locator('.panel', { has: page.getByRole('heading', { name: 'Answer', exact: true }) });
}

async function bodyOf(page: Page): Promise<string> {
  return (await page.getByRole('region', { name: 'the body of the answer' }).textContent()) ?? '';
}

async function sendIn(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Send', exact: true }).click();
}

/** Returns the words that a shell makes of a command. */
function readShellWords(command: string): readonly string[] {
  const script = `curl() { printf '%s\\0' curl "$@"; }\n${command}\n`;
  return execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0').slice(0, -1);
}
