import { AggregatorSide } from '../src/protocol/venue/aggregator-step.ts';
import { routeV2 } from '../src/market/aggregator/route-v2.ts';
import { createFillStep } from '../src/protocols/rfq-fill/fill-step.ts';
import type { Address } from '../src/solana/address.ts';
import { createKeypairFromSeed } from '../src/solana/keypair.ts';
import { compileMessage } from '../src/solana/messages/compile-message.ts';
import { signTransaction } from '../src/solana/messages/transaction.ts';
import { deriveAssociatedTokenAddress } from '../src/solana/pda.ts';
import { TOKEN_PROGRAM } from '../src/solana/program-addresses.ts';

const SOL = 'So11111111111111111111111111111111111111112' as Address;
const USDC = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v' as Address;

/** Builds the swap that docs/last-look.md takes apart: a taker buys 2 SOL, one at each of two levels, with USDC. */
export function exampleFill() {
  const [taker, maker] = [1, 2].map((byte) => createKeypairFromSeed(new Uint8Array(32).fill(byte)));
  if (taker === undefined || maker === undefined) throw new Error('there are two seeds');
  const accountOf = (owner: Address, mint: Address) =>
    deriveAssociatedTokenAddress(owner, mint, TOKEN_PROGRAM);
  const levels = [
    { pxTicks: 200_020_000n, qtyLots: 1n },
    { pxTicks: 200_040_000n, qtyLots: 1n },
  ];
  const parties = {
    taker: taker.address,
    maker: maker.address,
    takerBase: accountOf(taker.address, SOL),
    takerQuote: accountOf(taker.address, USDC),
    makerBase: accountOf(maker.address, SOL),
    makerQuote: accountOf(maker.address, USDC),
  };
  const pair = {
    baseMint: SOL,
    quoteMint: USDC,
    baseTokenProgram: TOKEN_PROGRAM,
    quoteTokenProgram: TOKEN_PROGRAM,
  };
  const params = { expireAt: 1_800_000_055n, tickSizeQpb: 1n, lotSizeBase: 1_000_000_000n, levels };
  const route = routeV2(
    {
      inAmount: 400_060_000n,
      quotedOutAmount: 2_000_000_000n,
      slippageBps: 0,
      steps: [
        {
          step: createFillStep(AggregatorSide.BID, params, parties, pair),
          bps: 10_000,
          inputIndex: 0,
          outputIndex: 1,
        },
      ],
    },
    {
      userTransferAuthority: taker.address,
      userSourceTokenAccount: parties.takerQuote,
      userDestinationTokenAccount: parties.takerBase,
      sourceMint: USDC,
      destinationMint: SOL,
      sourceTokenProgram: TOKEN_PROGRAM,
      destinationTokenProgram: TOKEN_PROGRAM,
    },
  );
  const messageBytes = compileMessage({
    feePayer: taker.address,
    blockhash: new Uint8Array(32).fill(3),
    instructions: [route],
  });
  const transaction = signTransaction(messageBytes, [taker]);
  return { ...parties, transaction, messageBytes, routeData: route.data, makerKeys: maker };
}
