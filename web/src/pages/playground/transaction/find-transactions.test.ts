import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty } from '../../../../../src/testing/random.ts';
import { findExecuteEndpoint } from './execute-endpoints.ts';
import { findInstructions } from './find-instructions.ts';
import { findTransactions } from './find-transactions.ts';
import { compileInstructions } from './compile-instructions.ts';

const WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';
const MEMO = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr';

describe('findTransactions', () => {
  it('finds a transaction by what it is, with the id of the object that it stands in', async () => {
    const transaction = await compileMemo();
    const found = findTransactions({ orders: [{ requestId: 'one', tx: transaction }], requestId: 'outer' });
    expect(found).toEqual([
      {
        path: 'orders[0].tx',
        transaction,
        signers: [WALLET],
        byteCount: expect.any(Number),
        requestId: 'one',
      },
    ]);
  });

  it('gives a list of transactions the id of what the list stands in, and shows each once', async () => {
    const transaction = await compileMemo();
    const found = findTransactions({ requestId: 'all', transaction, transactions: [transaction] });
    expect(found.map(({ path, requestId }) => [path, requestId])).toEqual([['transaction', 'all']]);
  });

  it('finds nothing in what only looks like base64, and does not throw at any JSON', () => {
    assertProperty(
      fc.property(fc.jsonValue(), fc.base64String({ minLength: 150, maxLength: 400 }), (json, text) => {
        expect(findTransactions(json)).toEqual([]);
        expect(findTransactions({ text: `AA${text}` })).toEqual([]);
      }),
      { cases: 100, seed: 4418 },
    );
    expect(findTransactions(JSON.parse('{"__proto__":{"a":1}}'))).toEqual([]);
  });
});

describe('findInstructions', () => {
  it('puts instructions in the order in which they run', () => {
    const set = findInstructions({
      swapInstruction: createMemo('swap'),
      cleanupInstruction: null,
      setupInstructions: [createMemo('setup')],
      computeBudgetInstructions: [createMemo('budget')],
    });
    expect(set?.instructions.map(({ data }) => atob(data))).toEqual(['budget', 'setup', 'swap']);
    expect(set?.payer).toBe(WALLET);
  });

  it('finds none in an answer without a signer, or of another form', () => {
    assertProperty(
      fc.property(fc.jsonValue(), (json) => {
        expect(findInstructions(json)).toBeNull();
      }),
      { cases: 100, seed: 4419 },
    );
    expect(findInstructions({ instructions: [{ programId: MEMO, accounts: 'none', data: '' }] })).toBeNull();
  });
});

describe('findExecuteEndpoint', () => {
  it('takes the endpoint of the product, with the id of the order', () => {
    expect(findExecuteEndpoint('/swap/v2/order', 'id', 'signed')).toEqual({
      path: '/swap/v2/execute',
      body: { requestId: 'id', signedTransaction: 'signed' },
    });
  });

  it.each([
    ['/swap/v1/swap', 'id'],
    ['/swap/v2/order', null],
    ['/lend/v1/earn/deposit', null],
  ])('leaves %s with the id %s to the network', (path, id) => {
    expect(findExecuteEndpoint(path, id, 'signed')).toBeNull();
  });
});

function createMemo(text: string) {
  return {
    programId: MEMO,
    accounts: [{ pubkey: WALLET, isSigner: true, isWritable: true }],
    data: btoa(text),
  };
}

async function compileMemo(): Promise<string> {
  const set = findInstructions({
    instructions: [createMemo('hello')],
    blockhashWithMetadata: { blockhash: new Array(32).fill(1) },
  });
  if (set === null) throw new Error('the answer has an instruction');
  return compileInstructions(set);
}
