import { type Address, address } from '../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../solana/program-addresses.ts';

/** The kinds of tokens that fees distinguish. */
export type MintClass = 'SOL' | 'stablecoin' | 'staked SOL' | 'large' | 'other';

/** The mints of each class. Fees are collected in the first of the pair's two mints. */
const LISTED: readonly (readonly [Address, MintClass])[] = [
  [WRAPPED_SOL_MINT, 'SOL'],
  [address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), 'stablecoin'], // USDC
  [address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), 'stablecoin'], // USDT
  [address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'), 'stablecoin'], // PYUSD
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

/** @returns whether the token is one of the house's own, whose buyers pay no fee */
export function isHouseToken(mint: Address): boolean {
  return HOUSE_TOKENS.has(mint);
}

/**
 * @returns the mint that a fee is collected in: the one that is listed first, or the output mint if neither is listed
 */
export function chooseFeeMint(inputMint: Address, outputMint: Address): Address {
  const rank = (mint: Address) => RANKS.get(mint) ?? LISTED.length;
  return rank(inputMint) < rank(outputMint) ? inputMint : outputMint;
}
