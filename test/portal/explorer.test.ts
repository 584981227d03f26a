import { describe, expect, it, vi } from 'vitest';
import type { Instruction } from '../../src/solana/messages/instruction.ts';
import type { Keypair } from '../../src/solana/keypair.ts';
import { compileMessage } from '../../src/solana/messages/compile-message.ts';
import { signTransaction } from '../../src/solana/messages/transaction.ts';
import { decodeBase58 } from '../../src/solana/encoding/base58.ts';
import { memo } from '../../src/solana/programs/memo.ts';
import { transferLamports } from '../../src/solana/programs/system.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the explorer of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('shows a transaction that failed in words: what it tried, why it failed, and what it cost', async () => {
    const wallet = await portal.instance.newWallet(SOL);
    const signature = await land(wallet, [transferLamports(wallet.address, wallet.address, 5n * SOL)]);
    const page = await portal.visit('/explorer');
    await page.getByLabel(SEARCH).fill(signature);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('The transaction failed.').waitFor();
    await page.getByRole('heading', { name: 'Instruction', exact: true }).waitFor();
    await page.getByText('5 SOL', { exact: true }).first().waitFor();
    await page.getByRole('cell', { name: '−0.000005 SOL' }).waitFor();
    const failure = page.getByRole('status', { name: 'Why the transaction failed' });
    await failure
      .getByText('System program failed in instruction 1 of 1 with ResultWithNegativeLamports')
      .waitFor();
    await failure.getByText('0.999995 SOL', { exact: true }).waitFor();
    await failure.getByText('Transfer: insufficient lamports 999995000, need 5000000000').waitFor();
    await failure.getByText('The fee payer paid the fee of 0.000005 SOL anyway.').waitFor();
    await failure.getByText('What you can do: Give the account that pays enough SOL').waitFor();
  });

  it('follows the slots, and leads from a transaction that was just confirmed to its block', async () => {
    const wallet = await portal.instance.newWallet(SOL);
    const page = await portal.visit('/explorer');
    const slots = page.getByRole('table', { name: 'The last slots' }).getByRole('link');
    const first = await slots.first().textContent();
    const signature = await land(wallet, [memo('live')]);
    const row = page
      .getByRole('region', { name: 'Transactions, the newest first' })
      .getByRole('listitem')
      .filter({ has: page.getByTitle(signature) });
    await row.waitFor();
    await expect.poll(() => slots.first().textContent()).not.toBe(first);
    await row.getByRole('link').last().click();
    await page.getByRole('heading', { name: /^Block of slot/ }).waitFor();
    await page
      .getByRole('table', { name: /transactions of the block/ })
      .getByTitle(signature)
      .waitFor();
  });

  it('says in the words of an outside RPC what it refuses, and survives what it lies', async () => {
    const page = await portal.visit('/explorer');
    await page.route('**/portal/data/instance', async (route) => {
      const answer = await route.fetch();
      await route.fulfill({ response: answer, json: { ...(await answer.json()), network: { kind: 'rpc' } } });
    });
    let answer: object = { error: { code: -32_601, message: 'getBlock is not on your plan' } };
    await page.route('**/portal/data/rpc', (route) =>
      route.fulfill({ json: { jsonrpc: '2.0', id: 1, ...answer } }),
    );
    await page.reload();
    await page.getByRole('button', { name: /Check what it answers/ }).click();
    await page
      .getByRole('cell', { name: 'refuses The network refused getBlock: getBlock is not on your plan' })
      .waitFor();
    await page.getByLabel(SEARCH).fill('5');
    await page.getByRole('button', { name: 'Open' }).click();
    // The overview says the same of the check.
    await page.getByRole('heading', { name: 'Block of slot 5' }).waitFor();
    await page.getByText('The network refused getBlock: getBlock is not on your plan').waitFor();
    answer = { result: { blockhash: 5, transactions: 'many' } };
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('Sluice answered a block in a form that this page cannot read.').waitFor();
  });

  it('shows markup of a memo and of the log as the text that it is', async () => {
    const wallet = await portal.instance.newWallet(SOL);
    const signature = await land(wallet, [memo(MARKUP)]);
    const page = await portal.visit(`/explorer/tx/${signature}`);
    await page.getByText(MARKUP, { exact: true }).first().waitFor();
    await page.getByText(/^Log, \d+ lines$/).click();
    await page
      .getByRole('region', { name: 'The log of the transaction' })
      .getByText(`Program log: ${MARKUP}`)
      .waitFor();
    expect(await page.locator('img[src="x"], iframe, main script, main b').count()).toBe(0);
  });

  it('shows an account, its tokens and its transactions, which link to each other', async () => {
    const wallet = await portal.instance.newWallet(SOL, { [USDC]: 12_500_000n });
    const page = await portal.visit(`/explorer/account/${wallet.address}`);
    await page.getByText('1 SOL', { exact: true }).waitFor();
    await page.getByRole('cell', { name: '12.5 USDC' }).waitFor();
    await page
      .getByRole('table', { name: /transactions/ })
      .getByRole('link')
      .first()
      .click();
    await page.getByRole('heading', { name: 'Transaction', exact: true }).waitFor();
  });

  it('says what an entry is that is neither a signature nor an address, and what has not landed', async () => {
    portal.expectComplaint(/status of 404/);
    const page = await portal.visit('/explorer');
    await page.getByLabel(SEARCH).fill('<script>alert(1)</script>');
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('This is neither a signature').waitFor();
    await page.getByLabel(SEARCH).fill('1'.repeat(64));
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByText('No confirmed transaction with this signature').waitFor();
  });

  it('keeps a text of the address that is no signature to be corrected, and does not offer to ask again', async () => {
    portal.expectComplaint(/status of 400/);
    const page = await portal.visit('/explorer/tx/1111abc');
    await page.getByText('signature must be 64 bytes in base58, got "1111abc"').waitFor();
    expect(await page.getByLabel(SEARCH).inputValue()).toBe('1111abc');
    expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(0);
  });

  async function land(wallet: Keypair, instructions: readonly Instruction[]): Promise<string> {
    const { value } = await portal.instance.rpc('getLatestBlockhash');
    const blockhash = decodeBase58(value.blockhash) ?? new Uint8Array();
    const message = compileMessage({ feePayer: wallet.address, blockhash, instructions });
    const wire = Buffer.from(signTransaction(message, [wallet])).toString('base64');
    const options = { encoding: 'base64', skipPreflight: true };
    const signature = await portal.instance.rpc('sendTransaction', wire, options);
    await vi.waitFor(async () => {
      const { value: statuses } = await portal.instance.rpc('getSignatureStatuses', [signature]);
      expect(statuses[0]?.confirmationStatus).toMatch(/confirmed|final/);
    });
    return signature;
  }
});

const SOL = 1_000_000_000n;
const SEARCH = 'Signature or address, slot or token';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';
const MARKUP = '<img src=x onerror="alert(1)"><b>bold</b><script>alert(2)</script>';
