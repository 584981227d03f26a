// The public SDK for tests. Its own types are not used, because the compiler would have to check those of its framework.

/** The SDK's arbitrary-precision integers. */
export interface BigNumber {
  toString(): string;
}

/** A position as the SDK reads it from its account. */
export interface SdkPosition {
  readonly vaultId: number;
  readonly nftId: number;
  readonly isSupplyOnlyPosition: number;
  readonly tick: number;
  readonly tickId: number;
  readonly supplyAmount: BigNumber;
  readonly dustDebtAmount: BigNumber;
}

/** The state of a position as the SDK computes it. */
export interface SdkPositionState {
  readonly tick: number;
  readonly colRaw: BigNumber;
  readonly debtRaw: BigNumber;
  readonly dustDebtRaw: BigNumber;
  readonly userLiquidationStatus: boolean;
  readonly postLiquidationBranchId: number;
}

/** Accounts by address in place of a connection. Reading an absent one rejects, as in the SDK's framework. */
export interface SdkProgram {
  readonly account: Readonly<
    Record<string, { readonly fetch: (address: { toBase58(): string }) => Promise<unknown> }>
  >;
}

/** The functions of `@jup-ag/lend/borrow` that the tests call. */
export interface BorrowSdk {
  readonly getRatioAtTick: (tick: number) => BigNumber;
  readonly getTickAtRatio: (ratio: BigNumber) => number;
  readonly findNextTickWithDebt: (vaultId: number, start: number, program: SdkProgram) => Promise<number>;
  readonly getCurrentPositionState: (options: {
    readonly vaultId: number;
    readonly position: SdkPosition;
    readonly program: SdkProgram;
  }) => Promise<SdkPositionState>;
  readonly getFinalPosition: (options: {
    readonly vaultId: number;
    readonly currentPosition: {
      readonly tickId: number;
      readonly colRaw: BigNumber;
      readonly debtRaw: BigNumber;
      readonly dustDebtRaw: BigNumber;
    };
    readonly newColAmount: BigNumber;
    readonly newDebtAmount: BigNumber;
    readonly program: SdkProgram;
    readonly connection: unknown;
    readonly signer: unknown;
  }) => Promise<{ readonly tick: number; readonly colRaw: BigNumber; readonly debtRaw: BigNumber }>;
  readonly loadRelevantBranches: (
    vaultId: number,
    vaultState: { readonly currentBranchId: number },
    isLiquidated: boolean,
    liquidationBranchId: number,
    program: SdkProgram,
  ) => Promise<number[]>;
  readonly loadRelevantTicksHasDebtArrays: (
    vaultId: number,
    topTick: number,
    currentTick: number,
    finalTick: number,
    program: SdkProgram,
  ) => Promise<{ toBase58(): string }[]>;
}

/**
 * Returns a connection on which the SDK reads a vault's prices by simulation.
 *
 * @param prices - The supply and borrow prices of the liquidity program, then those of the vault.
 */
export async function createPriceConnection(
  prices: readonly [bigint, bigint, bigint, bigint],
): Promise<{ connection: unknown; signer: unknown }> {
  const { PublicKey } = await import('@solana/web3.js');
  const data = Buffer.alloc(64);
  for (const [at, price] of prices.entries()) data.writeBigUInt64LE(price, at * 16);
  const log = `Program return: jupr81YtYssSyPt8jbnGuiWon5f6x9TcDEFxYe3Bdzi ${data.toString('base64')}`;
  const connection = {
    getLatestBlockhash: async () => ({ blockhash: PublicKey.default.toBase58() }),
    simulateTransaction: async () => ({ value: { err: null, logs: [log] } }),
  };
  return { connection, signer: PublicKey.default };
}

/** Returns the SDK, unmodified, and the constructor of its integers. */
export async function loadBorrowSdk(): Promise<{ sdk: BorrowSdk; big: (value: bigint) => BigNumber }> {
  const sdk: BorrowSdk = await import('@jup-ag/lend/borrow' as string);
  const { default: BN } = await import('bn.js' as string);
  return { sdk, big: (value) => new BN(value.toString()) as BigNumber };
}
