import { expect, it } from 'vitest';
import type { RunningApp } from '../../../app/app.ts';
import { renderBanner } from './banner.ts';

it('the example of the banner has the key that it needs', () => {
  const url = `'${URL}/swap/v2/order?amount=1'`;
  expect(exampleOf({})).toContain(`\n  curl ${url}\n`);
  expect(exampleOf({ demoKey: { key: 'jup_a', path: 'key.txt' }, requiresKey: true })).toContain(
    `\n  curl -H 'x-api-key: jup_a' ${url}\n`,
  );
  expect(exampleOf({ requiresKey: true })).toBe(`a quote, with a key of sluice key create

  API_KEY='<the key>'
  curl -H "x-api-key: $API_KEY" ${url}

Ctrl-C stops.
`);
});

it('the banner leads to the portal first, if there is one', () => {
  const served = { ...APP, urls: { ...APP.urls, portal: `${URL}/portal` } };
  const banner = renderBanner({ ...served, isPortalBuilt: true }, 1_000);
  expect(banner).toMatch(
    /^\nSluice is ready after 1\.0 s\.\n\n {2}Portal +http:\/\/127\.0\.0\.1:8787\/portal /,
  );
  expect(renderBanner(APP, 1_000)).not.toContain('Portal');
  expect(banner).toContain(`its portal      ${URL}/portal\n`);
  const unbuilt = renderBanner({ ...served, isPortalBuilt: false }, 1_000);
  expect(unbuilt).toMatch(/\n {2}Portal +not built: run npm run build\n/);
  expect(unbuilt).not.toContain('/portal');
});

const URL = 'http://127.0.0.1:8787';
const APP: RunningApp = {
  folder: '/data',
  urls: { rest: URL, admin: URL, grpc: URL, metrics: null, landing: null, portal: null },
  isPortalBuilt: false,
  network: { kind: 'outside', origin: 'https://rpc.example', genesisHash: 'x' } as RunningApp['network'],
  demoKey: null,
  example: { title: 'a quote', path: '/swap/v2/order', query: { amount: '1' } },
  operatorCredentialFile: null,
  requiresKey: false,
  close: async () => undefined,
};
const exampleOf = (app: Partial<RunningApp>) => renderBanner({ ...APP, ...app }, 1_000).split('Try it: ')[1];
