import { expect, it } from 'vitest';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { isFullySignedInPool, signTransaction } from '../../solana/messages/transaction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { checkSubmission } from './check-submission.ts';

it('a submitted transaction is landed without the bytes that follow it, as nodes take it', async () => {
  const message = compileMessage({
    feePayer: PAYER.address,
    blockhash: new Uint8Array(32).fill(3),
    instructions: [transferLamports(PAYER.address, RECEIVER, 1_000_000n)],
  });
  const wire = signTransaction(message, [PAYER]);
  const rules = {
    tips: { receivers: new Set([RECEIVER]), tableContents: () => null },
    isFullySigned: isFullySignedInPool,
    isKnown: () => false,
  };
  const sent = Buffer.concat([wire, new Uint8Array(9).fill(7)]).toString('base64');
  expect(await checkSubmission(sent, rules)).toEqual(
    await checkSubmission(Buffer.from(wire).toString('base64'), rules),
  );
  expect(await checkSubmission(sent, rules)).toMatchObject({ ok: true, transaction: { wire } });
});

const PAYER = createKeypairFromSeed(new Uint8Array(32).fill(1));
const RECEIVER = createKeypairFromSeed(new Uint8Array(32).fill(2)).address;
