/** A platform whose positions a wallet may have, under its public id. */
export interface Platform {
  readonly id: string;
  readonly name: string;
  /** A URL. */
  readonly image: string;
  readonly description: string;
  readonly defiLlamaId?: string;
  readonly isDeprecated: boolean;
  /** Mints that the platform issues. */
  readonly tokens?: readonly string[];
  readonly tags: readonly string[];
  readonly links: PlatformLinks;
}

/** URLs of a platform's pages and channels. Source: the platforms' pages, and npm `@jup-ag/platform-list` 1.2.26. */
export interface PlatformLinks {
  readonly website: string;
  readonly documentation?: string;
  readonly github?: string;
  readonly twitter?: string;
  readonly discord?: string;
  readonly telegram?: string;
  readonly medium?: string;
}

const JUPITER_CHANNELS = {
  github: 'https://github.com/jup-ag',
  twitter: 'https://twitter.com/JupiterExchange',
  discord: 'https://discord.gg/jup',
};

/** Every platform that some fetcher reads. A test holds that none is missing. */
export const PLATFORMS: readonly Platform[] = [
  {
    id: 'wallet-tokens',
    name: 'Wallet',
    image: 'https://solana.com/favicon.ico',
    description: 'The native coin and the tokens of both token programs that the wallet itself holds.',
    isDeprecated: false,
    tags: ['wallet'],
    links: { website: 'https://solana.com/' },
  },
  {
    id: 'wallet-nfts',
    name: 'NFTs',
    image: 'https://solana.com/favicon.ico',
    description: 'The collectibles that the wallet itself holds.',
    isDeprecated: false,
    tags: ['wallet'],
    links: { website: 'https://solana.com/' },
  },
  {
    id: 'native-stake',
    name: 'Validators',
    image: 'https://solana.com/favicon.ico',
    description: 'Native coin that is delegated to validators by stake accounts.',
    isDeprecated: false,
    tags: ['dapp'],
    links: {
      website: 'https://solana.com/staking',
      documentation: 'https://solana.com/docs/references/staking',
    },
  },
  {
    id: 'jupiter-exchange',
    name: 'Jupiter',
    image: 'https://static.jup.ag/jup/icon.png',
    description: 'Orders, perpetuals, locks and lending of the Jupiter programs.',
    defiLlamaId: 'parent#jupiter',
    isDeprecated: false,
    tokens: ['27G8MtK7VtTcCHkpASjSDdkWWYfoqT6ggEuKidVJidD4', 'jupSoLaHXQiZZTSfEWMTRRgpnyFm8f6sZdosWBjx93v'],
    tags: ['dapp'],
    links: { website: 'https://jup.ag/', ...JUPITER_CHANNELS },
  },
  {
    id: 'jupiter-governance',
    name: 'Jupiter DAO',
    image: 'https://static.jup.ag/jup/icon.png',
    description: 'JUP that is staked to vote.',
    isDeprecated: false,
    tokens: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    tags: ['dao'],
    links: { website: 'https://vote.jup.ag/', twitter: 'https://x.com/jup_dao' },
  },
  {
    id: 'jupiter-jupuary',
    name: 'Jupuary',
    image: 'https://static.jup.ag/jup/icon.png',
    description:
      'What airdrops of the Jupiter distributor still owe to wallets that have claimed a part of them.',
    isDeprecated: false,
    tokens: ['JUPyiwrYJFskUPiHa7hkeR8VUtAeFoSYbKedZNsDvCN'],
    tags: ['dao'],
    links: {
      website: 'https://jup.ag/',
      ...JUPITER_CHANNELS,
      github: 'https://github.com/jup-ag/distributor',
    },
  },
  {
    id: 'jito',
    name: 'Jito',
    image: 'https://www.jito.network/favicon.ico',
    description: 'The rewards of block space auctions that arrived at stake accounts and can be withdrawn.',
    defiLlamaId: 'parent#jito',
    isDeprecated: false,
    tokens: ['J1toso1uCk3RLmjorhTtrVwY9HJ7X8V9yYac6Y7kGCPn', 'jtojtomepa8beP8AuQc6eXt5FriJwfFMwQx2v2f9mCL'],
    tags: ['lst'],
    links: {
      website: 'https://www.jito.network/',
      documentation: 'https://www.jito.network/docs/jitosol/overview/',
      github: 'https://github.com/jito-foundation',
      twitter: 'https://twitter.com/jito_sol',
      discord: 'https://discord.gg/jito',
      medium: 'https://medium.com/@Jito-Foundation',
    },
  },
  {
    id: 'raydium',
    name: 'Raydium',
    image: 'https://raydium.io/favicon.ico',
    description: 'Liquidity of constant-product pools.',
    defiLlamaId: 'parent#raydium',
    isDeprecated: false,
    tokens: ['4k3Dyjzvzp8eMZWUXbBCjEvwSkkk59S5iCNLY3QrkX6R'],
    tags: ['dex'],
    links: {
      website: 'https://raydium.io/',
      documentation: 'https://docs.raydium.io/',
      github: 'https://github.com/raydium-io',
      discord: 'https://discord.com/invite/raydium',
      telegram: 'https://t.me/raydiumprotocol',
    },
  },
  {
    id: 'orca',
    name: 'Orca',
    image: 'https://www.orca.so/favicon.ico',
    description: 'Positions of concentrated liquidity in Whirlpools.',
    defiLlamaId: 'orca-dex',
    isDeprecated: false,
    tokens: ['orcaEKTdK7LKz57vaAYr9QeNsVEPfiu6QeMU1kektZE'],
    tags: ['dex'],
    links: {
      website: 'https://www.orca.so/',
      documentation: 'https://docs.orca.so/',
      github: 'https://github.com/orca-so',
      twitter: 'https://twitter.com/orca_so',
      discord: 'https://discord.orca.so/',
      medium: 'https://orca-so.medium.com/',
    },
  },
  {
    id: 'meteora',
    name: 'Meteora',
    image: 'https://www.meteora.ag/favicon.ico',
    description: 'Positions in DAMM v2 pools.',
    defiLlamaId: 'parent#meteora',
    isDeprecated: false,
    tags: ['dex'],
    links: {
      website: 'https://www.meteora.ag/',
      documentation: 'https://docs.meteora.ag/',
      github: 'https://github.com/MeteoraAg',
      twitter: 'https://x.com/MeteoraAG',
      discord: 'https://discord.gg/WwFwsVtvpH',
    },
  },
  {
    id: 'saber',
    name: 'Saber',
    image: 'https://saberdao.io/favicon.ico',
    description: 'Liquidity of pools of equal tokens.',
    defiLlamaId: 'saber',
    isDeprecated: false,
    tags: ['dex'],
    links: { website: 'https://saberdao.io/' },
  },
];
