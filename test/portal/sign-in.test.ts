import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('signing in to the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('leads back to where the reader came from, keeps no credential, and signs all tabs out', async () => {
    portal.expectComplaint(/status of 401.*\/admin\/v1\/session/);
    const page = await portal.visit(`${portal.adminUrl}/explorer/tokens`);
    await page.getByRole('link', { name: 'Sign in' }).click();
    const credential = page.getByLabel(/^Operator’s credential/);
    await credential.fill('wrong');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByText('neither the operator’s credential', { exact: false }).waitFor();
    await credential.fill(portal.instance.operatorCredential);
    await page.getByLabel('Your name').fill('ann');
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.waitForURL(`${portal.adminUrl}/explorer/tokens`);
    await page.getByRole('button', { name: 'Signed in as operator (ann)' }).waitFor();
    const kept = await page.evaluate(
      'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie])',
    );
    expect(kept).not.toContain(portal.instance.operatorCredential);
    const other = await page.context().newPage();
    await other.goto(`${portal.adminUrl}/operate/plans`);
    await other.getByText('Callers without a key').first().waitFor();
    await page.getByRole('button', { name: /^Signed in as/ }).click();
    await page.getByRole('button', { name: 'Sign out', exact: true }).click();
    await page.getByRole('link', { name: 'Sign in' }).waitFor();
    await other.getByLabel(/^Operator’s credential/).waitFor();
  });

  it('says that the session has ended where the server no longer knows it', async () => {
    portal.expectComplaint(/status of 401/);
    const page = await portal.visitSignedIn('/operate/plans');
    await page.getByText('Callers without a key').first().waitFor();
    await portal.instance.admin('DELETE', 'sessions');
    await page.reload();
    await page.getByText('Your session has ended.', { exact: false }).waitFor();
  });

  it('says so also where a list or a live log is read', async () => {
    portal.expectComplaint(/status of 401/);
    const list = await portal.visitSignedIn('/operate/audit');
    await list.getByRole('button', { name: 'Look again' }).waitFor();
    const live = await portal.visitSignedIn('/operate/log?view=live');
    await live.getByText('live', { exact: true }).waitFor();
    await portal.instance.admin('DELETE', 'sessions');
    await list.getByRole('button', { name: 'Look again' }).click();
    for (const page of [list, live]) {
      await page.getByText('Your session has ended.', { exact: false }).waitFor();
      await page.getByLabel(/^Operator’s credential/).waitFor();
    }
  });

  it('accepts an invitation, shows the token once, and shows a member what the role allows', async () => {
    const { token } = await portal.instance.admin('POST', 'organisations/demo/invitations', {
      name: 'ann',
      role: 'member',
    });
    const page = await portal.visit(`${portal.adminUrl}/invitation`);
    await page.getByLabel('Token of the invitation').fill(token);
    await page.getByRole('button', { name: 'Accept' }).click();
    const note = page.getByTestId('secret-note');
    expect(await note.textContent()).toContain('sluice_member_');
    await page.getByRole('button', { name: 'I have kept it: sign in' }).click();
    await page.waitForURL(`${portal.adminUrl}/organisations/demo`);
    await note.waitFor({ state: 'detached' });
    await page.getByRole('button', { name: 'Signed in as demo/ann' }).waitFor();
    expect(await page.content()).not.toContain('sluice_member_');
    for (const path of OF_OTHERS) {
      await page.goto(`${portal.adminUrl}${path}`);
      await page.getByText('you are signed in as demo/ann, with the role member', { exact: false }).waitFor();
      expect(await page.getByRole('alert').count(), path).toBe(0);
    }
    for (const path of OWN) {
      await page.goto(`${portal.adminUrl}/organisations/demo${path}`);
      await page.locator('.panel').first().waitFor();
      // Buttons come with the rights and the rows.
      await expect.poll(() => page.locator('.status__pulse').count(), { message: path }).toBe(0);
      expect(await page.getByRole('alert').count(), path).toBe(0);
      const buttons = page.getByRole('button', { name: NOT_OF_MEMBERS });
      await expect.poll(() => buttons.count(), { message: path }).toBe(0);
      expect(await page.getByRole('link', { name: 'Audit' }).count(), path).toBe(0);
    }
  });

  it('leaves a page on another port of the same machine with nothing', async () => {
    portal.expectComplaint(/./);
    const page = await portal.visitSignedIn('/operate/plans');
    const other = await page.context().newPage();
    await other.goto(`${portal.url}/explorer`);
    const stolen = await other.evaluate(`(async () => {
      const ask = (init) => fetch('${portal.instance.adminUrl}/admin/v1/me', init).then((answer) => answer.status, () => 'none');
      return [
        await ask({ credentials: 'include' }),
        await ask({ credentials: 'include', mode: 'no-cors', method: 'POST' }),
        localStorage.getItem('sluice-session'),
        document.cookie,
      ];
    })()`);
    expect(stolen).toEqual(['none', 'none', null, '']);
  });
});

/** Pages that are not a member's. */
const OF_OTHERS = [
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
  ...['/controls', '/makers', '/makers/demo-maker', '/organisations/other', '/organisations/demo/audit'],
];
const OWN = ['', '/keys', '/members', '/firewall', '/log', '/analytics', '/usage', '/orders'];
const NOT_OF_MEMBERS = /^(Invite|Create a team|Change the plan|Delete|Remove|New rule|Create a key)/;
