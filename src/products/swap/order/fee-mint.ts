import { type Address, address } from '../../../solana/address.ts';
import { WRAPPED_SOL_MINT } from '../../../solana/program-addresses.ts';

/** What fees are rather collected in, first to last: SOL, stablecoins, staked SOL, large tokens. */
const PREFERRED: readonly Address[] = [
  WRAPPED_SOL_MINT,
  address('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'), // USDC
  address('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB'), // USDT
  address('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo'), // PYUSD
  address('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn'), // JitoSOL
  address('jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v'), // JupSOL
  address('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So'), // mSOL
  address('5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm'), // INF
  address('cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij'), // cbBTC
  address('3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh'), // WBTC
  address('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs'), // WETH
  address('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'), // JUP
];
const RANKS: ReadonlyMap<Address, number> = new Map(PREFERRED.map((mint, rank) => [mint, rank]));

/** The one of the two that a sponsor takes its fee in, of the mints that its operator listed; null when neither is. */
export function sponsorFeeMint(
  listed: ReadonlySet<Address>,
  inputMint: Address,
  outputMint: Address,
): Address | null {
  if (listed.has(inputMint) && listed.has(outputMint)) return feeMint(inputMint, outputMint);
  if (listed.has(inputMint)) return inputMint;
  return listed.has(outputMint) ? outputMint : null;
}

/** The one of the two that a fee is collected in: the more preferred, and the output where neither is. */
export function feeMint(inputMint: Address, outputMint: Address): Address {
  const rank = (mint: Address) => RANKS.get(mint) ?? PREFERRED.length;
  return rank(inputMint) < rank(outputMint) ? inputMint : outputMint;
}
