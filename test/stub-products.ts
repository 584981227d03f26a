import { PRODUCTS } from '../src/app/products.ts';
import { OtherAnswer } from '../src/products/endpoint.ts';
import type { RunningProduct } from '../src/products/product.ts';
import { productWithoutEndpoints } from '../src/products/product-for-tests.ts';

/** The status with which the endpoints of `STUB_PRODUCTS` answer. */
export const REACHED = 418;

/** The registered products with all their paths. No part of a request is validated, and each handler says that it was reached. */
export const STUB_PRODUCTS: readonly RunningProduct[] = PRODUCTS.map(
  ({ name, description, basePaths, endpoints }) => ({
    ...productWithoutEndpoints(name, ...basePaths),
    description,
    endpoints: endpoints.map((endpoint) => ({
      endpoint: { ...endpoint, query: null, params: null, body: null },
      handle: () => new OtherAnswer(REACHED, { reached: endpoint.path }),
    })),
  }),
);
