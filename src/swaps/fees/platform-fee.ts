import type { Pools } from '../../market/pools/pools.ts';
import { type Address, address } from '../../solana/address.ts';
import { TOKEN_PROGRAM, WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';
import { type Bps, bps } from '../../solana/units.ts';
import type { TokenAccountMints } from '../../transactions/token-account-mints.ts';
import { SwapRefused } from '../refusals.ts';
import type { InstructionVersion } from '../../market/aggregator/route-plan.ts';

/**
 * The fee of an integrator, a referrer or the house. The mint of the collecting account decides whether it is taken
 * from input or output.
 */
export interface PlatformFee {
  readonly bps: Bps;
  readonly account: Address;
  readonly mint: Address;
  readonly side: 'input' | 'output';
  /** Rounded down, as the aggregator does. */
  readonly amountOf: (amount: bigint) => bigint;
}

/** The input and output mints of a swap. */
export interface SwapPair {
  readonly inputMint: Address;
  readonly outputMint: Address;
}

/**
 * Returns null when no fee is requested.
 * @throws SwapRefused when the account cannot collect the fee
 */
export async function findPlatformFee(
  mints: TokenAccountMints,
  request: SwapPair & { readonly platformFee: { readonly bps: Bps; readonly account: Address } | undefined },
): Promise<PlatformFee | null> {
  if (request.platformFee === undefined) return null;
  const { bps, account } = request.platformFee;
  const mint = await mints.of(account);
  if (mint !== request.inputMint && mint !== request.outputMint) {
    throw new SwapRefused({ kind: 'fee-account-of-other-mint', account, mint });
  }
  return createPlatformFee(account, mint, bps, request.inputMint);
}

/**
 * @throws SwapRefused when the instructions of `V1`, which know one token program, are to collect a fee of the other
 */
export function checkFeeProgram(pools: Pools, fee: PlatformFee | null, version: InstructionVersion): void {
  if (fee === null || version === 'V2' || pools.account(fee.mint)?.owner === TOKEN_PROGRAM) return;
  throw new SwapRefused({ kind: 'fee-in-token-2022-by-v1', mint: fee.mint });
}

/** The fees of a quote. */
export interface QuotedFees {
  /** The mint that a fee is collected in, or would be. */
  readonly mint: Address;
  /** The rate of the integrator or the house. */
  readonly platformBps: Bps;
  /** The amount at that rate, in atoms of `mint`. */
  readonly platformAmount: bigint;
  /** The rate that the taker is charged for gas that a sponsor pays. */
  readonly gasBps: Bps;
}

/**
 * @param platform - The fee of an integrator or the house; null without one.
 * @param gas - The fee that pays a sponsor back; null without a sponsor.
 * @param amounts - What the taker pays and what the route pays out, before any fee.
 */
export function computeQuotedFees(
  { inputMint, outputMint }: SwapPair,
  { platform, gas }: { readonly platform: PlatformFee | null; readonly gas: PlatformFee | null },
  { paid, out }: { readonly paid: bigint; readonly out: bigint },
): QuotedFees {
  return {
    mint: platform?.mint ?? gas?.mint ?? chooseFeeMint(inputMint, outputMint),
    platformBps: platform?.bps ?? bps(0),
    platformAmount: platform === null ? 0n : platform.amountOf(platform.side === 'input' ? paid : out),
    gasBps: gas?.bps ?? bps(0),
  };
}

/** A fee into an account of `mint`, which is the input or the output mint. */
export function createPlatformFee(
  account: Address,
  mint: Address,
  bps: Bps,
  inputMint: Address,
): PlatformFee {
  const side = mint === inputMint ? 'input' : 'output';
  return { bps, account, mint, side, amountOf: (amount) => (amount * BigInt(bps)) / 10_000n };
}

/** The kinds of tokens that fees distinguish. */
export type MintClass = 'SOL' | 'stablecoin' | 'staked SOL' | 'large' | 'other';

/** The mints of each class. Fees are collected in the first of the pair's two mints. */
const LISTED: readonly (readonly [Address, MintClass])[] = [
  [WRAPPED_SOL_MINT, 'SOL'],
  [address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), 'stablecoin'], // USDC
  [address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), 'stablecoin'], // USDT
  [address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'), 'stablecoin'], // PYUSD
  [address('JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD'), 'stablecoin'], // JupUSD
  [address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'), 'staked SOL'], // JitoSOL
  [address('jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v'), 'staked SOL'], // JupSOL
  [address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'), 'staked SOL'], // mSOL
  [address('5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm'), 'staked SOL'], // INF
  [address('cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij'), 'large'], // cbBTC
  [address('3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh'), 'large'], // WBTC
  [address('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs'), 'large'], // WETH
  [address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), 'large'], // JUP
];

const CLASSES: ReadonlyMap<Address, MintClass> = new Map(LISTED);
const RANKS: ReadonlyMap<Address, number> = new Map(LISTED.map(([mint], rank) => [mint, rank]));

/** Tokens of the public service's own house. */
const HOUSE_TOKENS: ReadonlySet<Address> = new Set([
  address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), // JUP
  address('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4'), // JLP
  address('jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v'), // JupSOL
]);

export function getMintClass(mint: Address): MintClass {
  return CLASSES.get(mint) ?? 'other';
}

/** Whether the token is one of the house's own, whose buyers pay no fee. */
export function isHouseToken(mint: Address): boolean {
  return HOUSE_TOKENS.has(mint);
}

/** Returns the mint that a fee is collected in: the one that is listed first, or the output mint if neither is listed. */
export function chooseFeeMint(inputMint: Address, outputMint: Address): Address {
  const rank = (mint: Address) => RANKS.get(mint) ?? LISTED.length;
  return rank(inputMint) < rank(outputMint) ? inputMint : outputMint;
}
