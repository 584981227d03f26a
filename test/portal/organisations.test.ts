import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the organisations of the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  beforeAll(setUp);

  it('get a team and a key, which is shown once, and its first request is found in the log', async () => {
    const page = await visitAsOperator('/organisations');
    await page.getByRole('button', { name: 'Create an organisation' }).click();
    await page.getByLabel('Name').fill('first');
    await page.getByLabel('Plan').selectOption('developer');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'first' }).waitFor();
    await page.getByRole('button', { name: 'Create a team' }).click();
    await page.getByLabel('Name').fill('web');
    await page.getByRole('button', { name: 'Create', exact: true }).click();
    await page.getByRole('link', { name: '0 keys' }).click();
    const key = await createKey(page, 'build server');
    const note = page.getByTestId('secret-note');
    expect(await note.textContent()).toContain(`-H 'x-api-key: ${key}'`);
    expect(await page.evaluate(TRACES)).not.toContain(key);
    await page.getByRole('cell', { name: `build server ${key.slice(0, 8)}` }).waitFor();
    const { status } = await fetch(`${portal.instance.restUrl}/price/v3?ids=${SOL}`, {
      headers: { 'x-api-key': key },
    });
    expect(status).toBe(200);
    await note.getByRole('link', { name: 'See its requests in the log' }).click();
    await page.getByText('/price/v3', { exact: false }).first().waitFor();
    expect(await page.content()).not.toContain(key);
    await page.goBack();
    await page.getByRole('cell', { name: /^build server/ }).waitFor();
    expect(await note.count()).toBe(0);
    expect(await page.content()).not.toContain(key);
  });

  it('keep their last owner, and say so before it is tried', async () => {
    const page = await visitAsOperator(`/organisations/${ACME}/members`);
    const owner = page.getByRole('row').filter({ hasText: 'ann' });
    await owner.getByText('The last owner stays. Make somebody else an owner first.').waitFor();
    for (const name of [/^Remove ann/, /^Change the role of ann/])
      expect(await owner.getByRole('button', { name }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Change the role of bob' }).click();
    await page.getByLabel('Role', { exact: true }).selectOption('owner');
    await page.getByRole('dialog').getByRole('button', { name: 'Change the role' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await expect.poll(() => owner.getByRole('button', { name: 'Remove ann' }).isEnabled()).toBe(true);
  });

  it('invite somebody by a token that is shown once, and revoke the invitation', async () => {
    const page = await visitAsOperator(`/organisations/${ACME}/members`);
    await page.getByRole('button', { name: 'Invite somebody' }).click();
    await page.getByLabel('Name').fill('dora@example.com');
    await page.getByRole('button', { name: 'Invite', exact: true }).click();
    const note = page.getByTestId('secret-note');
    const token = /sluice_invite_[0-9a-f]{64}/.exec((await note.textContent()) ?? '')?.[0] ?? '';
    expect(token).not.toBe('');
    expect(await note.getByRole('link').getAttribute('href')).toBe(`${portal.adminUrl}/invitation`);
    expect(await page.evaluate(TRACES)).not.toContain(token);
    await note.getByRole('button', { name: 'I have kept it' }).click();
    expect(await page.content()).not.toContain(token);
    await page.getByRole('button', { name: 'Revoke the invitation of dora@example.com' }).click();
    await page.getByRole('button', { name: 'Revoke it' }).click();
    await page.getByText('Nobody is invited now').waitFor();
  });

  it('say what somebody else changed in another tab meanwhile', async () => {
    portal.expectComplaint(/status of 404/);
    const pages = await Promise.all([1, 2].map(() => visitAsOperator(`/organisations/${ACME}/keys`)));
    const [first, second] = pages as [Page, Page];
    await createKey(first, 'shared');
    // The browser keeps pages that are left for its button that leads back.
    await first.evaluate('void dispatchEvent(new Event("pagehide"))');
    expect(await first.getByTestId('secret-note').count()).toBe(0);
    await second.reload();
    await second.getByRole('button', { name: 'Change shared' }).click();
    await first.getByRole('button', { name: 'Delete shared' }).click();
    await first.getByText('No firewall rule names it').waitFor();
    await first.getByRole('button', { name: 'Delete the key' }).click();
    await first.getByRole('dialog').waitFor({ state: 'detached' });
    await second.getByLabel('Name').fill('renamed');
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByText('has no key "shared"', { exact: false }).waitFor();
    await second.getByRole('button', { name: 'Cancel' }).click();
    await second.getByRole('cell', { name: 'shared' }).waitFor({ state: 'detached' });
  });

  it('name the firewall rules that a key is deleted from under', async () => {
    await portal.instance.admin('POST', `organisations/${ACME}/teams/web/keys`, { name: 'ruled' });
    await portal.instance.admin('POST', `organisations/${ACME}/teams/web/rules`, {
      name: 'not ci',
      groups: [[{ type: 'key', values: ['ruled'] }]],
      action: { type: 'deny' },
    });
    const page = await visitAsOperator(`/organisations/${ACME}/keys?team=web`);
    await page.getByRole('button', { name: 'Delete ruled' }).click();
    await page.getByRole('dialog').getByText('not ci').waitFor();
  });

  it('draw no more than 200 rows of 1,000 keys, and names as text', async () => {
    const page = await portal.visit('about:blank');
    await page.route('**/admin/v1/organisations/*/keys?*', (route) =>
      route.fulfill({
        contentType: 'application/json',
        body: JSON.stringify({ keys: manyKeys(), next: null }),
      }),
    );
    await visitAs(page, `/organisations/${ACME}/keys`, portal.instance.operatorCredential);
    await page.getByText(MARKUP).waitFor();
    const text = (await page.locator('main').textContent()) ?? '';
    expect(text).not.toContain('\u202E');
    expect(await page.evaluate('window.hit ?? null')).toBeNull();
    expect(await page.locator('tr').count()).toBeLessThanOrEqual(200);
    await page.getByLabel('Find').fill('key 999');
    await page.getByRole('cell', { name: 'key 999', exact: true }).waitFor();
  });

  it('show a member what is its own, and nothing that it may not do', async () => {
    portal.expectComplaint(/status of 403/);
    const page = await portal.visit('about:blank');
    await visitAs(page, '/organisations', tokens.get('cleo') ?? '');
    await page.getByRole('heading', { level: 1, name: ACME }).waitFor();
    await page.getByRole('table').waitFor();
    for (const name of ['Change the plan', 'Create a team', `Delete ${ACME}`])
      expect(await page.getByRole('button', { name }).count()).toBe(0);
    await page.getByRole('link', { name: 'Keys', exact: true }).click();
    await page.getByText('You can create keys in your own teams only').waitFor();
    await page.getByRole('link', { name: 'Members', exact: true }).click();
    await page.getByRole('button', { name: 'Leave the organisation' }).waitFor();
    expect(await page.getByRole('button', { name: 'Invite somebody' }).count()).toBe(0);
    await page.goto(`${portal.adminUrl}/organisations/demo`);
    await page.getByText(`you are signed in as ${ACME}/cleo`, { exact: false }).waitFor();
  });

  it('keep a token that its member has renewed on the page until it is kept', async () => {
    portal.expectComplaint(/status of 401/);
    const page = await portal.visit('about:blank');
    await visitAs(page, `/organisations/${ACME}/members`, tokens.get('eve') ?? '');
    await page.getByRole('button', { name: 'Renew the token of eve' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Renew the token' }).click();
    const note = page.getByTestId('secret-note');
    const token = /sluice_member_[0-9a-f]{64}/.exec((await note.textContent()) ?? '')?.[0] ?? '';
    expect([token.length, token === tokens.get('eve')]).toEqual([78, false]);
    expect(await page.evaluate(TRACES)).not.toContain(token);
    await visitAs(page, `/organisations/${ACME}/members`, token);
    await page.getByRole('cell', { name: 'eve you' }).waitFor();
  });

  it('have limits that the operator changes and resets', async () => {
    const page = await visitAsOperator('/operate/plans');
    await page.getByRole('button', { name: 'Change launch' }).click();
    await page.getByLabel('Requests in any 60 seconds').fill('3500');
    await page.getByRole('button', { name: 'Change the limits' }).click();
    const row = page.getByRole('row').filter({ hasText: 'launch' });
    await row.getByText('usually 3 000').waitFor();
    await page.getByRole('button', { name: 'Reset launch' }).click();
    await page.getByRole('button', { name: 'Reset the limits' }).click();
    await row.getByText('usually 3 000').waitFor({ state: 'detached' });
  });

  async function setUp(): Promise<void> {
    const { instance } = portal;
    await instance.admin('POST', 'organisations', { slug: ACME, plan: 'pro' });
    await instance.admin('POST', `organisations/${ACME}/teams`, { slug: 'web' });
    for (const [name, role] of MEMBERS) {
      const { token } = await instance.admin('POST', `organisations/${ACME}/invitations`, { name, role });
      const accepted = await instance.admin('POST', 'invitations/accept', { token });
      tokens.set(name, accepted.token);
    }
  }

  function visitAsOperator(path: string): Promise<Page> {
    return portal.visitSignedIn(path);
  }

  /** Opens a page of the admin port for a member or the operator, in a profile that may have been used before. */
  async function visitAs(page: Page, path: string, credential: string): Promise<void> {
    await page.goto(`${portal.adminUrl}/reference`);
    await portal.signIn(page, credential);
    await page.goto(`${portal.adminUrl}${path}`);
  }
});

const ACME = 'acme';
const SOL = 'So11111111111111111111111111111111111111112';
const MEMBERS = [
  ['ann', 'owner'],
  ['bob', 'admin'],
  ['cleo', 'member'],
  ['eve', 'member'],
] as const;
const MARKUP = '<img src=x onerror="window.hit=1">';
/** Where a secret must not be found. */
const TRACES =
  'location.href + JSON.stringify(history.state) + JSON.stringify(localStorage) + JSON.stringify(sessionStorage) + document.cookie';

const tokens = new Map<string, string>();

/** Creates a key on the page of keys, and returns it as the page shows it. */
async function createKey(page: Page, name: string): Promise<string> {
  await page.getByRole('button', { name: 'Create a key' }).click();
  await page.getByLabel('Name').fill(name);
  await page.getByRole('button', { name: 'Create the key' }).click();
  const text = await page.getByTestId('secret-note').textContent();
  return /jup_[0-9a-f]{64}/.exec(text ?? '')?.[0] ?? '';
}

/** Keys of which one has a name that no server should have taken. */
function manyKeys() {
  const names = Array.from({ length: 1_000 }, (_, index) => `key ${index}`);
  return [MARKUP, 'key \u202Egnp.exe', ...names].map((name) => ({
    team: 'web',
    name,
    excerpt: null,
    products: null,
    expiresAt: null,
    lastUsedAt: null,
    createdAt: 0,
  }));
}
