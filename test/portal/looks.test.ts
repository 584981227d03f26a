import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { isLongRun } from '../../src/testing/random.ts';
import { hasBrowser, type PortalView, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('the looks of the portal (skipped without Chromium)', () => {
  const portal = usePortal();

  it('loads at most 400 kB for the first view', async () => {
    const { transferred, page } = await weigh('');
    await page.getByRole('heading', { name: 'Products of this instance' }).waitFor();
    expect(transferred.total).toBeLessThanOrEqual(400_000);
    expect(transferred.total).toBeGreaterThan(50_000);
  });

  describe.runIf(isLongRun())('in a long run', () => {
    let pages: readonly LookedAtPage[] = [];
    beforeAll(async () => {
      pages = listPages({ landed: await swapOnce(), pool: await findPool(), wallet: await findDemoWallet() });
    });

    it.each(VIEWS)(
      'breaks no rule of WCAG 2 A and AA, and is no wider than $width, $scheme',
      async (view) => {
        const found: string[] = [];
        for (const { name, path, isForOperator } of pages) {
          const page = await (isForOperator ? portal.visitSignedIn(path, view) : portal.visit(path, view));
          await settle(page);
          await page.screenshot({
            path: join(folder, `${name}-${view.width}-${view.scheme}.png`),
            fullPage: true,
          });
          found.push(...(await findViolations(page)).map((text) => `${name}: ${text}`));
          const overflow = await page.evaluate<number>('document.documentElement.scrollWidth - innerWidth');
          if (overflow > 0) found.push(`${name}: wider than the window by ${overflow} px`);
          await page.context().close();
        }
        expect(found).toEqual([]);
      },
    );
  });

  /** Swaps once on the start page, so that there is a transaction to look at, and returns its signature. */
  async function swapOnce(): Promise<string> {
    const page = await portal.visit();
    await page.getByRole('button', { name: 'Swap 0.1 SOL for USDC' }).click();
    const link = page.getByRole('link', { name: 'Read the transaction' });
    await link.waitFor();
    return (await link.getAttribute('href'))?.split('/').at(-1) ?? '';
  }

  async function findPool(): Promise<string> {
    const { json } = await portal.instance.ask(`/portal/data/pools?${new URLSearchParams({ mint: SOL })}`);
    return json.pools[0].address;
  }

  async function findDemoWallet(): Promise<string> {
    const { json } = await portal.instance.ask('/portal/data/instance');
    return json.demoWallet;
  }

  /** Opens a page, and counts what its answers weigh as they are sent, their heads included. */
  async function weigh(path: string) {
    const transferred = { total: 0 };
    const page = await portal.visit('about:blank');
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    session.on('Network.loadingFinished', ({ encodedDataLength }) => {
      transferred.total += encodedDataLength;
    });
    await page.goto(`${portal.url}${path}`, { waitUntil: 'networkidle' });
    return { transferred, page };
  }
});

const SIZES = [
  { width: 1440, height: 900 },
  { width: 390, height: 844 },
];
const VIEWS: PortalView[] = SIZES.flatMap((size) => [
  { ...size, scheme: 'light' },
  { ...size, scheme: 'dark' },
]);

const folder = openFolder();
const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Where the screenshots are put: they are for a person to look at, and stay. */
function openFolder(): string {
  const named = process.env.SLUICE_TEST_SCREENSHOTS;
  if (named !== undefined) mkdirSync(named, { recursive: true });
  const chosen = named ?? mkdtempSync(join(tmpdir(), 'sluice-screenshots-'));
  if (isLongRun()) process.stdout.write(`Screenshots of the portal: ${chosen}\n`);
  return chosen;
}

/** A page that is looked at. */
interface LookedAtPage {
  readonly name: string;
  readonly path: string;
  /** Whether it is opened on the admin port, with the operator's credential. */
  readonly isForOperator: boolean;
}

/** Every page, with what it shows when something is asked of it. */
function listPages({
  landed,
  pool,
  wallet,
}: {
  readonly landed: string;
  readonly pool: string;
  readonly wallet: string;
}): readonly LookedAtPage[] {
  const pair = `from=${SOL}&to=${USDC}`;
  const paths: readonly [name: string, path: string][] = [
    ['start', ''],
    ['playground', '/playground'],
    ['playground-order', '/playground/GetOrder'],
    ['playground-execute', '/playground/PostExecute'],
    ['playground-unknown', '/playground/NoSuchOperation'],
    ['routes', '/routes'],
    ['routes-quote', `/routes?${pair}&amount=0.1`],
    ['routes-many-steps', '/routes?amount=50&to=JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    ['explorer', '/explorer'],
    ['explorer-transaction', `/explorer/tx/${landed}`],
    ['explorer-block', '/explorer/block/5'],
    ['explorer-account', `/explorer/account/${USDC}`],
    ['explorer-wallet', `/explorer/account/${wallet}`],
    ['explorer-tokens', '/explorer/tokens'],
    ['explorer-token', `/explorer/token/${SOL}`],
    ['explorer-pools', '/explorer/pools'],
    ['explorer-pool', `/explorer/pool/${pool}`],
    ['products', '/products'],
    ...PRODUCT_VIEWS.map((view): [string, string] => [
      `products-${view}`,
      `/products/${view}?address=${wallet}`,
    ]),
    ['makers-own', '/makers'],
    ['controls-elsewhere', '/controls'],
    ['reference', '/reference'],
    ['reference-order', '/reference/GetOrder'],
    ['not-found', '/no-such-page'],
  ];
  return [
    ...paths.map(([name, path]) => ({ name, path, isForOperator: false })),
    { name: 'controls', path: '/controls', isForOperator: true },
    { name: 'makers', path: '/makers', isForOperator: true },
    { name: 'organisations', path: '/organisations', isForOperator: true },
    { name: 'organisation', path: '/organisations/demo', isForOperator: true },
    { name: 'organisation-keys', path: '/organisations/demo/keys', isForOperator: true },
    { name: 'organisation-members', path: '/organisations/demo/members', isForOperator: true },
    { name: 'organisation-team', path: '/organisations/demo/members?team=demo', isForOperator: true },
    { name: 'organisation-firewall', path: '/organisations/demo/firewall', isForOperator: true },
    { name: 'firewall-builder', path: '/organisations/demo/firewall?edit=%20new', isForOperator: true },
    { name: 'organisation-usage', path: '/organisations/demo/usage', isForOperator: true },
    { name: 'organisation-usage-keys', path: '/organisations/demo/usage?by=key', isForOperator: true },
    { name: 'operate', path: '/operate', isForOperator: true },
    { name: 'operate-landings', path: '/operate/landings', isForOperator: true },
    { name: 'operate-landing', path: '/operate/landings?landing=none', isForOperator: true },
    { name: 'operate-settings', path: '/operate/settings', isForOperator: true },
    { name: 'operate-settings-given', path: '/operate/settings?show=changed', isForOperator: true },
    { name: 'operate-backups', path: '/operate/backups', isForOperator: true },
    { name: 'operate-plans', path: '/operate/plans', isForOperator: true },
    { name: 'operate-log', path: '/operate/log?range=1h', isForOperator: true },
    { name: 'operate-log-live', path: '/operate/log?view=live&status=5xx', isForOperator: true },
    { name: 'operate-analytics', path: '/operate/analytics?range=1h', isForOperator: true },
    { name: 'operate-orders', path: '/operate/orders', isForOperator: true },
    { name: 'operate-fills', path: '/operate/orders?view=fills', isForOperator: true },
    { name: 'operate-audit', path: '/operate/audit', isForOperator: true },
    { name: 'organisation-orders', path: '/organisations/demo/orders', isForOperator: true },
    { name: 'organisation-audit', path: '/organisations/demo/audit', isForOperator: true },
    { name: 'organisation-log', path: '/organisations/demo/log?range=1h', isForOperator: true },
    { name: 'organisation-analytics', path: '/organisations/demo/analytics', isForOperator: true },
  ];
}

const PRODUCT_VIEWS = [
  'portfolio',
  'lend',
  'prices',
  'orders',
  'launches',
  'invites',
  'predictions',
] as const;
const SOL = 'So11111111111111111111111111111111111111112';
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v';

/** Waits until a page has drawn what it has loaded. */
async function settle(page: Page): Promise<void> {
  // A page with a live stream never rests.
  await page.waitForLoadState('load');
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expect.poll(() => page.locator('.status__pulse, [aria-busy="true"]').count()).toBe(0);
  await page.evaluate('document.fonts.ready.then(() => undefined)');
}

/** Runs axe in the page. It is injected by the debugger, to which the policy of the page does not apply. */
async function findViolations(page: Page): Promise<string[]> {
  await page.evaluate(axeSource);
  return page.evaluate<string[]>(RUN_AXE);
}

const RUN_AXE = `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa'] }).then(({ violations }) =>
  violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ html, target }) => id + ': ' + help + ': ' + target + ': ' + html.slice(0, 160)),
  ),
)`;
