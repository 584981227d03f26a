import type { Result } from '../../common/refusal.ts';

/** Returns the value of an operation; a refusal fails the test. */
export function unwrap<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  throw new Error(`refused as ${result.error.code}: ${result.error.message}`);
}
