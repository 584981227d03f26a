import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { sendGatewayError } from './errors.ts';
import { parseSentPath } from '../../platform/firewall/requested-path.ts';
import { redactPath } from './log/redact.ts';

/** How a route names a path: the whole of it, or by a pattern with parameters. */
export type ServedPath = 'exact' | 'pattern';

const served = new WeakMap<FastifyInstance, (path: string) => ServedPath | null>();

/** Finds how a server names a path in its routes, of any method. Returns null if it has no such route, or is not ready. */
export function findServedPath(app: FastifyInstance, path: string): ServedPath | null {
  return served.get(app)?.(path) ?? null;
}

/**
 * Answers 405 with `allow` if a path exists for other methods only, and 404 if it does not exist. Call this before the
 * first route is registered.
 * Returns a function to call after the last route is registered.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  const ofOwnOrigin = new Set<string>();
  const watch = ({ url, method, config }: RouteOptions) => {
    if (config?.ownOrigin === true) ofOwnOrigin.add(url);
    const methods = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  };
  app.addHook('onRoute', watch);
  return () => {
    const paths = Array.from(methodsOf, ([url, methods]) => ({
      pattern: toPathPattern(url),
      allow: [...methods].join(', '),
    }));
    served.set(app, createServedPathFinder([...methodsOf.keys()]));
    for (const [url, methods] of [...methodsOf]) {
      const others = app.supportedMethods.filter((method) => !methods.has(method));
      const allow = [...methods].join(', ');
      app.route({
        method: others,
        url,
        schema: { hide: true },
        // A preflight must not say that pages of other origins may send what they may not read.
        config: ofOwnOrigin.has(url) ? { ownOrigin: true } : {},
        onRequest: async (request, reply) => {
          if (request.method !== 'OPTIONS') return refuse(request, reply, allow);
          return reply.header('allow', allow).code(204).send();
        },
        handler: () => undefined,
      });
    }
    // The router knows the usual methods only. Others, such as PROPFIND, end here.
    app.setNotFoundHandler((request, reply) => {
      const path = parseSentPath(request.url);
      const known = app.supportedMethods.includes(request.method)
        ? undefined
        : paths.find(({ pattern }) => pattern.test(path));
      if (known !== undefined) return refuse(request, reply, known.allow);
      return sendGatewayError(reply, 404, 'Not Found', describeUnknownPath(path));
    });
  };
}

function createServedPathFinder(urls: readonly string[]): (path: string) => ServedPath | null {
  const isPattern = (url: string) => /[:*]/.test(url);
  const exact = new Set(urls.filter((url) => !isPattern(url)));
  const patterns = urls.filter(isPattern).map(toPathPattern);
  return (path) => {
    if (exact.has(path)) return 'exact';
    return patterns.some((pattern) => pattern.test(path)) ? 'pattern' : null;
  };
}

function refuse({ method }: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  reply.header('allow', allow);
  return sendGatewayError(reply, 405, `${method} is not allowed here; allowed are ${allow}`);
}

/** Returns a sentence for the person who reads the answer. Programs compare the message, which is always the same. */
function describeUnknownPath(sent: string): string {
  const path = redactPath(sent);
  const hint = path.endsWith('/') ? '; paths do not end with a slash' : '';
  return `${path} is not a path of this server${hint}`;
}

/** Returns a pattern for the paths of a route. Behind a parameter, a segment may have a suffix such as `.json`. */
function toPathPattern(url: string): RegExp {
  const source = url.replace(/:\w+|\*|[.+?^${}()|[\]\\]/g, (part) => {
    if (part.startsWith(':')) return '[^/]+';
    return part === '*' ? '.*' : `\\${part}`;
  });
  return new RegExp(`^${source}$`);
}
