import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { compileRules } from '../../platform/firewall/evaluate.ts';
import type { RuleCondition } from '../../platform/firewall/rule.ts';
import type { KnownKey } from '../../platform/callers/key-cache.ts';
import { createProductWithoutEndpoints } from '../products/opened-product.ts';
import { createGateway } from '../../gateway/gateway.ts';
import { listen } from '../../gateway/http/listen.ts';
import { createLogger } from '../../gateway/http/log/log.ts';
import { createInProcessLimiter } from '../../gateway/limits/rate-limiter.ts';
import { closeServer } from '../../gateway/server/server.ts';
import type { TlsOptions } from '../../gateway/http/tls.ts';
import { DEFAULT_BOUNDS } from '../server-bounds.ts';

const NOW = 1_790_000_000_000;
const PLANLESS = { main: 1_000_000, execute: 1_000_000, submit: 1_000_000 };

/** The limit of requests in a minute from one address without a key. */
export const KEYLESS_LIMIT = 30;
/** Statuses of requests that do not reach the handler. */
export const REFUSED = new Set([400, 401, 403, 404, 405, 408, 414, 417, 429, 431, 501, 505]);
/** The guarded route, and the key of its requests. */
export const GUARDED = '/swap/v2/build';
export const KEY = 'jup_of_the_caller';

/** One step between a request and the handler of `GUARDED`, and the status of its refusal. */
export interface Guard {
  readonly name: string;
  readonly status: number;
  readonly known: Partial<KnownKey> | null;
  /** Whether it refuses from the second request on. */
  readonly spent?: true;
}

/** A firewall with one rule, which denies requests that meet the condition. */
export function createDenyingRules(condition: Omit<RuleCondition, 'name'> & Partial<RuleCondition>) {
  return compileRules([
    {
      id: 'r',
      name: 'no',
      enabled: true,
      groups: [[{ name: null, ...condition }]],
      action: { type: 'deny' },
      createdAt: 0,
    },
  ]);
}

export const GUARDS: readonly Guard[] = [
  { name: 'the key', status: 401, known: null },
  { name: 'the allow-list', status: 403, known: { products: ['price'] } },
  {
    name: 'the firewall',
    status: 403,
    known: { rules: createDenyingRules({ type: 'path', values: ['/swap'] }) },
  },
  { name: 'the limit', status: 429, known: { limits: { main: 1, execute: 1, submit: 1 } }, spent: true },
];

export interface GuardedOptions {
  readonly trustedProxies?: readonly string[];
  readonly tls?: TlsOptions;
  readonly host?: string;
}

/** A gateway whose handler counts its calls. */
export class GuardedGateway {
  readonly app: FastifyInstance;
  readonly url: URL;
  /** How often the handler of `GUARDED` was called since this was last set. */
  handled = 0;

  private constructor(app: FastifyInstance, url: URL) {
    this.app = app;
    this.url = url;
  }

  /** @param known - The record of `KEY`; null: it is unknown, like every other key. */
  static async open(
    known: Partial<KnownKey> | null,
    { trustedProxies = [], tls, host = '127.0.0.1' }: GuardedOptions = {},
  ): Promise<GuardedGateway> {
    const whole: KnownKey = {
      id: 'k',
      name: 'k',
      teamId: 't',
      organisationId: 'o',
      rules: null,
      limits: PLANLESS,
      products: null,
      expiresAt: null,
      ...known,
    };
    let opened: GuardedGateway | null = null;
    const handler = async () => {
      if (opened !== null) opened.handled++;
      return { ok: true };
    };
    const app = await createGateway({
      bounds: DEFAULT_BOUNDS,
      logger: createLogger('silent', { write: () => {} }),
      pipeline: {
        findKey: (key) => (known !== null && key === KEY ? whole : null),
        limiter: createInProcessLimiter(),
        countryOf: () => null,
        now: () => NOW,
      },
      trustedProxies,
      ...(tls === undefined ? {} : { tls }),
      readiness: [],
      examples: { values: {}, wallet: null },
      products: [
        createProductWithoutEndpoints('swap', '/swap'),
        createProductWithoutEndpoints('price', '/price'),
      ],
      registerRoutes: (server) => {
        server.get(GUARDED, handler);
        server.post(GUARDED, handler);
        server.get('/price/v3', async () => ({ ok: true }));
      },
    });
    const url = new URL(await listen(app, { host, port: 0, setting: 'rest-port' }));
    opened = new GuardedGateway(app, url);
    return opened;
  }

  /** Sends these bytes, and returns the answer when the connection ends. */
  send(bytes: string): Promise<string> {
    return this.#exchange((socket) => socket.end(Buffer.from(bytes, 'latin1')));
  }

  /**
   * Sends these bytes, and returns the answer when the other side ends the connection, as the bytes must ask it to.
   */
  converse(bytes: string): Promise<string> {
    return this.#exchange((socket) => socket.write(Buffer.from(bytes, 'latin1')));
  }

  async #exchange(say: (socket: Socket) => void): Promise<string> {
    const socket = connect(Number(this.url.port), '127.0.0.1');
    let text = '';
    socket.on('data', (chunk) => {
      text += String(chunk);
    });
    // A server that refuses may close before it has read everything.
    socket.on('error', () => {});
    say(socket);
    await once(socket, 'close');
    return text;
  }

  get(path: string, header: string): Promise<string> {
    const target = Buffer.from(path).toString('latin1');
    return this.send(`GET ${target} HTTP/1.1\r\nhost: a\r\n${header}\r\n\r\n`);
  }

  close(): Promise<void> {
    return closeServer(this.app, 50);
  }
}

/** The status of the first answer; 0 without one. */
export function parseFirstStatus(text: string): number {
  return parseStatuses(text)[0] ?? 0;
}

/** The statuses of all answers on a connection, which follow each other without a line end. */
export function parseStatuses(text: string): readonly number[] {
  return [...text.matchAll(/HTTP\/1\.1 (\d{3}) [A-Z]/g)].map(([, status]) => Number(status));
}
