import type { Address } from '../../../solana/address.ts';
import { compileMessage } from '../../../solana/messages/compile-message.ts';
import type { Instruction } from '../../../solana/messages/instruction.ts';
import { encodeUnsigned, signTransaction } from '../../../solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../../../solana/pda.ts';
import { isTokenProgram, WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';
import { createAssociatedTokenIdempotent } from '../../../solana/programs/associated-token.ts';
import { setDistinctUnitLimit, setComputeUnitPrice } from '../../../solana/programs/compute-budget.ts';
import { createFillInstruction } from '../../../protocols/order-engine/fill-instruction.ts';
import type { SmallQuote } from './quote-checks.ts';
import { FILL_LIFE_SECONDS } from '../../liquidity/fill-times.ts';
import type { CheckedWebhook } from './checked.ts';

/** How a swap differs from that of an order. */
export interface WebhookDeviation {
  /** Replaces the atoms that the maker pays. */
  readonly outputAmount?: bigint;
  /** Pays for the taker's output account instead of the taker. */
  readonly accountPayer?: Address;
  /** Instructions after the fill. */
  readonly extraInstructions?: readonly Instruction[];
  /** Leaves the taker's signature out. */
  readonly isUnsigned?: boolean;
}

/** A swap of a quote, as the maker is sent it. */
export interface CheckedWebhookSwap {
  readonly wire: Uint8Array;
  /** Where the taker is paid. */
  readonly destination: Address;
}

const UNIT_LIMIT = 200_000;
/** Micro-lamports per compute unit. */
const UNIT_PRICE = 1_000n;

/**
 * Builds the transaction that an order would have, with the maker as fee payer and zeros in place of its signature.
 * Returns null if one of the mints does not exist.
 */
export async function buildWebhookSwap(
  { dependencies, subject, record }: CheckedWebhook,
  { request, quote }: SmallQuote,
  deviation: WebhookDeviation = {},
): Promise<CheckedWebhookSwap | null> {
  const { network } = dependencies;
  const { taker } = subject;
  const { tokenIn, tokenOut } = request;
  const [input, output] = [await network.accountOf(tokenIn), await network.accountOf(tokenOut)];
  if (input === null || output === null) return null;
  if (!isTokenProgram(input.owner) || !isTokenProgram(output.owner)) return null;
  const maker = record.address;
  const destination = deriveAssociatedTokenAddress(taker.address, tokenOut, output.owner);
  const fill = createFillInstruction(
    {
      inputAmount: quote.amountIn,
      outputAmount: deviation.outputAmount ?? quote.amountOut,
      expireAt: network.clock().unixTimestamp + FILL_LIFE_SECONDS,
    },
    {
      taker: taker.address,
      maker,
      input: {
        mint: tokenIn,
        tokenProgram: input.owner,
        taker:
          tokenIn === WRAPPED_SOL_MINT
            ? null
            : deriveAssociatedTokenAddress(taker.address, tokenIn, input.owner),
        maker: deriveAssociatedTokenAddress(maker, tokenIn, input.owner),
      },
      output: {
        mint: tokenOut,
        tokenProgram: output.owner,
        taker: destination,
        maker: deriveAssociatedTokenAddress(maker, tokenOut, output.owner),
      },
    },
    { bps: 0, quoteType: 'exactIn' },
  );
  const message = compileMessage({
    feePayer: maker,
    blockhash: network.recentBlockhash().bytes,
    instructions: [
      setDistinctUnitLimit(UNIT_LIMIT, subject.nextSerial()),
      setComputeUnitPrice(UNIT_PRICE),
      createAssociatedTokenIdempotent({
        payer: deviation.accountPayer ?? taker.address,
        owner: taker.address,
        mint: tokenOut,
        tokenProgram: output.owner,
      }),
      fill,
      ...(deviation.extraInstructions ?? []),
    ],
  });
  const wire = deviation.isUnsigned === true ? encodeUnsigned(message) : signTransaction(message, [taker]);
  return { wire, destination };
}
