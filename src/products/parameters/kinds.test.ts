import { expect, it } from 'vitest';
import { address, integer, word } from './kinds.ts';
import { defineQuery, optional } from './parameter.ts';

it('address names what it refuses', () => {
  expect(QUERY.reader({ mint: SOL })('mint')).toBe(SOL);
  expect(() => QUERY.reader({ mint: 'SOL' })('mint')).toThrow(
    'mint must be an address: 32 bytes in base58, got "SOL"',
  );
});

it('integer is null without a number, if it is optional', () => {
  expect(QUERY.reader({ limit: undefined })('limit')).toBeNull();
  expect(QUERY.reader({ limit: '' })('limit')).toBeNull();
});

it.each(['1', '100'])('integer accepts %s', (limit) => {
  expect(QUERY.reader({ limit })('limit')).toBe(Number(limit));
});

it.each(['0', '101', '-1', '1.5', '1e1', ' 1', '1000000000'])('integer refuses %j', (limit) => {
  expect(() => QUERY.reader({ limit })('limit')).toThrow(
    `limit must be a whole number from 1 to 100, got "${limit}"`,
  );
});

it('word lists the words when it refuses another', () => {
  expect(QUERY.reader({ order: 'oldest' })('order')).toBe('oldest');
  expect(() => QUERY.reader({ order: 'Oldest' })('order')).toThrow(
    'order must be one of newest, oldest, got "Oldest"',
  );
});

it('a reader says whether a parameter is given, whatever its value', () => {
  const { isGiven } = QUERY.reader({ limit: '0', order: '' });
  expect([isGiven('mint'), isGiven('limit'), isGiven('order')]).toEqual([false, true, false]);
});

const SOL = 'So11111111111111111111111111111111111111112';
const QUERY = defineQuery({
  mint: address('A token.'),
  limit: optional(integer({ minimum: 1, maximum: 100 }, 'How many.')),
  order: word(['newest', 'oldest'], 'Which is first.'),
});
