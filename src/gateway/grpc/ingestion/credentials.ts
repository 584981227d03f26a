import { type Metadata, status } from '@grpc/grpc-js';
import type { Maker } from '../../../rfq/makers/makers.ts';
import type { CallRefused } from '../wire/outgoing.ts';

export interface Credentials {
  /** The maker that the key was issued to, whether it is enabled or not; null when there is none. */
  readonly findMaker: (key: string) => Maker | null;
}

/**
 * Finds the maker of a call by the key in its metadata, or else by the key in its body.
 * @param authToken - The key in the body; empty without one.
 */
export function authenticateMaker(
  { findMaker }: Credentials,
  metadata: Metadata,
  authToken = '',
): Maker | CallRefused {
  const [inMetadata] = metadata.get('x-api-key');
  const key = typeof inMetadata === 'string' && inMetadata !== '' ? inMetadata : authToken;
  if (key === '') {
    return {
      code: status.UNAUTHENTICATED,
      details: 'the key of a maker is needed in the metadata x-api-key',
    };
  }
  const maker = findMaker(key);
  if (maker === null) return { code: status.UNAUTHENTICATED, details: 'the key in x-api-key is of no maker' };
  if (maker.record.enabled) return maker;
  return {
    code: status.PERMISSION_DENIED,
    details: `the operator disabled the maker ${maker.record.id}`,
  };
}
