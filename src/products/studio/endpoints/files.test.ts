import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileDesk, GIF, JPEG, PNG, WEBP } from '../../../testing/products/file-desk.ts';

let desk: FileDesk;
beforeEach(async () => {
  desk = await FileDesk.open();
});
afterEach(() => desk.close());

describe('an upload', () => {
  it.each([
    ['image/png', PNG],
    ['image/jpeg', JPEG],
    ['image/gif', GIF],
    ['image/webp', WEBP],
  ] as const)('of an image (%s) is served as it came, as that type', async (type, bytes) => {
    const links = desk.createLinks(1, type);
    expect(await desk.get(links.imageUrl)).toMatchObject({ status: 404, json: { error: 'Image not found' } });
    expect(await desk.put(links.imagePresignedUrl, type, bytes)).toMatchObject({
      status: 200,
      json: { url: links.imageUrl },
    });
    const { status, headers, bytes: served } = await desk.get(links.imageUrl);
    expect([status, headers['content-type'], served.equals(bytes)]).toEqual([200, type, true]);
  });

  it('of metadata is served as they were understood', async () => {
    const links = desk.createLinks(1);
    const metadata = { name: 'A <b>', symbol: 'B', image: links.imageUrl, website: null };
    const put = await desk.put(links.metadataPresignedUrl, 'application/json', JSON.stringify(metadata));
    expect(put).toMatchObject({ status: 200, json: { url: links.metadataUrl } });
    const { headers, bytes } = await desk.get(links.metadataUrl);
    expect(headers['content-type']).toBe('application/json');
    expect(JSON.parse(bytes.toString())).toEqual({ name: 'A <b>', symbol: 'B', image: links.imageUrl });
    expect(bytes.toString()).not.toContain('<');
  });

  it('says what is wrong with metadata', async () => {
    const put = async (body: string) =>
      (await desk.put(desk.createLinks(1).metadataPresignedUrl, 'application/json', body)).json;
    expect(await put('{')).toEqual({ error: 'The metadata must be a JSON object in UTF-8' });
    expect(await put('{"name":"a"}')).toEqual({ errors: { symbol: ['symbol must be given'] } });
  });

  it('comes once: whoever comes second, even at the same time, changes nothing', async () => {
    const { imagePresignedUrl, imageUrl } = desk.createLinks(1);
    const others = Array.from({ length: 8 }, (_, index) => Buffer.concat([PNG, Buffer.from([index])]));
    const puts = await Promise.all(others.map((each) => desk.put(imagePresignedUrl, 'image/png', each)));
    expect(puts.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409]);
    const first = others[puts.findIndex(({ status }) => status === 200)];
    expect((await desk.put(imagePresignedUrl, 'image/png', PNG)).json).toEqual({
      error: 'Image was uploaded already, and cannot be changed',
    });
    expect((await desk.get(imageUrl)).bytes).toEqual(first);
  });

  it('is refused in the form of the product while there is no room', async () => {
    const small = await FileDesk.open(8_192);
    const { imagePresignedUrl } = small.createLinks(1);
    const { status, headers, json } = await small.put(imagePresignedUrl, 'image/png', PNG);
    expect([status, headers['retry-after']]).toEqual([503, '60']);
    expect(json).toEqual({ error: 'There is no room for files now; try again later' });
    await small.close();
  });

  it('from a page of any site is allowed by its preflight', async () => {
    const { imagePresignedUrl, imageUrl } = desk.createLinks(1);
    const preflight = await desk.preflight(imagePresignedUrl);
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-methods']).toContain('PUT');
    expect(preflight.headers['access-control-allow-headers']).toBe('content-type');
    await desk.put(imagePresignedUrl, 'image/png', PNG);
    expect((await desk.get(imageUrl)).headers).toMatchObject({
      'access-control-allow-origin': '*',
      'cross-origin-resource-policy': 'cross-origin',
    });
  });
});

describe('an attacker with files', () => {
  const page = '<html><script>alert(document.domain)</script>';

  it.each([
    ['a page', page],
    ['an SVG with a script', '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>'],
    ['a page behind a mark', `\ufeff${page}`],
    ['a PDF', '%PDF-1.7'],
    ['nothing', ''],
    ['another image', GIF],
  ])('cannot store %s as a PNG', async (_what, bytes) => {
    const { imagePresignedUrl, imageUrl } = desk.createLinks(1);
    expect(await desk.put(imagePresignedUrl, 'image/png', bytes)).toMatchObject({ status: 400 });
    expect((await desk.get(imageUrl)).status).toBe(404);
  });

  it('gains nothing by a file that is an image and a page, because nothing takes it for a page', async () => {
    for (const [mint, head, type] of [
      [1, PNG, 'image/png'],
      [2, GIF, 'image/gif'],
      [3, JPEG, 'image/jpeg'],
    ] as const) {
      const { imagePresignedUrl, imageUrl } = desk.createLinks(mint, type);
      const polyglot = Buffer.concat([head, Buffer.from(`=1;/*${page}*/`)]);
      expect((await desk.put(imagePresignedUrl, type, polyglot)).status).toBe(200);
      const { headers } = await desk.get(`${imageUrl}?x=.html`);
      expect(headers).toMatchObject({
        'content-type': type,
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      });
      expect(headers['set-cookie']).toBeUndefined();
    }
  });

  it.each(['text/html', 'image/svg+xml', 'application/javascript', 'image/gif', '', 'image/png, text/html'])(
    'cannot name another type: %s',
    async (type) => {
      const { imagePresignedUrl } = desk.createLinks(1);
      const put = await desk.put(imagePresignedUrl, type, PNG);
      expect(put.status).toBe(403);
      expect((await desk.get(desk.createLinks(1).imageUrl)).status).toBe(404);
    },
  );

  it('cannot store more than is allowed, however it is sent', async () => {
    const { imagePresignedUrl, metadataPresignedUrl } = desk.createLinks(1);
    const large = Buffer.concat([PNG, Buffer.alloc(5 * 1024 * 1024)]);
    expect((await desk.put(imagePresignedUrl, 'image/png', large)).status).toBe(413);
    expect((await desk.putInChunks(imagePresignedUrl, 'image/png', large)).status).toBe(413);
    const long = `{"name":"a","symbol":"b","description":"${'x'.repeat(65_536)}"}`;
    expect((await desk.put(metadataPresignedUrl, 'application/json', long)).status).toBe(413);
    const packed = await desk.put(imagePresignedUrl, 'image/png', PNG, { 'content-encoding': 'gzip' });
    expect(packed.status).toBe(415);
  });
});

describe('an attacker with URLs', () => {
  it('opens no other file with the URL of an upload, and none without a signature or too late', async () => {
    const { imagePresignedUrl, metadataPresignedUrl } = desk.createLinks(1);
    const put = async (url: string) => (await desk.put(url, 'image/png', PNG)).status;
    const query = new URL(imagePresignedUrl).search;
    const { mintOf } = desk;
    for (const path of [`/images/${mintOf(2)}`, `/metadata/${mintOf(1)}.json`])
      expect(await put(`${path}${query}`), path).toBe(403);
    expect(await put(`/images/${mintOf(1)}`)).toBe(403);
    expect(await put(metadataPresignedUrl)).toBe(403);
    expect(await put(`${imagePresignedUrl}&type=image/png`)).toBe(403);
    expect(await put(imagePresignedUrl.replace('type=image%2Fpng', 'type=text%2Fhtml'))).toBe(403);
    expect((await desk.put(`/headers/${mintOf(1)}${query}`, 'image/png', PNG)).status).toBe(405);
    desk.pass(15 * 60_000);
    expect((await desk.put(imagePresignedUrl, 'image/png', PNG)).json).toEqual({
      error: 'The URL has expired; it could be used for 15 minutes',
    });
  });

  it.each([
    '/images/..%2f..%2fkey-secret',
    '/images/%2e%2e%2f%2e%2e%2fkey-secret',
    '/images/../../key-secret',
    '/images/..\\..\\key-secret',
    '/images/key-secret',
    '/images/',
    '/images/%00',
    `/images/${'1'.repeat(90)}`,
    '/images/.tmp',
    '/metadata/..%2fkey-secret.json',
    '/metadata/.json',
  ])('reads no file of the data folder: %s', async (path) => {
    const { status, bytes } = await desk.get(path);
    expect([400, 404, 414]).toContain(status);
    expect(bytes.toString()).not.toContain('secret of the instance');
  });

  it('finds a file under one name only', async () => {
    const { imagePresignedUrl, imageUrl } = desk.createLinks(1);
    await desk.put(imagePresignedUrl, 'image/png', PNG);
    for (const url of [
      `${imageUrl}.png`,
      `${imageUrl}/`,
      imageUrl.toUpperCase(),
      imageUrl.replace('images', 'headers'),
    ])
      expect((await desk.get(url)).status, url).toBe(404);
  });

  it('is refused before the body is read', async () => {
    expect((await desk.putInChunks('/images/1111?x', 'image/png', Buffer.alloc(20_000_000))).status).toBe(
      403,
    );
  });
});
