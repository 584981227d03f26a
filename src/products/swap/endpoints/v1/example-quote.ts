import { EXAMPLE_MINTS } from '../../../example-values.ts';

const { sol, usdc } = EXAMPLE_MINTS;

/** A quote of `/swap/v1/quote` by the network that a start without `seed` carries. */
export const EXAMPLE_QUOTE = {
  inputMint: sol,
  inAmount: '100000000',
  outputMint: usdc,
  outAmount: '19991998',
  otherAmountThreshold: '19892039',
  swapMode: 'ExactIn',
  slippageBps: 50,
  priceImpactPct: '0',
  routePlan: [
    {
      swapInfo: {
        ammKey: 'Czfq3xZZDmsdGdUyrNLtRhGc47cXcZtLG4crryfu44zE',
        label: 'Whirlpool',
        inputMint: sol,
        outputMint: usdc,
        inAmount: '100000000',
        outAmount: '19991998',
        feeAmount: '40000',
        feeMint: sol,
      },
      percent: 100,
      bps: 10_000,
    },
  ],
};
