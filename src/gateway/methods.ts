import type { FastifyInstance, RouteOptions } from 'fastify';
import { sendGatewayError } from './errors.ts';

const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];

/**
 * Answers 405 with `allow` where a path exists but not for the method. Call it before any route is registered; the
 * function that it returns, after the last.
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
    for (const [url, methods] of [...methodsOf]) {
      const others = METHODS.filter((method) => !methods.has(method));
      const allow = [...methods].join(', ');
      app.route({
        method: others,
        url,
        schema: { hide: true },
        onRequest: async (request, reply) => {
          reply.header('allow', allow);
          if (request.method === 'OPTIONS') return reply.code(204).send();
          return sendGatewayError(reply, 405, `${request.method} is not allowed here; allowed are ${allow}`);
        },
        handler: () => undefined,
      });
    }
  };
}
