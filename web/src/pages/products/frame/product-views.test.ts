import { describe, expect, it } from 'vitest';
import type { InstanceInfo } from '../../../api/instance.ts';
import { isServedView, listServedViews, PRODUCT_VIEWS } from './product-views.ts';

describe('listServedViews', () => {
  it('hides the views of products that are absent', () => {
    expect(listServedViews(serving('/portfolio', '/swap', '/price')).map(({ label }) => label)).toEqual([
      'Portfolio',
      'Prices',
    ]);
    expect(listServedViews(serving())).toEqual([]);
  });

  it('shows orders where one of the two products of orders is served', () => {
    expect(isServedView(serving('/recurring'), PRODUCT_VIEWS.orders)).toBe(true);
    expect(isServedView(serving('/swap'), PRODUCT_VIEWS.orders)).toBe(false);
  });
});

function serving(...basePaths: string[]): InstanceInfo {
  return {
    version: '1',
    port: 'rest',
    production: false,
    requiresKey: false,
    network: { kind: 'rpc' },
    urls: { rest: '', admin: null, grpc: '', rpc: null, ws: null },
    demoWallet: null,
    products: basePaths.map((basePath) => ({ name: basePath, description: '', basePath })),
    controls: false,
  };
}
