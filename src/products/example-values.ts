/** Stands for the demo wallet in examples, and is shown where there is none: it is that of a start without `seed`. */
export const EXAMPLE_WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';

/** Mints that every network has. */
export const EXAMPLE_MINTS = {
  sol: 'So11111111111111111111111111111111111111112',
  usdc: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  jup: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN',
} as const;

/** A transaction without a signature, base64. It shows the form and lands nowhere. */
export const EXAMPLE_TRANSACTION = `AQ${'A'.repeat(86)}AQAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=`;
