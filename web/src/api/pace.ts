import { type InstanceInfo, isSandbox, useInstance } from './instance.ts';

/**
 * How often a page asks again where its caller may be refused: without a key there are thirty requests a minute, and a page asks for
 * several things.
 */
const LIMITED_MS = 30_000;

/**
 * Returns how often a page may ask: a sandbox does not refuse its user, others do.
 *
 * @param sandboxMs - On the embedded network without `production`.
 * @param limitedMs - Elsewhere. Default: 30 seconds, or `sandboxMs` if that is longer.
 */
export function usePace(sandboxMs: number, limitedMs?: number): number {
  const { data: instance } = useInstance();
  return choosePace(instance, sandboxMs, limitedMs);
}

/** @param instance - Undefined while it is not known: it may be one that refuses. */
export function choosePace(
  instance: Pick<InstanceInfo, 'network' | 'production'> | undefined,
  sandboxMs: number,
  limitedMs: number = Math.max(sandboxMs, LIMITED_MS),
): number {
  return isSandbox(instance) ? sandboxMs : limitedMs;
}
