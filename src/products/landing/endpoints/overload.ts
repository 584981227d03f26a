import { OtherAnswer } from '../../endpoint.ts';

const STATUS = { busy: 429, full: 503 } as const;
const RETRY_AFTER = { 'retry-after': '1' };

/** Answers a transaction that there is no place for. Clients send it again by themselves at these statuses. */
export function overload(reason: keyof typeof STATUS, message: string): OtherAnswer {
  return new OtherAnswer(STATUS[reason], { code: STATUS[reason], message }, RETRY_AFTER);
}
