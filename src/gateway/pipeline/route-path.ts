import type { FastifyRequest } from 'fastify';
import { requestContextOf } from './request-context.ts';

/**
 * Returns the path of the matched route as it was registered, however the client spelled or encoded it. If no route
 * matched, returns the path as it was sent.
 */
export function routePath(request: FastifyRequest): string {
  return requestContextOf(request).route.url ?? request.url.split('?', 1)[0] ?? '';
}

const PARAMETER = /:(\w+)|\*/g;

/**
 * Returns the path of the matched route with its parameters filled in, decoded as the router decoded them. If no route
 * matched, returns the path as it was sent.
 */
export function decodedPath(request: FastifyRequest): string {
  const { url } = requestContextOf(request).route;
  if (url === null) return routePath(request);
  if (!url.includes(':') && !url.includes('*')) return url;
  const params = request.params as Readonly<Record<string, string | undefined>>;
  return url.replace(PARAMETER, (_, name: string | undefined) => params[name ?? '*'] ?? '');
}
