import { once } from 'node:events';
import { request } from 'node:http';
import { beforeAll, describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the request log of the portal (skipped without Chromium)', () => {
  const portal = usePortal();
  beforeAll(setUp);

  it('finds a request by its filters, and shows what anybody sent as text', async () => {
    const page = await portal.visitSignedIn(`/organisations/${ORGANISATION}/log?range=1h&status=404`);
    await page.locator('.log-line').first().waitFor();
    expect(await page.locator('.log-line').count()).toBe(1);
    await page.locator('.log-line').click();
    const detail = page.getByRole('region', { name: 'The request' });
    await detail.getByText(HOSTILE_AGENT).waitFor();
    await detail.getByText('javascript:window.hit=2').waitFor();
    await detail.getByText('Where', { exact: false }).first().waitFor();
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.log-detail a')].map((link) => link.href)",
    );
    expect(links.filter((href) => new URL(href).origin !== portal.instance.adminUrl)).toEqual([]);
    expect(
      await page.evaluate('[window.hit ?? null, document.querySelector("main img, main script")]'),
    ).toEqual([null, null]);
    expect(page.url()).toMatch(/request=[0-9a-f-]{36}/);
    await page.reload();
    await detail.getByText(HOSTILE_AGENT).waitFor();
    await detail.getByRole('button', { name: 'Only requests of this key' }).click();
    await page.getByRole('button', { name: 'Remove the filter Key app' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Status 404' }).click();
    await expect.poll(() => page.locator('.log-line').count()).toBeGreaterThan(1);
  });

  it('leads from a request to the playground with its query filled in', async () => {
    const page = await portal.visitSignedIn(`/organisations/${ORGANISATION}/log?status=200&path=/price/v3`);
    await page.locator('.log-line').first().click();
    await page.getByRole('link', { name: 'Send it again in the playground' }).click();
    await page.getByRole('heading', { name: 'Playground' }).waitFor();
    expect(new URL(page.url()).searchParams.get('ids')).toBe(SOL);
  });

  it('follows requests as they are answered, and can be paused', async () => {
    const page = await portal.visitSignedIn(`/organisations/${ORGANISATION}/log?view=live&path=/price/v3`);
    await page.getByText('live', { exact: true }).waitFor();
    await send(`/price/v3?ids=${SOL}`, {});
    await page.locator('.log-line', { hasText: '/price/v3' }).waitFor();
    await page.getByRole('button', { name: 'Pause' }).click();
    await send(`/price/v3?ids=${SOL}`, {});
    await page.getByRole('button', { name: 'Go on (1 new)' }).click();
    await expect.poll(() => page.locator('.log-line').count()).toBe(2);
  });

  it('shows a sample of a flood, what was missed, and why the stream ended', async () => {
    const page = await portal.visit('about:blank');
    await page.addInitScript(FLOOD);
    await page.goto(`${portal.adminUrl}/operate/log?view=live`);
    await portal.signIn(page);
    await page.getByText(/requests, showing \d+ of \d+ lines a second$/).waitFor();
    const drawn = await page.locator('.log-line').count();
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThanOrEqual(200);
    await page.getByText(/requests are left out, because they came faster/).waitFor();
    await page.evaluate('window.endFlood()');
    await page.getByText('The server ended the stream: the instance stops.').waitFor();
  });

  it('is summed up by analytics whose numbers are those of the endpoint, and whose rows lead to their requests', async () => {
    const newest = await portal.instance.admin('GET', `organisations/${ORGANISATION}/log?limit=1`);
    const until = (Math.floor(newest.entries[0].at / MINUTE_MS) + 1) * MINUTE_MS;
    const range = `since=${until - 30 * MINUTE_MS}&until=${until}`;
    const answer = await portal.instance.admin('GET', `organisations/${ORGANISATION}/analytics?${range}`);
    const page = await portal.visitSignedIn(`/organisations/${ORGANISATION}/analytics?${range}`);
    const readStat = (label: string) =>
      page
        .locator('.stat', { has: page.getByText(label, { exact: true }) })
        .locator('dd')
        .first()
        .textContent();
    await page.getByRole('heading', { name: 'Totals' }).waitFor();
    expect(await readStat('Requests')).toBe(String(answer.total.requests));
    expect(await readStat('Errors')).toBe(String(answer.total.clientErrors + answer.total.serverErrors));
    expect(await readStat('Credits')).toBe(String(answer.total.credits));
    const row = page.getByRole('row').filter({ has: page.getByRole('link', { name: '/price/v3' }) });
    const counted = answer.endpoints.find(({ endpoint }: { endpoint: string }) => endpoint === '/price/v3');
    expect((await row.getByRole('cell').allTextContents())[1]).toBe(String(counted.requests));
    await row.getByRole('link').click();
    await page.getByRole('button', { name: 'Remove the filter Endpoint /price/v3' }).waitFor();
    await page.getByText(`${counted.requests} requests`).waitFor();
  });

  it('shows a member the requests of its organisation alone, and none when it has signed out', async () => {
    portal.expectComplaint(/status of 40[134]/);
    const page = await portal.visitSignedIn(
      `/organisations/${ORGANISATION}/log?view=live`,
      undefined,
      member,
    );
    await page.getByText('live', { exact: true }).waitFor();
    await send(`/price/v3?ids=${SOL}`, {});
    await page.locator('.log-line').first().waitFor();
    for (const path of [
      '/organisations/demo/log',
      '/operate/log',
      '/organisations/demo/analytics',
      '/operate/analytics',
    ]) {
      await page.goto(`${portal.adminUrl}${path}`);
      await page.getByText(`you are signed in as ${ORGANISATION}/ada`, { exact: false }).waitFor();
      expect(await page.locator('.log-line, .stat').count(), path).toBe(0);
    }
    await page.goto(`${portal.adminUrl}/organisations/${ORGANISATION}/log`);
    await page.locator('.log-line').first().waitFor();
    await page.evaluate(SIGN_OUT);
    await expect.poll(() => page.locator('.log-line').count()).toBe(0);
  });

  async function setUp(): Promise<void> {
    const { instance } = portal;
    await instance.admin('POST', 'organisations', { slug: ORGANISATION, plan: 'developer' });
    await instance.admin('POST', `organisations/${ORGANISATION}/teams`, { slug: 'web' });
    const invited = { name: 'ada', role: 'member' };
    const { token } = await instance.admin('POST', `organisations/${ORGANISATION}/invitations`, invited);
    ({ token: member } = await instance.admin('POST', 'invitations/accept', { token }));
    ({ key } = await instance.admin('POST', `organisations/${ORGANISATION}/teams/web/keys`, { name: 'app' }));
    await send('/%3Cscript%3Ewindow.hit=1%3C/script%3E/\u202e', {
      'user-agent': HOSTILE_AGENT,
      referer: 'javascript:window.hit=2',
    });
    await send(`/price/v3?ids=${SOL}`, {});
  }

  /** Sends a request with the key of the organisation. */
  async function send(path: string, headers: Record<string, string>): Promise<void> {
    const sent = request(new URL(encodeURI(decodeURI(path)), portal.instance.restUrl), {
      headers: { 'x-api-key': key, ...headers },
    });
    sent.end();
    const [answer] = await once(sent, 'response');
    answer.resume();
    await once(answer, 'end');
  }
});

const ORGANISATION = 'logged';
const MINUTE_MS = 60_000;
const SOL = 'So11111111111111111111111111111111111111112';
const HOSTILE_AGENT = '<img src=x onerror="window.hit=3">';
let key = '';
/** The token of a member of the organisation. */
let member = '';

/** Signs out, as another tab of the profile does. */
const SIGN_OUT = `(async () => {
  const headers = { 'x-sluice-session': localStorage.getItem('sluice-session') };
  await fetch('/admin/v1/session', { method: 'DELETE', headers });
  localStorage.removeItem('sluice-session');
  dispatchEvent(new StorageEvent('storage', { key: 'sluice-session' }));
})()`;

/** A live log that brings a thousand requests at a time, of which some are missed, until the page ends it. */
const FLOOD = `{
  const ask = window.fetch;
  let count = 0;
  const entry = () => ({
    at: 1_790_000_000_000 + count, requestId: String(count++), organisation: null, team: null, key: null,
    client: '203.0.113.7', country: null, asn: null, host: '', referrer: '', userAgent: '', method: 'GET',
    path: '/<b>é\\u202e', query: '', endpoint: '', status: 200, decision: 'admitted', firewall: null, credits: 0,
    bytesReceived: 0, bytesSent: 0, order: null, latency: { total: 3, gateway: 1, handler: 1, send: 1 },
  });
  const write = (controller, missed, ended, length) => {
    const entries = Array.from({ length }, entry);
    const bytes = new TextEncoder().encode(JSON.stringify({ entries, missed, ended }) + '\\n');
    // Cut within a character.
    controller.enqueue(bytes.subarray(0, bytes.indexOf(0xc3) + 1));
    controller.enqueue(bytes.subarray(bytes.indexOf(0xc3) + 1));
  };
  const start = (controller) => {
    const timer = setInterval(write, 100, controller, 7, null, 1_000);
    window.endFlood = () => {
      clearInterval(timer);
      write(controller, 0, 'the instance stops', 1);
    };
  };
  const headers = { 'content-type': 'application/x-ndjson' };
  window.fetch = (path, init) =>
    String(path).includes('/log/live')
      ? Promise.resolve(new Response(new ReadableStream({ start }), { headers }))
      : ask(path, init);
}`;
