import { describe, expect, it, vi } from 'vitest';
import { signTransaction, parseTransaction } from '../../src/solana/messages/transaction.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('portfolio, lend and prices in the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('shows the portfolio of the demo wallet as tables and shares, and its raw answer at one click', async () => {
    const page = await portal.visit('/products/portfolio');
    const shares = page.getByRole('list', { name: 'Shares of platforms' });
    await shares.getByText('Wallet').waitFor();
    for (const caption of ['Wallet on Wallet', 'Vault on Jupiter', 'LimitOrder on Jupiter'])
      await page.getByRole('table', { name: caption }).waitFor();
    await page
      .getByText(/^Health \d.*is borrowed\.$/)
      .first()
      .waitFor();
    await page.getByText('Raw answer of the positions').click();
    await page.getByText('"fetcherReports"').waitFor();
    await page.getByRole('link', { name: 'Open in the playground' }).click();
    await page.getByText('/portfolio/v1/positions/{address}').first().waitFor();
  });

  it('follows a wallet: what it receives appears without a reload', async () => {
    const wallet = await portal.instance.newWallet(SOL);
    const page = await portal.visit(`/products/portfolio?address=${wallet.address}`);
    await page.getByText('live', { exact: true }).waitFor();
    await page.getByRole('table', { name: 'Wallet on Wallet' }).getByText('1 SOL', { exact: true }).waitFor();
    const gift = { wallet: wallet.address, mint: USDC, amount: '12500000' };
    await portal.instance.admin('POST', 'network/faucet', gift);
    await page.getByRole('table', { name: 'Wallet on Wallet' }).getByText('12.5 USDC').waitFor();
  });

  it('shows a deposit with what it pays, and a loan with its health, which a moved price changes', async () => {
    const wallet = await portal.instance.newWallet(SOL, { [USDC]: 2_000_000_000n });
    await land(wallet, '/lend/v1/earn/deposit', { asset: USDC, signer: wallet.address, amount: '25000000' });
    await land(wallet, '/lend/v1/borrow/operate', {
      vaultId: USDC_SOL_VAULT,
      positionId: 0,
      signer: wallet.address,
      colAmount: '1000000000',
      debtAmount: '2000000000',
    });
    const page = await portal.visit(`/products/lend?address=${wallet.address}`);
    const deposits = page.getByRole('table', { name: 'Deposits of the wallet' });
    await deposits.getByText(/^(25|24\.9+\d*) USDC$/).waitFor();
    await deposits.getByRole('link', { name: 'Withdraw' }).waitFor();
    await page.getByRole('tab', { name: 'Borrow' }).click();
    await page.getByText('healthy', { exact: true }).waitFor();
    await page.getByText(/It owes 40(\.\d+)?% of its collateral.*after a fall by/).waitFor();
    // SOL is what it owes: at twice the price it owes four fifths of its collateral.
    await portal.instance.admin('PUT', 'network/prices/SOL', { price: '400' });
    await page.getByText(/It owes 80(\.\d+)?% of its collateral/).waitFor();
    await page.getByRole('link', { name: 'Repay and close' }).click();
    await page.getByText('/lend/v1/borrow/operate').first().waitFor();
    expect(page.url()).toContain(wallet.address);
    await portal.instance.admin('PUT', 'network/prices/SOL', { price: '200' });
  });

  it('draws candles, and shows a price that is moved as it moves', async () => {
    const page = await portal.visit('/products/prices?interval=1m');
    await page.getByText('live', { exact: true }).first().waitFor();
    await page.getByRole('heading', { name: /^SOL, / }).waitFor();
    await portal.instance.admin('PUT', 'network/price-follower', { following: true });
    await portal.instance.admin('PUT', 'network/prices/SOL', { price: '240' });
    await page
      .locator('.token-price')
      .getByText(/^\$2(3[89]|4[01])\.\d\d$/)
      .waitFor();
    await page.getByText(/^\d+ trades/).waitFor();
    await page.getByText('Show as a table').click();
    await page
      .getByRole('cell', { name: /^\$2(3[89]|4[01])\.\d\d$/ })
      .first()
      .waitFor();
    await page.getByText('Raw answer of the candles').click();
    await page.getByText('"candles"').waitFor();
  });

  it('hides the view of a product that is absent', async () => {
    const page = await portal.visit('/products');
    await page.getByRole('link', { name: /^Lend/ }).first().waitFor();
    await page.route('**/portal/data/instance', async (route) => {
      const answer = (await (await route.fetch()).json()) as { products: { name: string }[] };
      const products = answer.products.filter(({ name }) => name !== 'lend');
      await route.fulfill({ json: { ...answer, products } });
    });
    await page.reload();
    await page
      .getByRole('link', { name: /^Portfolio/ })
      .first()
      .waitFor();
    expect(await page.getByRole('link', { name: /^Lend/ }).count()).toBe(0);
    await page.goto(`${portal.url}/products/lend`);
    await page.getByText('This instance does not serve the product').waitFor();
  });

  async function land(wallet: Keypair, path: string, body: object): Promise<void> {
    const { status, json } = await portal.instance.ask(path, body);
    expect(status, JSON.stringify(json)).toBe(200);
    const { messageBytes } = parseTransaction(Buffer.from(json.transaction, 'base64'));
    const wire = Buffer.from(signTransaction(messageBytes, [wallet])).toString('base64');
    const signature = await portal.instance.rpc('sendTransaction', wire, {
      encoding: 'base64',
      skipPreflight: true,
    });
    await vi.waitFor(async () => {
      const { value } = await portal.instance.rpc('getSignatureStatuses', [signature]);
      expect(value[0]?.err).toBeNull();
      expect(value[0]?.confirmationStatus).toMatch(/confirmed|final/);
    });
  }
});

const SOL = 1_000_000_000n;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
/** Lends SOL against USDC. */
const USDC_SOL_VAULT = 14;
