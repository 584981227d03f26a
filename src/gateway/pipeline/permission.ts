import type { FastifyInstance } from 'fastify';
import type { ProductDescription } from '../../products/product.ts';
import { sendGatewayError } from '../http/errors.ts';
import { requestContextOf } from './request-context.ts';
import { routePath } from './route-path.ts';

/**
 * Refuses a key outside its products. What is free for all, such as the documentation, is so for every key.
 * @param products those that are registered: a key that names another product may not ask for anything by it
 */
export function addPermission(app: FastifyInstance, products: readonly ProductDescription[]): void {
  const basePathsOf = new Map(products.map(({ name, basePaths }) => [name, basePaths]));
  app.addHook('onRequest', (request, reply, done) => {
    const { caller, route } = requestContextOf(request);
    const allowed = caller?.products ?? null;
    if (allowed === null || route.isFree) done();
    else if (coversPath(basePathsOf, allowed, routePath(request))) done();
    else sendGatewayError(reply, 403, 'API key does not have access to this endpoint');
  });
}

/** Whether `path` belongs to one of the products that are allowed: by whole segments, and case counts. */
function coversPath(
  basePathsOf: ReadonlyMap<string, readonly string[]>,
  allowed: readonly string[],
  path: string,
): boolean {
  return allowed.some((name) =>
    basePathsOf.get(name)?.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  );
}
