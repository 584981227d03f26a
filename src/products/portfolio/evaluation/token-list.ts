import type { Address } from '../../../solana/address.ts';
import {
  type DisplayMetadata,
  readMetadataAccount,
  readMintMetadata,
} from '../../../solana/programs/token-metadata/display.ts';
import { deriveMetadataAddress } from '../../../solana/programs/token-metadata/program.ts';
import type { WalletMint, WalletReader } from '../../../protocol/positions/fetcher.ts';

/** The description of a mint for display. */
export interface TokenDescription {
  readonly mint: Address;
  readonly name: string;
  readonly symbol: string;
  readonly decimals: number;
  readonly logoURI: string | null;
  readonly tags: readonly string[];
}

/** A token on the operator's list, or on the list of known tokens. */
export type ListedDescription = Pick<TokenDescription, 'name' | 'symbol' | 'tags' | 'logoURI'>;

/** Mints beyond this many are described without their metadata accounts, whose addresses take time to derive. */
const MAX_METADATA = 200;

/**
 * Describes mints by the list of known tokens, or else by the metadata in the mint or at the metadata program. Each
 * mint is described once, while other fetchers are still reading.
 */
export class TokenDescriptions {
  readonly #wallet: WalletReader;
  readonly #listed: (mint: Address) => ListedDescription | null;
  readonly #known = new Map<Address, TokenDescription>();
  #metadataReads = 0;

  /** @param listed - Returns null for a mint that is not on the list. */
  constructor(wallet: WalletReader, listed: (mint: Address) => ListedDescription | null) {
    this.#wallet = wallet;
    this.#listed = listed;
  }

  get(mint: Address): TokenDescription | undefined {
    return this.#known.get(mint);
  }

  /** Adds mints. If the metadata of a mint cannot be read now, the mint is described without it. */
  async add(mints: ReadonlyMap<Address, WalletMint>): Promise<void> {
    const asked: WalletMint[] = [];
    for (const mint of mints.values()) {
      if (this.#known.has(mint.address)) continue;
      const token = this.#listed(mint.address);
      const own = token === null ? readMintMetadata(mint.address, mint.extensions) : null;
      const { address, decimals } = mint;
      const description =
        token === null
          ? createDescription(mint, own)
          : { mint: address, decimals, ...toListedDescription(token) };
      this.#known.set(address, description);
      if (token !== null || own !== null || this.#metadataReads >= MAX_METADATA) continue;
      this.#metadataReads++;
      asked.push(mint);
    }
    const accounts = await this.#wallet
      .accounts(asked.map(({ address }) => deriveMetadataAddress(address)))
      .catch(() => []);
    for (const [index, mint] of asked.entries()) {
      const metadata = readMetadataAccount(accounts[index] ?? null);
      if (metadata !== null) this.#known.set(mint.address, createDescription(mint, metadata));
    }
  }
}

function toListedDescription({ name, symbol, logoURI, tags }: ListedDescription) {
  return { name, symbol, logoURI, tags };
}

/** A mint without a name is displayed with the first and last characters of its address. */
function createDescription(
  { address, decimals }: WalletMint,
  metadata: DisplayMetadata | null,
): TokenDescription {
  return {
    mint: address,
    decimals,
    name: metadata?.name || 'Unknown token',
    symbol: metadata?.symbol || `${address.slice(0, 4)}…${address.slice(-4)}`,
    logoURI: null,
    tags: [],
  };
}
