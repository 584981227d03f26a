import type { RefusalCode, Result } from '../../platform/refusal.ts';

const STATUS_CODES: Readonly<Record<RefusalCode, 400 | 403 | 404 | 409>> = {
  'invalid-value': 400,
  'not-permitted': 403,
  'rights-changed': 403,
  'not-found': 404,
  'already-exists': 409,
  'limit-reached': 409,
  'last-owner': 409,
};

/** The admin interface refuses a request; the client gets the message. */
export class AdminRefused extends Error {
  override readonly name = 'AdminRefused';
  readonly statusCode: 400 | 403 | 404 | 409;

  constructor(statusCode: 400 | 403 | 404 | 409, message: string) {
    super(message);
    this.statusCode = statusCode;
  }
}

/**
 * @returns the value of an operation that was not refused
 * @throws AdminRefused with the HTTP status that belongs to the refusal's code
 */
export function granted<T>(result: Result<T>): T {
  if (result.ok) return result.value;
  const { code, message } = result.error;
  throw new AdminRefused(STATUS_CODES[code], message);
}
