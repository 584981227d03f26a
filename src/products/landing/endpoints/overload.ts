import { OtherAnswer } from '../../endpoint.ts';

const STATUS = { busy: 429, full: 503 } as const;
const RETRY_AFTER = { 'retry-after': '1' };

/** Returns the answer to a transaction that there is no place for. Clients retry by themselves after these statuses. */
export function createOverloadAnswer(reason: keyof typeof STATUS, message: string): OtherAnswer {
  return new OtherAnswer(STATUS[reason], { code: STATUS[reason], message }, RETRY_AFTER);
}
