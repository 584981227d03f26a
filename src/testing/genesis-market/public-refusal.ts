import { toPublicRefusal } from '../../products/swap/endpoints/refusal-texts.ts';

/** Throws what clients of the endpoints are told instead of this error. */
export function throwPublicRefusal(thrown: unknown): never {
  throw toPublicRefusal(thrown);
}
