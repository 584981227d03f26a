/** The body of the preset for memes, as clients send it without its creator. */
export const MEME_BODY = {
  buildCurveByMarketCapParam: {
    quoteMint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v',
    initialMarketCap: 16_000,
    migrationMarketCap: 69_000,
    tokenQuoteDecimal: 6,
    lockedVestingParam: {
      totalLockedVestingAmount: 0,
      cliffUnlockAmount: 0,
      numberOfVestingPeriod: 0,
      totalVestingDuration: 0,
      cliffDurationFromMigrationTime: 0,
    },
  },
  antiSniping: false,
  fee: { feeBps: 100 },
  isLpLocked: true,
  tokenName: 'Test Launch',
  tokenSymbol: 'TEST',
  tokenImageContentType: 'image/png',
};
