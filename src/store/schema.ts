// The tables of the store. `migrations.ts` creates them, and a test compares the two.

export * from './schema/accounts.ts';
export * from './schema/earn.ts';
export * from './schema/makers.ts';
export * from './schema/operation.ts';
export * from './schema/portfolio.ts';
export * from './schema/tokens.ts';
export * from './schema/trades.ts';
