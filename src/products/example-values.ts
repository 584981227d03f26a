/** Stands for the demo wallet in examples, and is shown where there is none: it is that of a start without `seed`. */
export const EXAMPLE_WALLET = 'A5yMoCcVUnEjRBLFfh6WvYtaCUXY2oSdPEVsFEfyGvCL';

/** Mints that every network has. */
export const EXAMPLE_MINTS = {
  sol: 'So11111111111111111111111111111111111111112',
  usdc: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
  jup: 'JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN',
} as const;

const [ONE, ZEROS_32] = [Uint8Array.of(1), new Uint8Array(32)];

/**
 * A transaction that nobody has signed, in base64: the place of one signature, a legacy message with one account and a
 * blockhash, and no instructions. It shows the form and lands nowhere.
 */
export const EXAMPLE_TRANSACTION = Buffer.concat([
  ...[ONE, ZEROS_32, ZEROS_32],
  ...[Uint8Array.of(1, 0, 0), ONE, ZEROS_32, ZEROS_32, Uint8Array.of(0)],
]).toString('base64');
