import type { FastifyInstance } from 'fastify';
import { coversPath } from '../../platform/plans/products.ts';
import { sendGatewayError } from '../http/errors.ts';
import { requestContextOf } from './request-context.ts';
import { routePath } from './route-path.ts';

/** Refuses a key outside its products. What is free for all, such as the documentation, is so for every key. */
export function addPermission(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    const { caller, route } = requestContextOf(request);
    const products = caller?.products ?? null;
    if (products === null || route.isFree) done();
    else if (coversPath(products, routePath(request))) done();
    else sendGatewayError(reply, 403, 'API key does not have access to this endpoint');
  });
}
