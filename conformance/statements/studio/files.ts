import { type Answer, difference, firstOf, shown, unless } from '../../answer.ts';
import type { Statement } from '../../statement.ts';
import type { World } from '../../world.ts';
import { prepareLaunch } from './launch-requests.ts';

// Statements about the files of a launch: what the two URLs of `create-tx` take, and what is served.

const PNG = Uint8Array.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 1, 2, 3]);
const GIF = new TextEncoder().encode('GIF89a');

interface LaunchLinks {
  readonly mint: string;
  readonly imageUrl: string;
  readonly imagePresignedUrl: string;
  readonly metadataPresignedUrl: string;
}

async function prepareLinks(world: World): Promise<LaunchLinks> {
  const answer = await prepareLaunch(world);
  if (answer.status !== 200) throw new Error(`no launch was prepared: ${shown(answer)}`);
  return answer.json;
}

/** Sends a request without a key, as a page does. */
async function send(url: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(url, init);
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json') === true;
  return { status: response.status, headers: response.headers, text, json: isJson ? JSON.parse(text) : null };
}

function put(url: string, type: string, body: Uint8Array | string): Promise<Answer> {
  const sent = typeof body === 'string' ? body : new Uint8Array(body);
  return send(url, { method: 'PUT', headers: { 'content-type': type }, body: sent });
}

export const launchFileStatements: readonly Statement[] = [
  {
    id: 'studio/image',
    says: 'The image is taken by PUT at `imagePresignedUrl`, without a key, and served at `imageUrl` with its type; before that `imageUrl` is a 404.',
    check: async (world) => {
      const { imageUrl, imagePresignedUrl } = await prepareLinks(world);
      const before = await send(imageUrl);
      const taken = await put(imagePresignedUrl, 'image/png', PNG);
      const served = await fetch(imageUrl);
      const bytes = new Uint8Array(await served.arrayBuffer());
      return firstOf(
        difference(before, { status: 404, body: { error: 'Image not found' } }),
        difference(taken, { status: 200 }),
        unless(served.status === 200 && served.headers.get('content-type') === 'image/png', served.status),
        unless(Buffer.from(bytes).equals(PNG), [...bytes]),
      );
    },
  },
  {
    id: 'studio/metadata',
    says: 'The metadata are taken by PUT at `metadataPresignedUrl` and served at `/metadata/{mint}.json` as JSON, without the fields that are null.',
    check: async (world) => {
      const { mint, imageUrl, metadataPresignedUrl } = await prepareLinks(world);
      const metadata = { name: 'Files', symbol: 'FILES', description: 'What for', image: imageUrl };
      const sent = JSON.stringify({ ...metadata, website: null, twitter: null, telegram: null });
      const taken = await put(metadataPresignedUrl, 'application/json', sent);
      const served = await send(`${new URL(imageUrl).origin}/metadata/${mint}.json`);
      return firstOf(
        difference(taken, { status: 200 }),
        difference(served, { status: 200, body: metadata }),
        unless(served.json?.website === undefined, served.json),
      );
    },
  },
  {
    id: 'studio/content-type',
    says: 'An image of another type than `tokenImageContentType` is a 403, and bytes that are not of that type a 400.',
    check: async (world) => {
      const { imagePresignedUrl } = await prepareLinks(world);
      return firstOf(
        difference(await put(imagePresignedUrl, 'image/gif', GIF), { status: 403 }),
        difference(await put(imagePresignedUrl, 'image/png', GIF), { status: 400 }),
        difference(await put(imagePresignedUrl, 'image/png', PNG), { status: 200 }),
      );
    },
  },
  {
    id: 'studio/upload-once',
    says: 'A file is uploaded once; a URL without its signature, or of another token, takes nothing.',
    check: async (world) => {
      const [one, other] = [await prepareLinks(world), await prepareLinks(world)];
      const foreign = `${other.imageUrl}${new URL(one.imagePresignedUrl).search}`;
      return firstOf(
        difference(await put(foreign, 'image/png', PNG), { status: 403 }),
        difference(await put(one.imageUrl, 'image/png', PNG), { status: 403 }),
        difference(await put(one.imagePresignedUrl, 'image/png', PNG), { status: 200 }),
        difference(await put(one.imagePresignedUrl, 'image/png', PNG), { status: 409 }),
      );
    },
  },
  {
    id: 'studio/upload-from-pages',
    says: 'Pages of any origin may upload and read the files, and nothing in a file is run: it has its exact type, and a policy that allows nothing.',
    check: async (world) => {
      const { imageUrl, imagePresignedUrl } = await prepareLinks(world);
      const preflight = await send(imagePresignedUrl, {
        method: 'OPTIONS',
        headers: {
          origin: 'https://page.example',
          'access-control-request-method': 'PUT',
          'access-control-request-headers': 'content-type',
        },
      });
      await put(imagePresignedUrl, 'image/png', PNG);
      const { headers } = await send(imageUrl, { headers: { origin: 'https://page.example' } });
      return firstOf(
        unless(preflight.headers.get('access-control-allow-origin') === '*', preflight.status),
        unless(
          preflight.headers.get('access-control-allow-methods')?.includes('PUT') === true,
          preflight.status,
        ),
        unless(headers.get('access-control-allow-origin') === '*', [...headers]),
        unless(headers.get('x-content-type-options') === 'nosniff', [...headers]),
        unless(headers.get('content-security-policy')?.includes('sandbox') === true, [...headers]),
      );
    },
  },
];
