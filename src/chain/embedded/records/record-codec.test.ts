import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { assertProperty, sampleCases } from '../../../testing/random.ts';
import { toAddress } from '../../../solana/address.ts';
import { createKeypairFromSeed } from '../../../solana/keypair.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import { encodeSignature } from '../../../solana/messages/signature.ts';
import { parseTransaction, signTransaction } from '../../../solana/messages/transaction.ts';
import { toExecutedTransaction, deferBalances } from '../../records/executed-transaction.ts';
import type { TransactionRecord } from '../../records/records.ts';
import type { ExecutedTransaction } from '../../executed-transactions.ts';
import { decodeExecuted, decodeRecord, encodeRecord } from './record-codec.ts';

describe('the codec of transaction records', () => {
  it('decodes what it has encoded', () => {
    assertProperty(
      fc.property(records, (record) => {
        expect(decodeRecord(encodeRecord(record))).toEqual(record);
      }),
      { cases: 100, seed: 20_261_123 },
    );
  });

  it('decodes what a transaction did as the whole record tells it', () => {
    assertProperty(
      fc.property(records, (record) => {
        const { message } = parseTransaction(record.wire);
        const whole = toExecutedTransaction(deferBalances(record), message);
        expect(withBalances(decodeExecuted(encodeRecord(record)))).toEqual(withBalances(whole));
      }),
      { cases: 100, seed: 20_261_123 },
    );
  });

  it('keeps no view of the bytes in a whole record, which is stored for longer than they are', () => {
    const [record] = sampleCases(records, { cases: 1, seed: 20_261_123 }) as [TransactionRecord];
    const encoded = encodeRecord(record);
    const decoded = decodeRecord(encoded);
    encoded.fill(0);
    expect(decoded).toEqual(record);
  });
});

const payer = createKeypairFromSeed(new Uint8Array(32).fill(7));
const u64 = fc.bigInt({ min: 0n, max: (1n << 64n) - 1n });
const bytes = fc.uint8Array({ maxLength: 40 });
const address = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((data) => toAddress(data, 0));
const addresses = fc.uniqueArray(address, { maxLength: 5 });

const transactions = fc
  .array(fc.record({ programAddress: address, data: bytes }), { maxLength: 4 })
  .map((calls) => {
    const instructions = calls.map((call) => ({ ...call, accounts: [] }));
    const message = compileMessage({ feePayer: payer.address, blockhash: new Uint8Array(32), instructions });
    const wire = signTransaction(message, [payer]);
    return { wire, ...parseTransaction(wire) };
  });

/** Records with the account indexes of `count` accounts. */
const effects = (count: number) => {
  const index = fc.nat({ max: count - 1 });
  const balances = fc.array(
    fc.record({
      accountIndex: index,
      mint: address,
      owner: address,
      tokenProgram: address,
      amount: u64,
      decimals: fc.nat({ max: 255 }),
    }),
    { maxLength: 3 },
  );
  const inner = fc.record({
    programIdIndex: index,
    stackHeight: fc.integer({ min: 2, max: 5 }),
    accounts: fc.uint8Array({ maxLength: 6, max: count - 1 }),
    data: bytes,
  });
  const lamports = fc.array(u64, { minLength: count, maxLength: count });
  return fc.record({
    preBalances: lamports,
    postBalances: lamports,
    preTokenBalances: balances,
    postTokenBalances: balances,
    innerInstructions: fc.array(
      fc.record({ index: fc.nat({ max: 3 }), instructions: fc.array(inner, { maxLength: 4 }) }),
      { maxLength: 3 },
    ),
    logs: fc.array(fc.string(), { maxLength: 5 }),
    returnData: fc.option(fc.record({ programId: address, data: bytes })),
  });
};

const records = fc
  .tuple(transactions, addresses, addresses)
  .chain(([{ wire, signatures, message }, writable, readonly]) =>
    fc
      .record({
        slot: u64,
        index: fc.nat(),
        blockTime: fc.bigInt({ min: 0n, max: 1n << 40n }),
        fee: u64,
        unitsConsumed: u64,
        error: fc.constantFrom<TransactionRecord['error']>(null, 'AccountNotFound'),
        rest: effects(message.staticAccounts.length + writable.length + readonly.length),
      })
      .map(
        ({ rest, ...head }): TransactionRecord => ({
          ...head,
          ...rest,
          signature: encodeSignature(signatures[0] as Uint8Array),
          wire,
          version: message.version,
          staticAddresses: message.staticAccounts,
          loadedAddresses: { writable, readonly },
        }),
      ),
  );

function withBalances(transaction: ExecutedTransaction) {
  const { preTokenBalances, postTokenBalances } = transaction;
  return {
    ...transaction,
    preTokenBalances: preTokenBalances(),
    postTokenBalances: postTokenBalances(),
  };
}
