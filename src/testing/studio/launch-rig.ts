import { LaunchKeys } from '../../studio/keys/launch-keys.ts';
import { UploadLinks } from '../../studio/media/upload-links.ts';
import {
  type CraftedLaunch,
  craftLaunch,
  type LaunchCraftDependencies,
  type LaunchRequest,
} from '../../studio/creating/craft-launch.ts';
import type { Address } from '../../solana/address.ts';
import { createKeypairFromSeed, type Keypair } from '../../solana/keypair.ts';
import { addSignatures, parseTransaction } from '../../solana/messages/transaction.ts';
import { SYSTEM_PROGRAM } from '../../solana/program-addresses.ts';
import { type GenesisTestMarket, openTestMarket } from '../genesis-market/open.ts';
import { ManualTimers } from '../timers.ts';
import { MEME_PLAN } from './launch-plans.ts';

export const LAUNCH_CALLER = { kind: 'organisation', id: 'acme' } as const;
/** As long as an address of the gateway may be. */
export const LONG_ORIGIN = `https://${'launch.'.repeat(6)}a.test`;

/** Launches over the genesis market with the programs that they need. */
export class LaunchRig {
  readonly market: GenesisTestMarket;
  readonly creator: Keypair = createKeypairFromSeed(new Uint8Array(32).fill(77));
  readonly partner: Address;
  readonly keys = new LaunchKeys(new Uint8Array(32).fill(5));
  readonly timers = new ManualTimers();
  readonly links: UploadLinks;

  private constructor(market: GenesisTestMarket) {
    this.market = market;
    this.partner = market.network.newWallet();
    const now = () => this.timers.now();
    this.links = new UploadLinks({ key: new Uint8Array(32).fill(6), getOrigin: () => LONG_ORIGIN, now });
    for (const name of ['meteora-dbc', 'token-metadata']) market.network.loadShipped(name);
    this.fund(10_000_000_000n);
  }

  static async open(): Promise<LaunchRig> {
    return new LaunchRig(await openTestMarket('without programs'));
  }

  close(): void {
    this.market.pools.close();
  }

  /** Gives the creator this many lamports. */
  fund(lamports: bigint): void {
    this.market.network.setAccount(this.creator.address, {
      lamports,
      owner: SYSTEM_PROGRAM,
      data: new Uint8Array(),
      executable: false,
      rentEpoch: 0n,
    });
  }

  craft(
    changes: Partial<LaunchRequest> = {},
    dependencies: Partial<LaunchCraftDependencies> = {},
  ): CraftedLaunch {
    const { keys, links, partner, creator, market } = this;
    const request: LaunchRequest = {
      curve: MEME_PLAN,
      names: { name: 'Test Launch', symbol: 'TEST' },
      imageType: 'image/png',
      creator: creator.address,
      ...changes,
    };
    return craftLaunch(
      {
        chain: market.chain,
        keys,
        links,
        partner,
        getOrigin: () => LONG_ORIGIN,
        random: () => 0,
        ...dependencies,
      },
      request,
      LAUNCH_CALLER,
    );
  }

  /** Adds the signature of the creator. */
  sign({ wire }: Pick<CraftedLaunch, 'wire'>): Uint8Array {
    return addSignatures(parseTransaction(wire), [this.creator]);
  }
}
