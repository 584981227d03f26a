import type { FastifyInstance } from 'fastify';
import type { ProductDescription } from '../../../products/product.ts';
import { sendGatewayError } from '../../http/errors.ts';
import { getRequestContext } from './request-context.ts';
import { getRoutePath } from './route-path.ts';
import { addStep } from './step.ts';

/**
 * Answers 403 to a key that does not cover the product of the path. Free routes, such as the documentation, and
 * routes that belong to no product are open to every key. An alias is a route of its own, so a key that covers the endpoint's
 * product does not open an alias outside it.
 * @param products - The registered products; a product that is not registered covers no path.
 */
export function addPermission(app: FastifyInstance, products: readonly ProductDescription[]): void {
  const basePathsOf = new Map(products.map(({ name, basePaths }) => [name, basePaths]));
  addStep(app, 'onRequest', (request, reply) => {
    const { caller, route } = getRequestContext(request);
    const allowed = caller?.products ?? null;
    if (allowed === null || route.isFree || route.belongsToNoProduct) return true;
    if (coversPath(basePathsOf, allowed, getRoutePath(request))) return true;
    sendGatewayError(reply, 403, 'API key does not have access to this endpoint');
    return false;
  });
}

/** Whether `path` belongs to one of the allowed products. Whole segments are compared, case-sensitively. */
function coversPath(
  basePathsOf: ReadonlyMap<string, readonly string[]>,
  allowed: readonly string[],
  path: string,
): boolean {
  return allowed.some((name) =>
    basePathsOf.get(name)?.some((prefix) => path === prefix || path.startsWith(`${prefix}/`)),
  );
}
