import { request as httpRequest } from 'node:http';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { FastifyInstance } from 'fastify';
import { listen } from '../../gateway/http/listen.ts';
import { NO_METRICS } from '../../common/ports/metrics.ts';
import { defineProduct } from '../../products/product.ts';
import { headerEndpoint } from '../../products/studio/endpoints/header-file.ts';
import { imageEndpoint, imageUploadEndpoint } from '../../products/studio/endpoints/image-file.ts';
import type { MediaServices } from '../../products/studio/endpoints/media-answers.ts';
import { metadataEndpoint, metadataUploadEndpoint } from '../../products/studio/endpoints/metadata-file.ts';
import { toAddress } from '../../solana/address.ts';
import { FolderMediaStore } from '../../studio/media/folder-media-store.ts';
import type { ImageType } from '../../studio/media/media.ts';
import { MediaLibrary } from '../../studio/media/media-library.ts';
import { UploadLinks } from '../../studio/media/upload-links.ts';
import { openProductGateway } from '../product-gateway.ts';
import { openTestFolder } from '../test-folder.ts';

/** The beginnings of images. */
export const PNG = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
export const GIF = Buffer.from('GIF89a');
export const JPEG = Buffer.from([0xff, 0xd8, 0xff, 0xe0]);
export const WEBP = Buffer.from('RIFF\0\0\0\0WEBP');

const ROOM = 64 * 1_024 * 1_024;
const CALLER = { kind: 'organisation', id: 'acme' } as const;

interface DeskAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  readonly bytes: Buffer;
  readonly json: unknown;
}

/** The endpoints for the files of launches behind their front door, with a clock that a test moves. */
export class FileDesk {
  readonly #gateway: FastifyInstance;
  readonly #links: UploadLinks;
  readonly #clock: { now: number };
  #url: Promise<string> | null = null;

  private constructor(gateway: FastifyInstance, links: UploadLinks, clock: { now: number }) {
    this.#gateway = gateway;
    this.#links = links;
    this.#clock = clock;
  }

  /** @param room - For all files, in bytes. */
  static async open(room = ROOM): Promise<FileDesk> {
    const clock = { now: 1_790_000_000_000 };
    const now = () => clock.now;
    const folder = openTestFolder('data');
    writeFileSync(join(folder, 'key-secret'), 'secret of the instance');
    const store = await FolderMediaStore.open(join(folder, 'media'), now);
    const library = new MediaLibrary({
      store,
      maxBytes: room,
      findLaunched: async () => new Set(),
      now,
      metrics: NO_METRICS,
    });
    const links = new UploadLinks({
      key: Buffer.from('key'),
      getOrigin: () => 'http://gateway.example',
      now,
    });
    const product = defineProduct({
      name: 'files',
      description: 'The files of launches.',
      basePaths: ['/studio'],
      endpoints: [
        imageEndpoint,
        imageUploadEndpoint,
        metadataEndpoint,
        metadataUploadEndpoint,
        headerEndpoint,
      ],
      open: (services: MediaServices) => ({ services }),
    });
    const gateway = await openProductGateway(await product.open({ media: { library, links } }));
    return new FileDesk(gateway, links, clock);
  }

  async close(): Promise<void> {
    await this.#gateway.close();
  }

  readonly mintOf = (number: number) => toAddress(Buffer.alloc(32, number));

  createLinks(mint: number, type: ImageType = 'image/png') {
    return this.#links.createLinks(this.mintOf(mint), type, CALLER);
  }

  pass(milliseconds: number): void {
    this.#clock.now += milliseconds;
  }

  async put(
    url: string,
    type: string,
    payload: Buffer | string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<DeskAnswer> {
    return this.#ask('PUT', url, { ...headers, 'content-type': type }, payload);
  }

  async get(url: string): Promise<DeskAnswer> {
    return this.#ask('GET', url, {});
  }

  preflight(url: string): Promise<DeskAnswer> {
    return this.#ask('OPTIONS', url, {
      origin: 'https://page.example',
      'access-control-request-method': 'PUT',
      'access-control-request-headers': 'content-type',
    });
  }

  /** Sends a body of unknown length over a connection. */
  async putInChunks(url: string, type: string, bytes: Buffer): Promise<{ readonly status: number }> {
    const target = new URL(toPath(url), await this.#listen());
    return new Promise((resolve, reject) => {
      let status = 0;
      const sent = httpRequest(target, { method: 'PUT', headers: { 'content-type': type } }, (answer) => {
        answer.resume();
        status = answer.statusCode ?? 0;
      });
      sent.on('close', () => resolve({ status }));
      // The server may close the connection once it has answered.
      sent.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EPIPE' && error.code !== 'ECONNRESET') reject(error);
      });
      for (let at = 0; at < bytes.length; at += 65_536) sent.write(bytes.subarray(at, at + 65_536));
      sent.end();
    });
  }

  #listen(): Promise<string> {
    this.#url ??= listen(this.#gateway, { host: '127.0.0.1', port: 0, setting: 'rest-port' });
    return this.#url;
  }

  async #ask(
    method: 'GET' | 'PUT' | 'OPTIONS',
    url: string,
    headers: Readonly<Record<string, string>>,
    payload?: Buffer | string,
  ): Promise<DeskAnswer> {
    const answer = await this.#gateway.inject({
      method,
      url: toPath(url),
      headers,
      ...(payload === undefined ? {} : { payload }),
    });
    const isJson = String(answer.headers['content-type'] ?? '').includes('json');
    return {
      status: answer.statusCode,
      headers: answer.headers,
      bytes: answer.rawPayload,
      json: isJson ? answer.json() : null,
    };
  }
}

/** Leaves out the origin, as a client that connects to it does. */
function toPath(url: string): string {
  return url.replace(/^https?:\/\/[^/]*/i, '');
}
