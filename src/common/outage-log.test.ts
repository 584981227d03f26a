import { expect, it } from 'vitest';
import { createOutageLog, describeOutageReason } from './outage-log.ts';

it('logs the begin of an outage with its reason, its end, and nothing between at info', () => {
  const lines: unknown[][] = [];
  const at =
    (level: string) =>
    (...line: unknown[]) =>
      void lines.push([level, ...line]);
  const logger = { debug: at('debug'), error: at('error'), info: at('info') };
  let time = 0;
  const { onFailure, onAnswer } = createOutageLog(
    logger as never,
    'does not answer',
    'answers again',
    () => time,
  );
  const refused = new Error('Failed query: select * from keys', { cause: new Error('connection refused') });
  onAnswer();
  onFailure(refused);
  time = 5_000;
  onFailure(refused);
  time = 12_000;
  onAnswer();
  onAnswer();
  const defect = new TypeError('x is not a function');
  onFailure(defect);
  expect(lines).toEqual([
    ['error', { reason: 'connection refused' }, 'does not answer'],
    ['debug', { reason: 'connection refused' }, 'does not answer'],
    ['info', { seconds: 12 }, 'answers again'],
    ['error', { err: defect }, 'does not answer'],
  ]);
});

it('tells a statement that failed by its cause, and never the statement', () => {
  const stopping = new Error('the server is stopping');
  const failed = new Error('Failed query: select 1\nparams: Eg5U', { cause: stopping });
  expect(describeOutageReason(failed)).toBe('the server is stopping');
  expect(describeOutageReason(new Error('Failed query: select 1', { cause: failed }))).toBe(
    'the server is stopping',
  );
  expect(describeOutageReason(new Error('Failed query: select 1'))).toBe('a statement failed');
  const refused = Object.assign(new AggregateError([], ''), { code: 'ECONNREFUSED' });
  expect(describeOutageReason(new Error('Failed query: select 1', { cause: refused }))).toBe('ECONNREFUSED');
  expect(describeOutageReason(new Error('the chain has no such block', { cause: stopping }))).toBe(
    'the chain has no such block',
  );
  expect(describeOutageReason('gone')).toBe('gone');
});
