import { defineProduct, type OpenedProduct } from '../product.ts';
import { addressesEndpoint } from './endpoints/addresses.ts';
import { createLaunchEndpoint } from './endpoints/create-launch.ts';
import { feeClaimEndpoint } from './endpoints/fee-claim.ts';
import { feeEndpoint } from './endpoints/fee.ts';
import { headerEndpoint } from './endpoints/header-file.ts';
import { imageEndpoint, imageUploadEndpoint } from './endpoints/image-file.ts';
import { launchCurveEndpoint } from './endpoints/launch-curve.ts';
import { launchPageEndpoint } from './endpoints/launch-page.ts';
import { metadataEndpoint, metadataUploadEndpoint } from './endpoints/metadata-file.ts';
import type { StudioServices } from './endpoints/services.ts';
import { submitLaunchEndpoint } from './endpoints/submit-launch.ts';

export interface StudioDependencies {
  /** What the endpoints work with. */
  readonly studio: StudioServices;
}

/** Launches of tokens on bonding curves, with their files and pages. */
export const studio = defineProduct({
  name: 'studio',
  description: 'Launches of tokens on bonding curves, with their image, page and fees.',
  basePaths: ['/studio'],
  errorSections: [{ heading: 'Studio' }],
  endpoints: [
    createLaunchEndpoint,
    submitLaunchEndpoint,
    launchPageEndpoint,
    launchCurveEndpoint,
    addressesEndpoint,
    feeEndpoint,
    feeClaimEndpoint,
    imageEndpoint,
    imageUploadEndpoint,
    metadataEndpoint,
    metadataUploadEndpoint,
    headerEndpoint,
  ],
  open: openStudioProduct,
});

function openStudioProduct({ studio: services }: StudioDependencies): OpenedProduct<StudioServices> {
  return { services };
}
