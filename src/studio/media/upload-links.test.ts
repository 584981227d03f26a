import { beforeEach, describe, expect, it } from 'vitest';
import type { Party } from '../../common/party.ts';
import { toAddress } from '../../solana/address.ts';
import { UploadLinks } from './upload-links.ts';

let now: number;
let links: UploadLinks;
beforeEach(() => {
  now = 1_000;
  links = createLinks('key');
});

describe('a link', () => {
  it('allows the upload of one file of one type, for 15 minutes', () => {
    const { imagePresignedUrl, metadataPresignedUrl, imageUrl } = links.createLinks(
      MINT,
      'image/png',
      CALLER,
    );
    expect(imageUrl).toBe(`https://a.example/images/${MINT}`);
    expect(new URL(imagePresignedUrl).pathname).toBe(`/images/${MINT}`);
    expect(new URL(metadataPresignedUrl).pathname).toBe(`/metadata/${MINT}.json`);
    const uploader = links.getUploader(CALLER);
    expect(check('image', imagePresignedUrl)).toEqual({ ok: true, contentType: 'image/png', uploader });
    expect(check('metadata', metadataPresignedUrl)).toMatchObject({ contentType: 'application/json' });
    now += 15 * 60_000 - 1;
    expect(check('image', imagePresignedUrl).ok).toBe(true);
    now += 1;
    expect(check('image', imagePresignedUrl)).toMatchObject({
      ok: false,
      message: expect.stringMatching('expired'),
    });
  });

  it('opens no other file, and nothing of it can be changed', () => {
    const { imagePresignedUrl, metadataPresignedUrl } = links.createLinks(MINT, 'image/png', CALLER);
    expect(check('metadata', imagePresignedUrl).ok).toBe(false);
    expect(check('image', metadataPresignedUrl).ok).toBe(false);
    expect(check('header', imagePresignedUrl).ok).toBe(false);
    expect(check('image', imagePresignedUrl, OTHER).ok).toBe(false);
    for (const [name, value] of [
      ['type', 'image/gif'],
      ['type', 'image/svg+xml'],
      ['expires', '9999999999999'],
      ['uploader', 'x'],
      ['signature', ''],
      ['signature', 'a'.repeat(43)],
    ] as const) {
      const changed = new URL(imagePresignedUrl);
      changed.searchParams.set(name, value);
      expect(check('image', changed.href).ok, `${name}=${value}`).toBe(false);
      changed.searchParams.delete(name);
      expect(check('image', changed.href).ok, `without ${name}`).toBe(false);
    }
    expect(links.check({ kind: 'image', mint: MINT }, { type: ['image/png', 'image/png'] }).ok).toBe(false);
  });

  it('is taken by all instances with the same key, and by no other', () => {
    const { imagePresignedUrl } = links.createLinks(MINT, 'image/png', CALLER);
    links = createLinks('key');
    expect(check('image', imagePresignedUrl).ok).toBe(true);
    links = createLinks('other');
    expect(check('image', imagePresignedUrl).ok).toBe(false);
  });

  it('names the uploader without telling who it is', () => {
    const { imagePresignedUrl } = links.createLinks(MINT, 'image/png', CALLER);
    expect(imagePresignedUrl).not.toContain(CALLER.id);
    expect(links.getUploader(CALLER)).not.toBe(links.getUploader({ ...CALLER, kind: 'client' }));
  });
});

const CALLER: Party = { kind: 'organisation', id: 'acme' };
const [MINT, OTHER] = [toAddress(Buffer.alloc(32, 1)), toAddress(Buffer.alloc(32, 2))];

const createLinks = (key: string) =>
  new UploadLinks({ key: Buffer.from(key), getOrigin: () => 'https://a.example', now: () => now });

function check(kind: 'image' | 'metadata' | 'header', url: string, mint = MINT) {
  return links.check({ kind, mint }, Object.fromEntries(new URL(url).searchParams));
}
