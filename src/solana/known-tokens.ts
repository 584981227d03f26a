import type { Address } from './address.ts';

export type TokenTag = 'verified' | 'lst' | 'stablecoin' | 'meme' | 'bridged' | 'token-2022';

/** The data of a mint in token lists. All but `program` are those of mainnet. */
export interface TokenInfo {
  readonly mint: Address;
  readonly symbol: string;
  readonly name: string;
  readonly decimals: number;
  readonly program: 'token' | 'token-2022';
  readonly logoURI: string;
  readonly tags: readonly TokenTag[];
  /** Whether the mint has a freeze authority in the embedded network. It has one if its issuer uses one on mainnet. */
  readonly freezable: boolean;
}

export const NATIVE_SYMBOL = 'SOL';

const LEGACY_LIST = 'https://raw.githubusercontent.com/solana-labs/token-list/main/assets/mainnet';

/** The mints of the embedded network, at their mainnet addresses. Append only: the order is part of the genesis. */
export const TOKENS: readonly TokenInfo[] = [
  token('So11111111111111111111111111111111111111112', NATIVE_SYMBOL, 'Wrapped SOL', 9, {
    logo: `${LEGACY_LIST}/So11111111111111111111111111111111111111112/logo.png`,
  }),
  token('EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', 'USDC', 'USD Coin', 6, {
    logo: `${LEGACY_LIST}/EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v/logo.png`,
    tags: ['stablecoin'],
    freezable: true,
  }),
  token('Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB', 'USDT', 'USDT', 6, {
    logo: `${LEGACY_LIST}/Es9vMFrzaCERmJfrF4H2FYD4KCoNkY11McCe8BenwNYB/logo.svg`,
    tags: ['stablecoin'],
    freezable: true,
  }),
  token('JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN', 'JUP', 'Jupiter', 6, {
    logo: 'https://static.jup.ag/jup/icon.png',
  }),
  token('J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', 'JitoSOL', 'Jito Staked SOL', 9, {
    logo: 'https://storage.googleapis.com/token-metadata/JitoSOL-256.png',
    tags: ['lst'],
  }),
  token('mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So', 'mSOL', 'Marinade staked SOL (mSOL)', 9, {
    logo: `${LEGACY_LIST}/mSoLzYCxHdYgdzU16g5QSh3i5K3z3KZK7ytfqcJm7So/logo.png`,
    tags: ['lst'],
  }),
  token('jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v', 'JupSOL', 'Jupiter Staked SOL', 9, {
    logo: 'https://static.jup.ag/jupSOL/icon.png',
    tags: ['lst'],
  }),
  token('5oVNBeEEQvYi1cX3ir8Dx5n1P7pdxydbGF2X4TxVusJm', 'INF', 'Infinity', 9, {
    logo: 'https://cloudflare-ipfs.com/ipfs/bafkreiflz2xxkfn33qjch2wj55bvbn33q3s4mmb6bye5pt3mpgy4t2wg4e',
    tags: ['lst'],
  }),
  token('DezXAZ8z7PnrnRJjz3wXBoRgixCa6xjnB7YaB1pPB263', 'BONK', 'Bonk', 5, {
    logo: 'https://arweave.net/hQiPZOsRZXGXBJd_82PhVdlM_hACsT_q6wqwf5cSY7I?ext=png',
    tags: ['meme'],
  }),
  token('EKpQGSJtjMFqKZ9KQanSqYXRcF8fBopzLHYxdM65zcjm', 'WIF', 'dogwifhat', 6, {
    logo: 'https://bafkreibk3covs5ltyqxa272uodhculbr6kea6betidfwy3ajsav2vjzyum.ipfs.nftstorage.link',
    tags: ['meme'],
  }),
  token('HZ1JovNiVvGrGNiiYvEozEVgZ58xaU3RKwX8eACQBCt3', 'PYTH', 'Pyth Network', 6, {
    logo: 'https://pyth.network/token.svg',
  }),
  token('4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R', 'RAY', 'Raydium', 6, {
    logo: `${LEGACY_LIST}/4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R/logo.png`,
  }),
  token('orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE', 'ORCA', 'Orca', 6, {
    logo: `${LEGACY_LIST}/orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE/logo.png`,
  }),
  token('jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL', 'JTO', 'JITO', 9, {
    logo: 'https://metadata.jito.network/token/jto/image',
  }),
  token('cbbtcf3aa214zXHbiAZQwf4122FBYbraNdFqgw4iMij', 'cbBTC', 'Coinbase Wrapped BTC', 8, {
    logo: 'https://assets.coingecko.com/coins/images/40143/standard/cbbtc.webp',
    tags: ['bridged'],
    freezable: true,
  }),
  token('3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh', 'WBTC', 'Wrapped BTC (Portal)', 8, {
    logo: `${LEGACY_LIST}/3NZ9JMVBmGAqocybic2c7LQCJScmgsAZ6vQqTDzcqmJh/logo.png`,
    tags: ['bridged'],
  }),
  token('7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs', 'WETH', 'Ether (Portal)', 8, {
    logo: `${LEGACY_LIST}/7vfCXTUXx5WJV5JADk17DUJ4ksgau7utNKj4b963voxs/logo.png`,
    tags: ['bridged'],
  }),
  token('rndrizKT3MK1iimdxRdWabcF7Zg7AR5T4nud4EkHBof', 'RENDER', 'Render Token', 8, {
    logo: 'https://shdw-drive.genesysgo.net/5zseP54TGrcz9C8HdjZwJJsZ6f3VbP11p1abwKWGykZH/rndr.png',
  }),
  token('hntyVP6YFm1Hg25TN9WGLqM12b8TQmcknKrdu1oxWux', 'HNT', 'Helium Network Token', 8, {
    logo: 'https://shdw-drive.genesysgo.net/CsDkETHRRR1EcueeN346MJoqzymkkr7RFjMqGpZMzAib/hnt.png',
  }),
  token('27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'JLP', 'Jupiter Perps', 6, {
    logo: 'https://static.jup.ag/jlp/icon.png',
  }),
  token('2b1kV6DkPAnxd5ixfnxCpjxmKwqjjaYmCZfHsFu24GXo', 'PYUSD', 'PayPal USD', 6, {
    logo: 'https://424565.fs1.hubspotusercontent-na1.net/hubfs/424565/PYUSDLOGO.png',
    program: 'token-2022',
    tags: ['stablecoin', 'token-2022'],
    freezable: true,
  }),
  token('CKfatsPMUf8SkiURsDXs7eK6GWb4Jsd6UDbs7twMCWxo', 'BERN', 'BonkEarn', 5, {
    logo: 'https://i.imgur.com/nd9AVZ4.jpeg',
    program: 'token-2022',
    tags: ['meme', 'token-2022'],
  }),
  token('JuprjznTrTSp2UFa3ZBUFgwdAmtZCq4MQCwysN55USD', 'JupUSD', 'Jupiter USD', 6, {
    logo: 'https://static.jup.ag/jupusd/icon.png',
    tags: ['stablecoin'],
  }),
];

const BY_SYMBOL: ReadonlyMap<string, TokenInfo> = new Map(
  TOKENS.map((info) => [info.symbol.toLowerCase(), info]),
);
const BY_MINT: ReadonlyMap<string, TokenInfo> = new Map(TOKENS.map((info) => [info.mint, info]));

/**
 * @param symbol - The symbol in any letter case.
 * @returns The token, or null if the genesis has no such token.
 *
 * @example
 * ```ts
 * import { findTokenBySymbol } from './known-tokens.ts';
 *
 * findTokenBySymbol('usdc')?.decimals; // 6
 * ```
 */
export function findTokenBySymbol(symbol: string): TokenInfo | null {
  return BY_SYMBOL.get(symbol.toLowerCase()) ?? null;
}

export function findTokenByMint(mint: Address): TokenInfo | null {
  return BY_MINT.get(mint) ?? null;
}

interface Details {
  readonly logo: string;
  readonly program?: TokenInfo['program'];
  readonly tags?: readonly TokenTag[];
  readonly freezable?: boolean;
}

function token(mint: string, symbol: string, name: string, decimals: number, details: Details): TokenInfo {
  return {
    mint: mint as Address,
    symbol,
    name,
    decimals,
    program: details.program ?? 'token',
    logoURI: details.logo,
    tags: ['verified', ...(details.tags ?? [])],
    freezable: details.freezable ?? false,
  };
}

/** Whether a token is known as one that keeps the value of a currency. */
export function isStablecoin(mint: Address): boolean {
  return findTokenByMint(mint)?.tags.includes('stablecoin') ?? false;
}

/** @throws Error when the genesis has no token with this symbol. */
export function getGenesisToken(symbol: string): TokenInfo {
  const token = findTokenBySymbol(symbol);
  if (token === null) throw new Error(`the genesis has no token ${symbol}`);
  return token;
}
