import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Chain } from '../../chain/chain.ts';
import { createTracedChain } from '../../chain/traced-chain.ts';
import { createLogger } from '../http/log/log.ts';
import { closeServer, createServer as createGatewayServer } from '../server/server.ts';
import { openTelemetry, type Telemetry } from './open-telemetry.ts';
import { addRequestTracing } from './requests.ts';
import { DEFAULT_BOUNDS } from '../../testing/server-bounds.ts';

let receiver: Server;
let sent: SentSpan[];
let paths: (string | undefined)[];
let telemetry: Telemetry;
beforeEach(() => open(1));
afterEach(tearDown);

describe('traces', () => {
  it('contain the steps before the handler, the handler, and its calls to the chain', async () => {
    await request('/swap/secret-id');
    expect(new Set(paths)).toEqual(new Set(['/v1/traces']));
    const named = (name: string) => sent.find((span) => span.name === name);
    const root = named('GET /swap/:id');
    const handler = named('handler');
    expect(root?.parentSpanId ?? '').toBe('');
    expect(named('pipeline')?.parentSpanId).toBe(root?.spanId);
    expect(handler?.parentSpanId).toBe(root?.spanId);
    expect(named('chain signatureStatuses')?.parentSpanId).toBe(handler?.spanId);
    expect(named('chain getAccounts')).toMatchObject({
      parentSpanId: handler?.spanId,
      status: { code: 2, message: 'TypeError' },
    });
    expect(new Set(sent.map(({ traceId }) => traceId)).size).toBe(1);
    expect(sent.length).toBe(5);
    const attributes = Object.fromEntries(
      (root?.attributes ?? []).map(({ key, value }) => [key, Object.values(value)[0]]),
    );
    expect(attributes).toEqual({
      'http.request.method': 'GET',
      'http.route': '/swap/:id',
      'http.response.status_code': 200,
      'sluice.request_id': expect.stringMatching(/^[0-9a-f-]{36}$/),
    });
    expect(JSON.stringify(sent)).not.toContain('secret');
  });

  it('are sampled at the configured fraction', async () => {
    await telemetry.close();
    receiver.close();
    await open(0);
    await request('/swap/a');
    expect(sent).toEqual([]);
  });
});

interface SentSpan {
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly attributes: readonly { readonly key: string; readonly value: Record<string, unknown> }[];
  readonly status: { readonly code?: number; readonly message?: string };
}

async function open(share: number) {
  sent = [];
  paths = [];
  receiver = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    paths.push(request.url);
    const body: { resourceSpans: { scopeSpans: { spans: SentSpan[] }[] }[] } = JSON.parse(text);
    sent.push(...body.resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans)));
    response.setHeader('content-type', 'application/json').end('{}');
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const endpoint = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
  telemetry = openTelemetry({ endpoint, share, version: '0.0.0' });
}

function tearDown(): void {
  receiver.closeAllConnections();
  receiver.close();
}

/** Sends a request to a server whose only route calls the chain. */
async function request(url: string): Promise<void> {
  const { tracing } = telemetry;
  const bare = {
    signatureStatuses: async () => [],
    getAccounts: async () => {
      throw new TypeError('of secret-account');
    },
    slot: () => 7n,
  } as unknown as Chain;
  const chain = createTracedChain(bare, tracing);
  const app = await createGatewayServer({
    bounds: DEFAULT_BOUNDS,
    logger: createLogger('silent', { write: () => {} }),
    trustedProxies: [],
    register: (server) => {
      addRequestTracing(server, tracing);
      server.get('/swap/:id', async () => {
        expect(chain.slot('processed')).toBe(7n);
        await chain.signatureStatuses([]);
        await expect(chain.getAccounts([])).rejects.toThrow('of secret-account');
        return { ok: true };
      });
    },
  });
  await app.inject({ url, headers: { 'x-api-key': 'jup_secret' } });
  await closeServer(app);
  await telemetry.close();
}
