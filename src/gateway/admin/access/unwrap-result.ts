import type { RefusalCode, Result } from '../../../common/refusal.ts';
import { type RefusalStatus, RequestInvalid } from '../../http/validation.ts';

const STATUS_CODES: Readonly<Record<RefusalCode, RefusalStatus>> = {
  'invalid-value': 400,
  'not-permitted': 403,
  'rights-changed': 403,
  'not-found': 404,
  'already-exists': 409,
  'limit-reached': 409,
  'last-owner': 409,
};

/**
 * Unwraps the result of an operation of the platform.
 * Returns the value, if the operation was not refused.
 * @throws RequestInvalid with the HTTP status of the refusal's code
 *
 * @example
 * ```ts
 * import { unwrapResult } from './unwrap-result.ts';
 *
 * unwrapResult({ ok: true, value: 5 }); // 5
 * unwrapResult({ ok: false, error: { code: 'not-found', message: 'there is no team web' } }); // throws: 404
 * ```
 */
export function unwrapResult<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message } = result.error;
  throw new RequestInvalid(message, STATUS_CODES[code]);
}
