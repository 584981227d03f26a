import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseKeypairFile } from '../../src/solana/keypair.ts';
import { openForAll } from '../../src/testing/opened.ts';
import { openFolder } from '../../src/testing/test-folder.ts';
import { MEME_BODY } from '../../src/testing/studio/meme-body.ts';
import { Deployment } from './deployment.ts';
import { bannerValue, FREE_PORTS, type Instance } from './instance.ts';
import { startOwnInstance } from './own-instance.ts';
import { runCommand } from './run-command.ts';
import { HAS_SERVERS } from './servers.ts';

describe('the files of a launch in a data folder', () => {
  const folder = openFolder('launch-files');
  let instance: Instance;

  it('are served after a kill and after a restore, and what was being written is gone', async () => {
    let rest = await start('one');
    const links = await prepare(rest, walletOf('one'));
    expect(await put(rest, links.imagePresignedUrl, 'image/png', IMAGE)).toBe(200);
    await cutOff(rest, (await prepare(rest, walletOf('one'))).imagePresignedUrl);
    instance.kill('SIGKILL');
    await instance.ended();
    const half = join(folder, 'one', 'media', 'images', 'half.tmp');
    writeFileSync(half, 'half');

    rest = await start('one');
    expect(existsSync(half)).toBe(false);
    expect(await get(rest, links.imageUrl)).toEqual(IMAGE);
    expect(await put(rest, links.imagePresignedUrl, 'image/png', OTHER)).toBe(409);
    expect(await put(rest, links.metadataPresignedUrl, 'application/json', METADATA)).toBe(200);
    expect(readdirSync(join(folder, 'one', 'media', 'images'))).toEqual([links.mint]);
    await instance.stop();

    for (const args of [
      ['backup', 'all.tgz', '--data-dir=one'],
      ['restore', 'all.tgz', '--data-dir=two'],
    ]) {
      const { code, error } = await runCommand(args, folder);
      expect(code, error).toBe(0);
    }
    rest = await start('two');
    expect(await get(rest, links.imageUrl)).toEqual(IMAGE);
    const metadata = await get(rest, links.metadataPresignedUrl);
    expect(JSON.parse(metadata.toString())).toEqual(JSON.parse(METADATA));
    await instance.stop();
  });

  async function start(dataDir: string): Promise<string> {
    const flags = [`--data-dir=${dataDir}`, ...FREE_PORTS];
    instance = startOwnInstance({ reason: 'is killed, and its folder restored', flags, folder });
    return bannerValue(await instance.ready(), 'REST');
  }

  const walletOf = (dataDir: string) =>
    parseKeypairFile(readFileSync(join(folder, dataDir, 'demo-wallet.json'), 'utf8')).address;
});

describe.skipIf(!HAS_SERVERS)('the files of a launch in a database', () => {
  const deployment = openForAll(
    () =>
      Deployment.open('two instances', {
        flags: [`--studio-url=${URL_OF_ALL}`, `--studio-partner=${WALLET}`],
      }),
    'close',
  );

  it('are uploaded to any instance that shares it, once, and served by all', async () => {
    const [one, two] = [deployment.shown('REST', 0), deployment.shown('REST', 1)];
    const links = await prepare(one, WALLET);
    expect(links.imageUrl).toBe(`${URL_OF_ALL}/images/${links.mint}`);
    const puts = await Promise.all([
      put(one, links.imagePresignedUrl, 'image/png', IMAGE),
      put(two, links.imagePresignedUrl, 'image/png', OTHER),
    ]);
    expect(puts.toSorted()).toEqual([200, 409]);
    const stored = puts[0] === 200 ? IMAGE : OTHER;
    for (const rest of [one, two]) expect((await get(rest, links.imageUrl)).equals(stored)).toBe(true);
    expect(await put(two, links.metadataPresignedUrl, 'application/json', METADATA)).toBe(200);
    expect(JSON.parse((await get(one, links.metadataPresignedUrl)).toString())).toEqual(JSON.parse(METADATA));
  });
});

const URL_OF_ALL = 'https://launch.example';
const WALLET = '2MFoS3MPtvyQ4Wh4M9pdfPjz6UhVoNbFbGJAskCPCj3h';
const HEAD = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const IMAGE = Buffer.from([...HEAD, ...Buffer.alloc(700_000, 1)]);
const OTHER = Buffer.from([...HEAD, ...Buffer.alloc(700_000, 2)]);
const METADATA = JSON.stringify({ name: 'Lantern', symbol: 'LANT', website: 'https://lantern.example' });

interface PreparedLaunch {
  readonly mint: string;
  readonly imageUrl: string;
  readonly imagePresignedUrl: string;
  readonly metadataPresignedUrl: string;
}

async function prepare(rest: string, creator: string): Promise<PreparedLaunch> {
  const response = await fetch(`${rest}/studio/v1/dbc-pool/create-tx`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...MEME_BODY, tokenName: 'Lantern', tokenSymbol: 'LANT', creator }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text);
}

/** Asks an instance, whatever address a URL names. */
const at = (rest: string, url: string) => new URL(new URL(url).pathname + new URL(url).search, rest);

async function put(rest: string, url: string, type: string, body: Buffer | string): Promise<number> {
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  const response = await fetch(at(rest, url), {
    method: 'PUT',
    headers: { 'content-type': type },
    body: sent,
  });
  await response.arrayBuffer();
  return response.status;
}

async function get(rest: string, url: string): Promise<Buffer> {
  const response = await fetch(at(rest, url));
  expect(response.status, url).toBe(200);
  return Buffer.from(await response.arrayBuffer());
}

/** Sends half of an image, and leaves. */
async function cutOff(rest: string, url: string): Promise<void> {
  await new Promise<void>((resolve) => {
    const headers = { 'content-type': 'image/png', 'content-length': String(IMAGE.length) };
    const sent = httpRequest(at(rest, url), { method: 'PUT', headers });
    sent.on('error', () => resolve());
    sent.on('close', () => resolve());
    sent.write(IMAGE.subarray(0, 350_000), () => sent.destroy());
  });
}
