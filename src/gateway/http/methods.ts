import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { sendGatewayError } from './errors.ts';
import { redactPath } from './redact-path.ts';

/**
 * Answers 405 with `allow` where a path exists but not for the method, and 404 where it does not exist. Call it before
 * any route is registered; the function that it returns, after the last.
 */
export function watchMethods(app: FastifyInstance): () => void {
  const methodsOf = new Map<string, Set<string>>();
  const watch = ({ url, method }: RouteOptions) => {
    const methods = methodsOf.get(url) ?? new Set();
    for (const one of [method].flat()) methods.add(one);
    methodsOf.set(url, methods);
  };
  app.addHook('onRoute', watch);
  return () => {
    const paths = Array.from(methodsOf, ([url, methods]) => ({
      pattern: patternOf(url),
      allow: [...methods].join(', '),
    }));
    for (const [url, methods] of [...methodsOf]) {
      const others = app.supportedMethods.filter((method) => !methods.has(method));
      const allow = [...methods].join(', ');
      app.route({
        method: others,
        url,
        schema: { hide: true },
        onRequest: async (request, reply) => {
          if (request.method !== 'OPTIONS') return refuse(request, reply, allow);
          return reply.header('allow', allow).code(204).send();
        },
        handler: () => undefined,
      });
    }
    // The router knows the usual methods only; all others, as PROPFIND, are looked up here.
    app.setNotFoundHandler((request, reply) => {
      const path = request.url.split('?', 1)[0] ?? '';
      const known = app.supportedMethods.includes(request.method)
        ? undefined
        : paths.find(({ pattern }) => pattern.test(path));
      if (known !== undefined) return refuse(request, reply, known.allow);
      return sendGatewayError(reply, 404, `${redactPath(request.url)} is not a path of this server`);
    });
  };
}

function refuse({ method }: FastifyRequest, reply: FastifyReply, allow: string): FastifyReply {
  reply.header('allow', allow);
  return sendGatewayError(reply, 405, `${method} is not allowed here; allowed are ${allow}`);
}

/** What the paths of a route look like, with or without a slash at the end. */
function patternOf(url: string): RegExp {
  const source = url
    .split('/')
    .map((part) =>
      part.startsWith(':') ? '[^/]+' : part === '*' ? '.*' : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
    )
    .join('/');
  return new RegExp(`^${source}/?$`);
}
