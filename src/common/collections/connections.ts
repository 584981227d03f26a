import type { Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isWithinFairShare } from './fair-shares.ts';

export interface ConnectionLimits {
  /** The maximum number of connections. */
  readonly max: number;
  /** One network may hold at most this many times the connections that it leaves free. */
  readonly factor: number;
  /**
   * Whether an address serves many clients, like that of a proxy. Such addresses may use all of `max`, and their idle
   * connections are not closed to make room. Default: none.
   */
  readonly isExempt?: (address: string) => boolean;
}

/** One connection of a `ConnectionTable`. */
export interface Connection {
  /** The number of requests, calls or subscriptions on it. An idle connection, with 0, may be closed to make room. */
  requests: number;
}

interface ConnectionEntry extends Connection {
  readonly network: NetworkConnections;
  readonly close: () => void;
}

/** The connections of one IPv4 address or one /64 network of IPv6 addresses, the oldest first. */
interface NetworkConnections {
  readonly id: string;
  readonly isExempt: boolean;
  readonly entries: Set<ConnectionEntry>;
}

/** The maximum number of connections that are searched for an idle one, which bounds the cost of a new connection. */
const MAX_SEARCHED = 1_000;

/**
 * The connections of one port, limited in total and per network. When there is no room for a new connection, the oldest
 * idle connection of the most crowded network is closed. When there is none, the new connection is refused.
 */
export class ConnectionTable {
  readonly #limits: ConnectionLimits;
  readonly #networks = new Map<string, NetworkConnections>();
  /** The networks that are not exempt, by their number of connections. */
  readonly #bySize = new Map<number, Set<NetworkConnections>>();
  #maxSize = 0;
  #count = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * Adds a connection, within the share of the address's network.
   *
   * @param address - The peer's address, as the system formats it.
   * @param close - Called when the connection has to make room. It is removed from the table already.
   * @returns The connection, which the caller removes when it is closed, or null when there is no room.
   */
  add(address: string, close: () => void): Connection | null {
    const id = getNetworkAddress(address);
    const network = this.#networks.get(id) ?? {
      id,
      isExempt: this.#limits.isExempt?.(address) ?? false,
      entries: new Set<ConnectionEntry>(),
    };
    if (!this.#hasRoomFor(network) && !this.#makeRoomFor(network)) return null;
    const entry: ConnectionEntry = { requests: 0, network, close };
    this.#networks.set(id, network);
    this.#resize(network, () => network.entries.add(entry));
    this.#count++;
    return entry;
  }

  /** Removes a connection. Does nothing when it was removed already. */
  remove(connection: Connection): void {
    const { network } = connection as ConnectionEntry;
    if (!network.entries.has(connection as ConnectionEntry)) return;
    this.#resize(network, () => network.entries.delete(connection as ConnectionEntry));
    if (network.entries.size === 0) this.#networks.delete(network.id);
    this.#count--;
  }

  /** Closes the connections without a request, also those on which none was ever sent. */
  closeIdle(): void {
    for (const { entries } of [...this.#networks.values()]) {
      for (const entry of [...entries]) {
        if (entry.requests > 0) continue;
        this.remove(entry);
        entry.close();
      }
    }
  }

  #hasRoomFor({ isExempt, entries }: NetworkConnections): boolean {
    const free = this.#limits.max - this.#count;
    return isExempt ? free > 0 : isWithinFairShare(entries.size, 1, free, this.#limits.factor);
  }

  #makeRoomFor(network: NetworkConnections): boolean {
    const victim = this.#idleOfMoreCrowded(network) ?? oldestIdle(network.entries, MAX_SEARCHED);
    if (victim === null) return false;
    this.remove(victim);
    victim.close();
    return true;
  }

  /** Finds the oldest idle connection of the most crowded network that would not become smaller than `network`. */
  #idleOfMoreCrowded({ isExempt, entries }: NetworkConnections): ConnectionEntry | null {
    const minSize = isExempt || entries.size === 0 ? 1 : entries.size + 2;
    let lookedAt = 0;
    for (let size = this.#maxSize; size >= minSize; size--) {
      for (const crowded of this.#bySize.get(size) ?? []) {
        const idle = oldestIdle(crowded.entries, MAX_SEARCHED - lookedAt);
        if (idle !== null) return idle;
        lookedAt += size;
        if (lookedAt >= MAX_SEARCHED) return null;
      }
    }
    return null;
  }

  #resize(network: NetworkConnections, change: () => void): void {
    if (network.isExempt) {
      change();
      return;
    }
    const before = this.#bySize.get(network.entries.size);
    before?.delete(network);
    if (before?.size === 0) this.#bySize.delete(network.entries.size);
    change();
    const { size } = network.entries;
    if (size > 0) {
      const same = this.#bySize.get(size) ?? new Set();
      this.#bySize.set(size, same.add(network));
    }
    // A network grows or shrinks by one.
    if (size > this.#maxSize) this.#maxSize = size;
    else if (!this.#bySize.has(this.#maxSize)) this.#maxSize = Math.max(0, this.#maxSize - 1);
  }
}

function oldestIdle(entries: ReadonlySet<ConnectionEntry>, maxLookedAt: number): ConnectionEntry | null {
  let left = maxLookedAt;
  for (const entry of entries) {
    if (left-- === 0) return null;
    if (entry.requests === 0) return entry;
  }
  return null;
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** A customer's line has at least a /64, with any number of addresses in it. */
const NETWORK_GROUPS = 4;
const IPV6_GROUPS = 8;

/** Returns the IPv4 address itself, or the /64 network of an IPv6 address, for a socket's address. */
export function getNetworkAddress(address: string): string {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return mapped;
  if (!address.includes(':')) return address;
  const [head = '', tail = ''] = (address.split('%', 1)[0] ?? '').split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === '' ? [] : tail.split(':');
  const zeros = new Array<string>(Math.max(0, IPV6_GROUPS - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after].slice(0, NETWORK_GROUPS).join(':');
}

const CONNECTION = Symbol('connection');
type MarkedSocket = { [CONNECTION]?: Connection };

/** Shared by all connections without a limit, such as those of injected requests in tests. */
const UNBOUNDED: Connection = { requests: 0 };

/** Returns the table entry of a socket. */
export function getConnection(socket: object): Connection {
  return (socket as MarkedSocket)[CONNECTION] ?? UNBOUNDED;
}

/** Clients that pipeline at all have some ten requests open. */
const MAX_PIPELINED = 64;

/**
 * Whether a client has sent so many HTTP/1.1 requests on a connection without waiting for answers that it should be
 * closed. Node reads megabytes of requests from one connection before it turns to the next one.
 */
export function isFlooded(connection: Connection): boolean {
  return connection !== UNBOUNDED && connection.requests >= MAX_PIPELINED;
}

/** Room for sockets that were closed to make room but that the server still counts. */
const MIN_SPARE = 64;

/**
 * Limits the connections of a server, with or without TLS. The server's handlers have to count the `requests` of
 * `getConnection(socket)`; otherwise all connections are idle.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): ConnectionTable {
  const table = new ConnectionTable(limits);
  /** By the peer's address and port, called with the TLS socket after the handshake. */
  const handshakes = new Map<string, (secured: TLSSocket) => void>();
  const isTls = 'setSecureContext' in server;
  server.maxConnections = limits.max + Math.max(MIN_SPARE, Math.ceil(limits.max / 8));
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    let current = socket;
    const connection = remoteAddress === undefined ? null : table.add(remoteAddress, () => current.destroy());
    if (connection === null) {
      socket.destroy();
      return;
    }
    (socket as MarkedSocket)[CONNECTION] = connection;
    const peer = formatRemoteAddress(socket);
    const remove = () => {
      handshakes.delete(peer);
      table.remove(connection);
    };
    socket.once('close', remove);
    if (!isTls) return;
    handshakes.set(peer, (secured) => {
      current = secured;
      (secured as MarkedSocket)[CONNECTION] = connection;
      secured.once('close', remove);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => handshakes.get(formatRemoteAddress(socket))?.(socket));
  return table;
}

function formatRemoteAddress({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
