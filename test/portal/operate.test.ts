import { readFileSync } from 'node:fs';
import { Connection, Keypair, PublicKey, SystemProgram, Transaction } from '@solana/web3.js';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBackup } from '../../src/data-folder/backup/read-backup.ts';
import { getProgramAuthority } from '../../src/protocol/venue/aggregator-program.ts';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('operating an instance in the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  beforeAll(setUp);

  it('says that everything works, which part does not, since when and what to do, and that it works again', async () => {
    const page = await portal.visitSignedIn('/operate');
    const verdict = page.getByRole('region', { name: 'Whether everything works' });
    await verdict.getByText('Everything works').waitFor();
    await page.getByRole('heading', { name: 'sponsor and gas wallet' }).waitFor();
    await page.getByText('of 1 SOL in the last hour', { exact: false }).waitFor();
    await page
      .getByRole('row')
      .filter({ hasText: 'database of the request log' })
      .getByText('works')
      .waitFor();
    await fault('POST', { method: 'getHealth', status: 503, count: 1_000 });
    await verdict.getByText('Not ready: rpc does not work').waitFor();
    const link = await verdict.getByRole('link', { name: 'What to do' }).getAttribute('href');
    expect(link).toContain('/docs/runbooks#sluicepartdown');
    await fault('DELETE');
    await verdict.getByText('Everything works').waitFor();
    const changes = page.getByRole('region', { name: 'Parts that came and went' });
    await changes.getByRole('row').filter({ hasText: 'works again' }).first().waitFor();
  });

  it('shows what became of a transaction that was submitted, and what a client calls one as text', async () => {
    const signature = await submitTip();
    const page = await portal.visitSignedIn('/operate/landings');
    const row = page
      .getByRole('row')
      .filter({ hasText: signature.slice(0, 4) })
      .filter({ hasText: 'demo' });
    await row.getByText('confirmed').waitFor();
    await row.getByRole('button').click();
    await page.getByText('seen in a block').waitFor();
    expect(new URL(page.url()).searchParams.get('landing')).toBe(signature);
    await page.reload();
    await page.getByText('It landed, and was confirmed.').waitFor();
    await page.getByRole('button', { name: 'expired' }).click();
    await page.getByText('No landing of the last seven days is like that.').waitFor();
    await page.getByLabel('Signature or request id').fill('<img src=x onerror=window.hit=1>');
    await page.getByText('There is no report of', { exact: false }).waitFor();
    expect(await page.evaluate('[window.hit ?? null, document.querySelector("main img")]')).toEqual([
      null,
      null,
    ]);
  });

  it('says where a setting comes from, and copies what was given', async () => {
    const page = await portal.visitSignedIn('/operate/settings');
    await page.getByText('With the same command and variables', { exact: false }).waitFor();
    await page.getByLabel('Filter').fill('rest-port');
    const row = page.getByRole('listitem').filter({ hasText: 'Port of the REST interface' });
    await row.getByText('flag --rest-port').waitFor();
    await row.getByText(`In force: ${new URL(portal.instance.restUrl).port}`).waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get('filter')).toBe('rest-port');
    await page.getByText('As flags').click();
    expect(await page.getByLabel('the settings as flags', { exact: true }).textContent()).toContain(
      '--rest-port=0',
    );
    await page.getByRole('button', { name: 'Given' }).click();
    await page.getByLabel('Filter').fill('no such setting');
    await page.getByText('No setting matches.', { exact: false }).waitFor();
  });

  it('makes a backup, saves what can be restored, and lists it with its size and who made it', async () => {
    const page = await portal.visitSignedIn('/operate/backups');
    await page.getByText('No backup was made yet.', { exact: false }).waitFor();
    // Nobody can answer the question of where to save. Other browsers do not ask it either.
    await page.evaluate('delete window.showSaveFilePicker');
    await page.getByRole('button', { name: 'Make a backup' }).click();
    const saved = page.waitForEvent('download');
    await page.getByRole('dialog').getByRole('button', { name: 'Make it' }).click();
    await page.getByText('Saved:', { exact: false }).waitFor();
    const download = await saved;
    expect(download.suggestedFilename()).toMatch(/^sluice-[\dT-]+Z\.tgz$/);
    const known = { schemaVersion: Number.MAX_SAFE_INTEGER, logVersion: Number.MAX_SAFE_INTEGER };
    expect((await readBackup(await download.path(), known)).schemaVersion).toBeGreaterThan(0);
    const row = page.getByRole('row').filter({ hasText: 'sluice.db' });
    await row.getByText('made').waitFor();
    await row.getByText('operator').waitFor();
    await page.getByText('Who', { exact: true }).first().waitFor();
  });

  it('shows an alert that is pending with what is wrong and what to do, and its last hour when it is quiet again', async () => {
    await fault('POST', { method: 'getHealth', status: 503, count: 1_000 });
    await expect.poll(() => stateOf('SluicePartDown')).toBe('pending');
    const page = await portal.visitSignedIn('/operate/alerts');
    const heading = page.getByRole('heading', { name: 'SluicePartDown' });
    const panel = page.locator('section.panel').filter({ has: heading });
    const rpc = panel.getByRole('listitem').filter({ hasText: /rpc does not answer 127\.0\.0\.1:/ });
    await rpc.getByText(/^Holds since .* fires in .* if it lasts/).waitFor();
    const link = panel.getByRole('link', { name: 'What it means, where to look, and what to do' });
    expect(await link.getAttribute('href')).toContain('/docs/runbooks#sluicepartdown');
    await fault('DELETE');
    await expect.poll(() => stateOf('SluicePartDown')).toBe('quiet');
    // Another alert may fire on a machine that is slow. The address opens the one that is looked for.
    const later = await portal.visitSignedIn('/operate/alerts?alert=SluicePartDown');
    await later.getByRole('button', { name: 'SluicePartDown', expanded: true }).waitFor();
    await later.getByRole('group', { name: 'SluicePartDown: its value in the last hour' }).waitFor();
  });

  it('keeps every page when the alerts are answered in another form', async () => {
    for (const body of ['{}', 'null', '{"counts":null,"alerts":[{}]}']) {
      const page = await portal.visitSignedIn('/operate/plans');
      await page.route('**/admin/v1/alerts', (route) =>
        route.fulfill({ contentType: 'application/json', body }),
      );
      await page.goto(`${portal.adminUrl}/operate`);
      await page.getByText('Sluice answered the alerts in a form that this page cannot read.').waitFor();
      await page.getByRole('region', { name: 'Whether everything works' }).waitFor();
      await page.getByRole('banner').waitFor();
    }
  });

  it('keeps each page when it is answered in another form, and says so', async () => {
    const page = await portal.visitSignedIn('/operate/plans');
    let body = '';
    await page.route(/\/admin\/v1\/(?!session)/, (route) =>
      route.fulfill({ contentType: 'application/json', body }),
    );
    for (const [index, path] of READING.entries()) {
      body = index % 2 === 0 ? '{}' : 'null';
      await page.goto(`${portal.adminUrl}${path}`);
      await page.getByText('in a form that this page cannot read', { exact: false }).first().waitFor();
      await page.getByRole('banner').waitFor();
    }
  });

  async function stateOf(name: string): Promise<string> {
    const { alerts } = await portal.instance.admin('GET', 'alerts');
    return alerts.find((alert: { name: string }) => alert.name === name).state;
  }

  async function setUp(): Promise<void> {
    await fault('DELETE');
  }

  async function fault(method: 'POST' | 'DELETE', body?: object): Promise<void> {
    const { adminUrl, operatorCredential } = portal.instance;
    const answer = await fetch(`${adminUrl}/admin/v1/network/faults/rpc`, {
      method,
      headers: {
        authorization: `Bearer ${operatorCredential}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    expect(answer.status).toBeLessThan(300);
  }

  /** Submits a transaction of the demo wallet that only pays a tip, with the key of the demo team. */
  async function submitTip(): Promise<string> {
    const { rpcUrl, restUrl, walletFile, apiKey } = portal.instance;
    const wallet = Keypair.fromSecretKey(
      Uint8Array.from(JSON.parse(readFileSync(walletFile, 'utf8')) as number[]),
    );
    const { blockhash, lastValidBlockHeight } = await new Connection(
      rpcUrl,
      'confirmed',
    ).getLatestBlockhash();
    const transaction = new Transaction({ feePayer: wallet.publicKey, blockhash, lastValidBlockHeight }).add(
      SystemProgram.transfer({
        fromPubkey: wallet.publicKey,
        toPubkey: new PublicKey(getProgramAuthority(5)),
        lamports: 1_000_000,
      }),
    );
    transaction.sign(wallet);
    const landing = new Connection(`${restUrl}/tx/v1`, { httpHeaders: { 'x-api-key': apiKey } });
    return landing.sendRawTransaction(transaction.serialize(), { skipPreflight: true, maxRetries: 0 });
  }
});

/** Pages that show what the admin interface answers. */
const READING = [
  ...[
    '',
    '/alerts',
    '/log',
    '/analytics',
    '/orders',
    '/landings',
    '/audit',
    '/plans',
    '/settings',
    '/backups',
  ].map((path) => `/operate${path}`),
  ...['', '/demo', '/demo/keys', '/demo/members', '/demo/usage', '/demo/firewall'].map(
    (path) => `/organisations${path}`,
  ),
];
