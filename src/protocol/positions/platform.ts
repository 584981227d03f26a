/** A platform whose positions a wallet may have, under its public id. */
export interface PositionPlatform {
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
