import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import { startSluice } from '../testing/index.mjs';
import { Browser, findBrowser, type View } from './browser.ts';
import { openForAll, openForEach } from '../src/testing/opened.ts';

const command = findBrowser();

describe.runIf(command !== null)('the documentation in a browser (skipped without Chromium)', () => {
  const sluice = openForAll(() => startSluice({ timeoutMs: LIMIT_MS }), 'stop');
  const browser = openForAll(() => new Browser(command ?? ''), 'close');
  const tab = openForEach(() => browser.open());
  afterEach(tearDown);

  it.each(VIEWS)('can be read $scheme at a width of $width', async (view) => {
    await tab.look(view);
    for (const url of [at('/docs'), at('/docs/makers'), at('/docs/api'), `${sluice.urls.admin}/docs`]) {
      await tab.go(url);
      await tab.evaluate(OPEN_ALL);
      expect(await tab.evaluate(OVERFLOW), url).toBe(0);
      expect(await tab.evaluate(inPage(UNREADABLE)), url).toEqual([]);
      const luminance = await tab.evaluate<number>(inPage(BACKGROUND));
      if (view.scheme === 'dark') expect(luminance, url).toBeLessThan(0.1);
      else expect(luminance, url).toBeGreaterThan(0.9);
    }
  });

  it('has no page that is wider than a narrow screen', async () => {
    await tab.look({ ...NARROW, scheme: 'light' });
    await tab.go(at('/docs'));
    const links = await tab.evaluate<string[]>(
      `[...document.querySelectorAll('.navigation a')].map((a) => a.href)`,
    );
    expect(links.length).toBeGreaterThan(30);
    const tooWide: string[] = [];
    for (const url of links) {
      await tab.go(url);
      if ((await tab.evaluate<number>(OVERFLOW)) > 0) tooWide.push(url);
    }
    expect(tooWide).toEqual([]);
  });

  it.each([NARROW, WIDE])('is searched, and leads to what was found, at a width of $width', async (size) => {
    await tab.look({ ...size, scheme: 'light' });
    await tab.go(at('/docs'));
    await tab.click('#search');
    await tab.type('sluice maker check');
    await expect
      .poll(() => tab.evaluate(`document.querySelectorAll('#results a').length`))
      .toBeGreaterThan(3);
    const target = await tab.evaluate<string>(`document.querySelector('#results a').href`);
    await tab.loading(() => tab.click('#results a'));
    expect(await tab.evaluate('location.href')).toBe(target);
    expect(await tab.evaluate('document.querySelector(location.hash) !== null')).toBe(true);
    // The contents are folded where they would stand above the text.
    const isFolded = `!document.querySelector('.navigation').open`;
    expect(await tab.evaluate(isFolded)).toBe(size === NARROW);
    if (size === NARROW) await tab.click('.navigation summary');
    await expect.poll(() => tab.evaluate(isFolded)).toBe(false);
    await tab.loading(() => tab.click('.navigation a[href="/docs/errors"]'));
    expect(await tab.evaluate('location.pathname')).toBe('/docs/errors');
    await tab.go(at('/docs?q=no-such-word'));
    const said = `document.querySelector('#results').textContent`;
    await expect.poll(() => tab.evaluate(said)).toBe('Nothing found.');
  });

  it('is searched by the keyboard alone, up to an operation of the API', async () => {
    await tab.look({ ...WIDE, scheme: 'light' });
    await tab.go(at('/docs/makers'));
    await tab.press('/');
    expect(await tab.evaluate('document.activeElement.id')).toBe('search');
    expect(await tab.evaluate(SEARCH_STATE)).toEqual({ expanded: 'false', active: null, selected: [] });
    await tab.type('slippage');
    await expect.poll(() => tab.evaluate<string>(FIRST_RESULT)).toMatch(/slippage/i);
    expect(await tab.evaluate(`document.querySelector('#search-status').textContent`)).toMatch(
      /^\d+ results/,
    );
    await tab.press('ArrowDown');
    await tab.press('ArrowDown');
    const second = { expanded: 'true', active: 'result-1', selected: ['result-1'] };
    expect(await tab.evaluate(SEARCH_STATE)).toEqual(second);
    await tab.press('ArrowUp');
    await tab.press('ArrowUp');
    const last = await tab.evaluate<string>(`document.querySelector('#found').lastElementChild.id`);
    expect(await tab.evaluate(SEARCH_STATE)).toEqual({ expanded: 'true', active: last, selected: [last] });
    await tab.press('Escape');
    expect(await tab.evaluate(SEARCH_STATE)).toEqual({ expanded: 'false', active: null, selected: [] });
    expect(await tab.evaluate('document.activeElement.id + document.activeElement.value')).toBe(
      'searchslippage',
    );
    await tab.press('k', CONTROL);
    await tab.type('GET /swap/v2/order');
    await expect.poll(() => tab.evaluate(FIRST_RESULT)).toBe('API: GET /swap/v2/order');
    await tab.loading(() => tab.press('Enter'));
    expect(await tab.evaluate('location.pathname')).toBe('/docs/api');
    expect(await tab.evaluate('document.querySelector(location.hash).open')).toBe(true);
  });

  it('keeps the choice of light or dark, also for other pages', async () => {
    await tab.look({ ...WIDE, scheme: 'light' });
    await tab.go(at('/docs'));
    expect(await tab.evaluate(THEME)).toBe(null);
    await tab.click('[data-switch-theme]');
    expect(await tab.evaluate(THEME)).toBe('dark');
    await tab.go(at('/docs/api'));
    expect(await tab.evaluate(THEME)).toBe('dark');
    expect(await tab.evaluate<number>(inPage(BACKGROUND))).toBeLessThan(0.1);
    expect(await tab.evaluate(inPage(UNREADABLE))).toEqual([]);
    await tab.click('[data-switch-theme]');
    expect(await tab.evaluate(THEME)).toBe('light');
    await tab.evaluate('localStorage.clear()');
  });

  it('copies code, and a page as Markdown', async () => {
    await tab.look({ ...WIDE, scheme: 'light' });
    await tab.go(at('/docs/swap'));
    await tab.evaluate('navigator.clipboard.writeText = async (text) => { window.copied = text; }');
    await tab.click('.code .copy');
    await expect.poll(() => tab.evaluate('window.copied')).toMatch(/^curl '/);
    await expect.poll(() => tab.evaluate(`document.querySelector('.copy').textContent`)).toBe('Copied');
    await tab.click('[data-copy-from]');
    await expect.poll(() => tab.evaluate('window.copied')).toMatch(/^# Swaps by order and execute\n/);
  });

  it('shows the parts of a page, and marks the one that is read', async () => {
    await tab.look({ width: 1440, height: 900, scheme: 'light' });
    await tab.go(at('/docs/operation#metrics'));
    await expect.poll(() => tab.evaluate(MARKED_PART)).toBe('Metrics');
    await tab.click('.parts a[href="#logs"]');
    await expect.poll(() => tab.evaluate(MARKED_PART)).toBe('Logs');
    await tab.click('.neighbours [rel="next"]');
    await expect.poll(() => tab.evaluate('location.pathname')).toBe('/docs/upgrade');
  });

  it('shows a stream in the API reference as it arrives, until it is stopped', async () => {
    await tab.look({ ...WIDE, scheme: 'light' });
    await tab.go(at('/docs/api#StreamPrices'));
    const form = 'form[data-path="/price/v3/stream"]';
    await tab.click(`${form} button`);
    await expect.poll(() => tab.evaluate(outputOf(form))).toMatch(/\n200 .*event: prices\ndata: .*is open/s);
    await tab.click(`${form} [type="reset"]`);
    await expect.poll(() => tab.evaluate(outputOf(form))).toMatch(/event: prices\n.*stopped$/s);
  });

  it('sends a request from the API reference, and leads back', async () => {
    await tab.look({ ...WIDE, scheme: 'light' });
    await tab.go(at('/docs/api'));
    const form = 'form[data-path="/swap/v2/order"]';
    await tab.click(`details:has(> ${form}) > summary`);
    await tab.click(`${form} button`);
    await expect.poll(() => tab.evaluate(outputOf(form))).toMatch(/\n200 \(request .*"outAmount": "\d+"/s);
    await tab.loading(() => tab.click('header a[href="/docs"]'));
    expect(await tab.evaluate('location.pathname')).toBe('/docs');
  });

  it("sends a protected request from the operator's reference", async () => {
    const credential = readFileSync(join(dirname(sluice.wallet.file), 'operator-credential'), 'utf8').trim();
    await tab.look({ ...WIDE, scheme: 'dark' });
    await tab.go(`${sluice.urls.admin}/docs`);
    const form = 'form[data-method="GET"][data-path="/admin/v1/network"]';
    await tab.click('#credential');
    await tab.type(credential);
    await tab.click(`details:has(> ${form}) > summary`);
    await tab.click(`${form} button`);
    await expect.poll(() => tab.evaluate(outputOf(form))).toMatch(/\n200 \(request .*"slot": "\d+"/s);
    const log = 'form[data-path="/admin/v1/log/live"]';
    await tab.click(`details:has(> ${log}) > summary`);
    await tab.click(`${log} button`);
    await expect.poll(() => tab.evaluate(outputOf(log))).toMatch(/\n200 .*\{.*\}\n.*the stream is open/s);
    await tab.click(`${log} [type="reset"]`);
    await expect.poll(() => tab.evaluate(outputOf(log))).toMatch(/stopped$/);
  });

  function tearDown(): void {
    expect(tab.complaints).toEqual([]);
    const own = [`${sluice.urls.rest}/`, `${sluice.urls.admin}/`];
    expect(tab.requests.filter((url) => !own.some((origin) => url.startsWith(origin)))).toEqual([]);
  }

  const at = (path: string) => `${sluice.urls.rest}${path}`;
  const outputOf = (form: string) => `document.querySelector('${form} output').textContent`;
});

const LIMIT_MS = 180_000;
/** The modifier of the DevTools protocol. */
const CONTROL = 2;
const FIRST_RESULT = `document.querySelector('#found b')?.textContent ?? ''`;
/** What the field says of the results to those who cannot see them. */
const SEARCH_STATE = `(() => {
  const field = document.querySelector('#search');
  return {
    expanded: field.getAttribute('aria-expanded'),
    active: field.getAttribute('aria-activedescendant'),
    selected: [...document.querySelectorAll('#found [aria-selected="true"]')].map(({ id }) => id),
  };
})()`;
const THEME = 'document.documentElement.dataset.theme ?? null';
const MARKED_PART = `document.querySelector('.parts [aria-current]')?.textContent`;
const NARROW = { width: 360, height: 740 };
const WIDE = { width: 1280, height: 900 };
const VIEWS: readonly View[] = [
  { ...NARROW, scheme: 'light' },
  { ...NARROW, scheme: 'dark' },
  { ...WIDE, scheme: 'light' },
  { ...WIDE, scheme: 'dark' },
];
/** What WCAG 2 demands of the contrast of text, level AA. */
const MIN_CONTRAST = 4.5;

const OPEN_ALL = `for (const each of document.querySelectorAll('details')) each.open = true`;
/** Pixels by which the page is wider than the window. */
const OVERFLOW = 'Math.max(0, document.documentElement.scrollWidth - innerWidth)';
/** The luminance of the page behind everything, from 0 to 1. */
const BACKGROUND = '(() => { LUMINANCE; return luminance(canvas); })()';
/** Texts whose contrast with what is behind them is too low. Colours are blended as the browser does. */
const UNREADABLE = `(() => {
  LUMINANCE;
  const found = [];
  for (const element of document.querySelectorAll('body *')) {
    const text = [...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.data).join('').trim();
    if (text === '' || !element.checkVisibility()) continue;
    let [color, opacity, behind] = [rgba(getComputedStyle(element).color), 1, []];
    for (let at = element; at !== null; at = at.parentElement) {
      const style = getComputedStyle(at);
      opacity *= Number(style.opacity);
      behind.unshift(rgba(style.backgroundColor));
    }
    const background = behind.reduce(blend, canvas);
    const [one, other] = [blend(background, [...color.slice(0, 3), color[3] * opacity]), background].map(luminance);
    const contrast = (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
    if (contrast < ${MIN_CONTRAST}) found.push(contrast.toFixed(2) + ': ' + text.slice(0, 60));
  }
  return found;
})()`;
/** Reads colours by drawing them, since a browser writes them in many forms. */
const LUMINANCE = `
  const context = new OffscreenCanvas(1, 1).getContext('2d', { willReadFrequently: true });
  const known = new Map();
  const rgba = (color) => {
    if (!known.has(color)) {
      context.clearRect(0, 0, 1, 1);
      context.fillStyle = color;
      context.fillRect(0, 0, 1, 1);
      const [r, g, b, a] = context.getImageData(0, 0, 1, 1).data;
      known.set(color, [r, g, b, a / 255]);
    }
    return known.get(color);
  };
  const blend = (below, above) => [0, 1, 2].map((index) => above[index] * above[3] + below[index] * (1 - above[3]));
  const luminance = (color) => {
    const [r, g, b] = color.map((value) => value / 255).map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const probe = document.createElement('i');
  probe.style.color = 'Canvas';
  document.body.append(probe);
  const canvas = rgba(getComputedStyle(probe).color);
  probe.remove()`;
const inPage = (expression: string) => expression.replace('LUMINANCE;', `${LUMINANCE};`);
