import { expect, it } from 'vitest';
import { parseTransaction } from '../solana/messages/transaction.ts';
import { EXAMPLE_TRANSACTION } from './example-values.ts';

it('the example of a transaction can be parsed', () => {
  const { message, signatures } = parseTransaction(Buffer.from(EXAMPLE_TRANSACTION, 'base64'));
  expect(signatures.map((signature) => [...signature])).toEqual([new Array(64).fill(0)]);
  expect(message).toMatchObject({ version: 'legacy', instructions: [] });
});
