import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { hasBrowser, usePortal } from './portal-browser.ts';

describe.runIf(hasBrowser)('live lists', () => {
  const portal = usePortal();

  it('have at most 200 rows in the page, of 10,000, wherever they are scrolled to', async () => {
    const page = await portal.visit();
    await drawLists(page, 10_000);
    for (const list of [LIST, TABLE]) {
      await page.locator(`${list} .row`).first().waitFor();
      for (const share of [0, 0.1, 0.5, 0.999]) {
        await scrollTo(page, list, share);
        const numbers = await readRows(page, list);
        expect(numbers.length).toBeLessThanOrEqual(200);
        expect(numbers.some((number) => Math.abs(number - 10_000 * share) < 200)).toBe(true);
      }
    }
    expect(await page.locator('#lists *').count()).toBeLessThan(1_000);
  });

  it('can be scrolled by keyboard', async () => {
    const page = await portal.visit();
    await drawLists(page, 10_000);
    await page.locator(LIST).focus();
    await page.keyboard.press('End');
    await page.locator(`${LIST} .row`, { hasText: /^row 9999$/ }).waitFor();
  });

  it('show a sample of a stream that brings thousands of lines a second, and say so', async () => {
    const page = await portal.visit('/playground/StreamPrices');
    await page.evaluate(FLOOD);
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await page
      .getByText(/^[\d\s]+ events, the last 500 are kept, showing \d+ of \d+ lines a second$/)
      .waitFor();
    const drawn = await page.locator('.stream-view li').count();
    expect(drawn).toBeGreaterThan(0);
    expect(drawn).toBeLessThanOrEqual(200);
  });
});

const LIST = '[aria-label="A list"]';
const TABLE = '[aria-label="A table"]';

/** Lets the stream of prices bring a thousand lines at a time. One that ended might be read in pieces, seconds after each other. */
const FLOOD = `{
  const ask = window.fetch;
  let line = 0;
  const bring = (controller) => {
    const lines = Array.from({ length: 1_000 }, () => 'data: {"line":' + line++ + '}\\n\\n');
    controller.enqueue(new TextEncoder().encode(lines.join('')));
  };
  const start = (controller) => void setInterval(bring, 100, controller);
  const headers = { 'content-type': 'text/event-stream' };
  window.fetch = (path, init) =>
    String(path).includes('/price/v3/stream')
      ? Promise.resolve(new Response(new ReadableStream({ start }), { headers }))
      : ask(path, init);
}`;

/** Draws both kinds of lists into a page, from their sources. */
async function drawLists(page: Page, count: number): Promise<void> {
  const parts = fileURLToPath(new URL('../../web/src/parts/live/', import.meta.url));
  const { outputFiles } = await build({
    stdin: {
      contents: `
        import { createRoot } from 'react-dom/client';
        import { LiveList } from './live-list.tsx';
        import { VirtualTable } from './virtual-table.tsx';
        const rows = Array.from({ length: ${count} }, (_, index) => index);
        const draw = (number) => <span className="row">{'row ' + number}</span>;
        createRoot(document.getElementById('lists')).render(
          <>
            <LiveList label="A list" lines={rows.map((item) => ({ number: ${count} - item, item }))} renderRow={draw} />
            <VirtualTable caption="A table" columns={[{ heading: 'Row', cell: draw }]} rows={rows} rowKey={Number} />
          </>,
        );`,
      loader: 'tsx',
      resolveDir: parts,
    },
    bundle: true,
    write: false,
    outdir: '/',
    jsx: 'automatic',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const find = (end: string) => outputFiles.find(({ path }) => path.endsWith(end))?.text ?? '';
  // The policy of the portal allows no script of another origin: the lists are drawn in a page of their own.
  await page.goto('about:blank');
  await page.setContent('<div id="lists"></div>');
  await page.addStyleTag({ content: find('.css') });
  await page.addScriptTag({ content: find('.js') });
}

async function scrollTo(page: Page, list: string, share: number): Promise<void> {
  await page.locator(list).evaluate((element, at) => {
    element.scrollTo({ top: element.scrollHeight * at });
  }, share);
  await page.waitForFunction(`(() => {
    const frame = document.querySelector('${list}').getBoundingClientRect();
    return [...document.querySelectorAll('${list} .row')].some((row) => {
      const { top, bottom } = row.getBoundingClientRect();
      return bottom > frame.top && top < frame.bottom;
    });
  })()`);
}

async function readRows(page: Page, list: string): Promise<readonly number[]> {
  const texts = await page.locator(`${list} .row`).allTextContents();
  return texts.map((text) => Number(text.slice('row '.length)));
}
