import { defineProduct, type OpenedProduct } from '../product.ts';
import type { StudioServices } from './endpoints/services.ts';

export interface StudioDependencies {
  /** What the endpoints work with. */
  readonly studio: StudioServices;
}

/** Launches of tokens on bonding curves, with their files and pages. */
export const studio = defineProduct({
  name: 'studio',
  description: 'Launches of tokens on bonding curves, with their image, page and fees.',
  basePaths: ['/studio'],
  endpoints: [],
  open: openStudioProduct,
});

function openStudioProduct({ studio: services }: StudioDependencies): OpenedProduct<StudioServices> {
  return { services };
}
