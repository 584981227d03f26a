import { useInstance } from '../../../api/instance.ts';

/**
 * Returns how often a page may ask: a sandbox does not refuse its user, but elsewhere a caller without a key has thirty requests a
 * minute.
 *
 * @param sandboxMs - On the embedded network without `production`.
 * @param otherMs - Elsewhere.
 */
export function usePace(sandboxMs: number, otherMs: number): number {
  const { data: instance } = useInstance();
  return instance?.network.kind === 'embedded' && !instance.production ? sandboxMs : otherMs;
}
