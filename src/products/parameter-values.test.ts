import { expect, it } from 'vitest';
import { parseIntegerParameter, requireAddress } from './parameter-values.ts';

const SOL = 'So11111111111111111111111111111111111111112';
const BOUNDS = { minimum: 1, maximum: 100 };

it('requireAddress names what it refuses', () => {
  expect(requireAddress('mint', SOL)).toBe(SOL);
  expect(() => requireAddress('mint', 'SOL')).toThrow(
    'mint must be an address: 32 bytes in base58, got "SOL"',
  );
});

it('optionalInteger returns null without a number', () => {
  expect(parseIntegerParameter('limit', undefined, BOUNDS)).toBeNull();
  expect(parseIntegerParameter('limit', '', BOUNDS)).toBeNull();
});

it.each(['1', '100'])('optionalInteger accepts %s', (text) => {
  expect(parseIntegerParameter('limit', text, BOUNDS)).toBe(Number(text));
});

it.each(['0', '101', '-1', '1.5', '1e1', ' 1', '1000000000'])('optionalInteger refuses %j', (text) => {
  expect(() => parseIntegerParameter('limit', text, BOUNDS)).toThrow(
    `limit must be a whole number from 1 to 100, got "${text}"`,
  );
});
