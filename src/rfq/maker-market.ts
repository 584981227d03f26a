import type { Address } from '../solana/address.ts';
import type { Chain } from '../chain/chain.ts';
import type { PeerRequests } from '../common/ports/peer-requests.ts';
import type { Broadcast } from '../common/ports/message-transport.ts';
import type { Timers } from '../common/ports/timers.ts';
import type { WatchedAccountSource } from '../market/pools/watched-accounts.ts';
import { Books, createBookVersions } from './books/books.ts';
import { Inventory } from './books/inventory.ts';
import type { LiveBooks } from './books/live-book.ts';
import { MakerQuotes } from './books/quotes.ts';
import { Reservations, type ReservedInventory } from './books/reservations.ts';
import type { SnapshotCluster } from './books/snapshot.ts';
import { exchangeBooks, createOwnBookExchange, type BookListing } from './cluster/shared-books.ts';
import type { MakerStore } from './makers/maker.ts';
import { type MakerOwners, SOLE_OWNER } from './makers/maker-owners.ts';
import type { BreakerPolicy } from './makers/maker-state.ts';
import { Makers } from './makers/makers.ts';

/** The connection to the other instances. */
export interface RfqPeers {
  readonly owners: MakerOwners;
  readonly requests: PeerRequests;
  readonly broadcast: Broadcast;
}

export interface MakerMarketOptions {
  readonly chain: WatchedAccountSource & Pick<Chain, 'genesisHash'>;
  readonly store: MakerStore;
  readonly timers: Timers;
  readonly breaker: BreakerPolicy;
  /** Null if this is the only instance. */
  readonly peers: RfqPeers | null;
  /** Reserves what another process has reserved of the inventory of a maker that connects to this one. */
  readonly recall: (makerId: string, reservations: Reservations) => Promise<void>;
  /** Whether the maker has a stream to this process. */
  readonly hasStream: (makerId: string) => boolean;
  /** Called when a maker that this process owned has another process as its owner, or was removed. */
  readonly onLost: (makerId: string, isRemoved: boolean) => void;
  /** The price of an atom of a mint in US dollars, as market data has it, for warnings; null if unknown. Default: none is known. */
  readonly dollarsPerAtom?: (mint: Address) => number | null;
  readonly onDefect: (where: string, error: unknown) => void;
}

/** The makers with their order books, inventory and reservations. */
export interface MakerMarket {
  readonly makers: Makers;
  /** Knows which instance owns which maker. */
  readonly owners: MakerOwners;
  /** The order books of makers at this instance. */
  readonly ownBooks: Books;
  /** The order books of makers at all instances. */
  readonly allBooks: LiveBooks & BookListing;
  /** Reserved inventory of makers at this instance. */
  readonly reservations: Reservations;
  /** Reserved inventory of makers at all instances. */
  readonly reserved: ReservedInventory;
  /** Takes the snapshots of makers into the order books. */
  readonly quotes: MakerQuotes;
  /** The network whose name the makers' snapshots must carry. */
  readonly cluster: SnapshotCluster;
  /** Called when a stream of the maker is gone: if it was the last one, the maker is left to other processes. */
  readonly release: (makerId: string) => void;
  /** Writes what is still unwritten. All streams must have ended. */
  readonly close: () => Promise<void>;
}

const DEVNET_GENESIS = 'EtWTRABZaYq6iMfeYKouRu166VU2xqa1wcaWoxPkrZBG';

/** Opens the makers' order books, with everything that a snapshot is checked against. */
export async function openMakerMarket(options: MakerMarketOptions): Promise<MakerMarket> {
  const { chain, store, timers, breaker, peers, recall, hasStream, onLost } = options;
  const { dollarsPerAtom = () => null } = options;
  const onDefect = (where: string) => (error: unknown) => options.onDefect(where, error);
  const owners = peers?.owners ?? SOLE_OWNER;
  const nextVersion = createBookVersions();
  const books = new Books(timers, nextVersion);
  const reservations = new Reservations(books, () => timers.now());
  const makers = await Makers.open({
    store,
    owners,
    timers,
    breaker,
    hasStream,
    recall: (makerId) => recall(makerId, reservations),
    onLost,
    onDefect: onDefect('makers'),
  });
  const exchange =
    peers === null
      ? createOwnBookExchange(books, reservations)
      : await exchangeBooks({
          own: books,
          ownReserved: reservations,
          self: peers.requests.self,
          broadcast: peers.broadcast,
          timers,
          nextVersion,
          onDefect: onDefect('books'),
        });
  const inventory = new Inventory(chain);
  // Every network but devnet counts as mainnet: the embedded network stands in for mainnet.
  const cluster = chain.genesisHash === DEVNET_GENESIS ? 'devnet' : 'mainnet';
  const quotes = new MakerQuotes({ makers, books, inventory, timers, cluster, dollarsPerAtom });
  return {
    makers,
    owners,
    ownBooks: books,
    allBooks: exchange.market,
    reservations,
    reserved: exchange.reserved,
    quotes,
    cluster,
    release: (makerId) => {
      if (hasStream(makerId)) return;
      inventory.release(makerId);
      makers.release(makerId);
    },
    close: async () => {
      quotes.close();
      exchange.close();
      books.close();
      inventory.close();
      await makers.close();
      await owners.close();
    },
  };
}
