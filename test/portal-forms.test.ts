import { describe, expectTypeOf, it } from 'vitest';
import type { DecodedTransaction as ServerForm } from '../src/transactions/decoding/form/decoded-transaction.ts';
import type { DecodedTransaction as PageForm } from '../web/src/api/decoded-transaction.ts';

describe('the forms of the portal', () => {
  it('have decoded transactions as the server answers them', () => {
    expectTypeOf<PageForm>().toEqualTypeOf<ServerForm>();
  });
});
