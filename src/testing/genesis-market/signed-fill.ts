import { createMaker, SOL, USDC } from './makers.ts';
import { compileMessage } from '../../solana/messages/compile-message.ts';
import { readonlySigner } from '../../solana/messages/instruction.ts';
import { transferLamports } from '../../solana/programs/system.ts';
import { signTransaction } from '../../solana/messages/transaction.ts';
import type { FillTerms } from '../../swaps/fill-terms.ts';
import { Code, createSwapFailure, type ExecutionResult } from '../../swaps/orders/execution-result.ts';
import type { CoSignedOrder } from '../../swaps/orders/stored-order.ts';
import type { FillCheck, FillRefusal } from '../../rfq/fills/prospects/co-signing.ts';

const TAKER = createMaker('taker');
export const MAKER = createMaker('settled');
export const MAKER_ID = `of ${MAKER.address}`;

export const TERMS: FillTerms = {
  makerId: MAKER_ID,
  maker: MAKER.address,
  base: SOL.mint,
  quote: USDC.mint,
  pays: SOL.mint,
  most: 3n,
  expireAt: 100n,
};

/** An answer to a taker where a test does not care which. */
export const ANSWER: ExecutionResult = createSwapFailure(Code.QUOTE_EXPIRED, 'the fill is over');

/** An order with the terms of the maker, as the records keep it. */
export function createFillOrder(requestId: string): CoSignedOrder {
  return {
    requestId,
    messageBytes: new Uint8Array(0),
    lastValidBlockHeight: 100n,
    taker: TAKER.address,
    payer: TAKER.address,
    router: 'metis',
    inputMint: USDC.mint,
    outputMint: SOL.mint,
    receiver: null,
    tipLamports: 0n,
    coSigner: TERMS,
  };
}

/** A transaction of both, which the taker has signed; `number` makes it another. */
export function createTakerSignedFill(number: number): Uint8Array {
  const transfer = transferLamports(TAKER.address, createMaker('nobody').address, BigInt(number + 1));
  const messageBytes = compileMessage({
    feePayer: TAKER.address,
    blockhash: new Uint8Array(32),
    instructions: [{ ...transfer, accounts: [...transfer.accounts, readonlySigner(MAKER.address)] }],
  });
  return signTransaction(messageBytes, [TAKER]);
}

/** A check with this result, of a fill that can succeed as long as nobody says otherwise. */
export function checkWith(refusal: Promise<FillRefusal | null>): FillCheck {
  refusal.catch(() => {});
  return { refusal, prospects: { watch: () => {}, obstacle: async () => null, close: () => {} } };
}

export const PASSED = checkWith(Promise.resolve(null));
