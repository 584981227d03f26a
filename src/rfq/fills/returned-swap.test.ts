import { expect, it } from 'vitest';
import { createKeypairFromSeed } from '../../solana/keypair.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { addSignatures, parseTransaction, signTransaction } from '../../solana/messages/transaction.ts';
import { createAccount } from '../../solana/programs/system.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { readReturned } from './returned-swap.ts';

it('a swap that a maker returns may be followed by other bytes, which are not landed', () => {
  const message = compileMessage({
    feePayer: TAKER.address,
    blockhash: new Uint8Array(32).fill(3),
    instructions: [
      createAccount({
        payer: TAKER.address,
        account: MAKER.address,
        lamports: 1n,
        space: 0n,
        owner: SYSTEM_PROGRAM,
      }),
    ],
  });
  const offered = signTransaction(message, [TAKER]);
  const wire = addSignatures(parseTransaction(offered), [MAKER]);
  const returned = Buffer.concat([wire, new Uint8Array(5)]).toString('base64');
  expect(readReturned(returned, offered)).toEqual({ kind: 'signed', wire });
});

const TAKER = createKeypairFromSeed(new Uint8Array(32).fill(1));
const MAKER = createKeypairFromSeed(new Uint8Array(32).fill(2));
