import { expect, it } from 'vitest';
import { createTestKeypair } from '../../testing/chain/rpc-network.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { createSignatureChecker } from './signature-checks.ts';

it.each([1, 2, 3, 4])('judges %i signatures alike, whichever turn and place they are in', async (signers) => {
  const turnEnds: (() => void)[] = [];
  const isComplete = createSignatureChecker((callback) => turnEnds.push(callback));
  for (let turn = 0; turn < 2; turn++) {
    const judged = [
      isComplete(signedBy(signers)),
      isComplete(withWrongSignature(signers)),
      isComplete(signedBy(signers)),
    ];
    expect(await Promise.all(judged)).toEqual([true, false, true]);
    for (const end of turnEnds.splice(0)) end();
    expect(await isComplete(withWrongSignature(signers))).toBe(false);
    for (const end of turnEnds.splice(0)) end();
  }
});

it('takes up one transaction at once in each turn, unless it has many signatures', async () => {
  let turns = 0;
  const isComplete = createSignatureChecker(() => {
    turns++;
  });
  await isComplete(signedBy(4));
  expect(turns).toBe(0);
  await isComplete(signedBy(1));
  await isComplete(signedBy(1));
  expect(turns).toBe(1);
});

const payers = Array.from({ length: 4 }, (_, index) => createTestKeypair(`payer ${index}`));

/** A transaction in which each of the first so many payers signs a transfer to the last one. */
function signedBy(signers: number) {
  const [feePayer = createTestKeypair('nobody')] = payers;
  const receiver = createTestKeypair('receiver').address;
  const instructions = payers
    .slice(0, signers)
    .map(({ address }) => transferLamports(address, receiver, 1_000_000n));
  const blockhash = new Uint8Array(32).fill(7);
  const message = compileMessage({ feePayer: feePayer.address, blockhash, instructions });
  return parseTransaction(signTransaction(message, payers.slice(0, signers)));
}

function withWrongSignature(signers: number) {
  const transaction = signedBy(signers);
  const signatures = transaction.signatures.map((signature) => new Uint8Array(signature));
  const last = signatures.at(-1) as Uint8Array;
  last[40] = (last[40] ?? 0) ^ 1;
  return { ...transaction, signatures };
}
