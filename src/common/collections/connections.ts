import type { Server, Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { isWithinFairShare } from './fair-share.ts';

export interface ConnectionLimits {
  /** Connections at once. */
  readonly max: number;
  /** One network may have so many times the connections that it leaves free. */
  readonly factor: number;
  /**
   * Addresses through which many clients come, as those of proxies: they have no share but all of `max`, and their idle
   * connections are not closed for the sake of others. Default: none.
   */
  readonly isExempt?: (address: string) => boolean;
}

/** One connection of a `ConnectionTable`. */
export interface Connection {
  /** Requests, calls or subscriptions on it; without any it is idle, and may be closed to make room. */
  requests: number;
}

interface Entry extends Connection {
  readonly network: Network;
  readonly close: () => void;
}

/** The connections of one IPv4 address or one /64 network of IPv6 addresses, the oldest first. */
interface Network {
  readonly id: string;
  readonly isExempt: boolean;
  readonly entries: Set<Entry>;
}

/** Connections that are looked at to find an idle one, so that a newcomer costs little when there is none. */
const MAX_LOOKED_AT = 1_000;

/**
 * The connections of one port, bounded in all and for each network. Where a newcomer finds no room, the oldest idle
 * connection of the most crowded network is closed for it; where there is none, the newcomer is refused.
 */
export class ConnectionTable {
  readonly #limits: ConnectionLimits;
  readonly #networks = new Map<string, Network>();
  /** Networks that are not exempt by how many connections they have. */
  readonly #bySize = new Map<number, Set<Network>>();
  #maxSize = 0;
  #count = 0;

  constructor(limits: ConnectionLimits) {
    this.#limits = limits;
  }

  get count(): number {
    return this.#count;
  }

  /**
   * What it spends is one of `max` connections, within the share of the address's network.
   * @param address of the peer, as the system writes it
   * @param close called when the connection must make room; it does not count any more then
   * @returns null when there is no room; otherwise the connection, to be removed when it is closed
   */
  add(address: string, close: () => void): Connection | null {
    const id = networkOf(address);
    const network = this.#networks.get(id) ?? {
      id,
      isExempt: this.#limits.isExempt?.(address) ?? false,
      entries: new Set<Entry>(),
    };
    if (!this.#hasRoomFor(network) && !this.#makeRoomFor(network)) return null;
    const entry: Entry = { requests: 0, network, close };
    this.#networks.set(id, network);
    this.#resize(network, () => network.entries.add(entry));
    this.#count++;
    return entry;
  }

  /** Of no effect when it is gone already. */
  remove(connection: Connection): void {
    const { network } = connection as Entry;
    if (!network.entries.has(connection as Entry)) return;
    this.#resize(network, () => network.entries.delete(connection as Entry));
    if (network.entries.size === 0) this.#networks.delete(network.id);
    this.#count--;
  }

  #hasRoomFor({ isExempt, entries }: Network): boolean {
    const free = this.#limits.max - this.#count;
    return isExempt ? free > 0 : isWithinFairShare(entries.size, 1, free, this.#limits.factor);
  }

  #makeRoomFor(network: Network): boolean {
    const victim = this.#idleOfMoreCrowded(network) ?? oldestIdle(network.entries, MAX_LOOKED_AT);
    if (victim === null) return false;
    this.remove(victim);
    victim.close();
    return true;
  }

  /** The oldest idle connection of the most crowded network that stays no smaller than `network` becomes. */
  #idleOfMoreCrowded({ isExempt, entries }: Network): Entry | null {
    const minSize = isExempt || entries.size === 0 ? 1 : entries.size + 2;
    let lookedAt = 0;
    for (let size = this.#maxSize; size >= minSize; size--) {
      for (const crowded of this.#bySize.get(size) ?? []) {
        const idle = oldestIdle(crowded.entries, MAX_LOOKED_AT - lookedAt);
        if (idle !== null) return idle;
        lookedAt += size;
        if (lookedAt >= MAX_LOOKED_AT) return null;
      }
    }
    return null;
  }

  #resize(network: Network, change: () => void): void {
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

function oldestIdle(entries: ReadonlySet<Entry>, maxLookedAt: number): Entry | null {
  let left = maxLookedAt;
  for (const entry of entries) {
    if (left-- === 0) return null;
    if (entry.requests === 0) return entry;
  }
  return null;
}

const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
/** One customer's line has at least a /64, and within it any number of addresses. */
const NETWORK_GROUPS = 4;
const IPV6_GROUPS = 8;

/** The IPv4 address, or the /64 network of an IPv6 address, as the system writes addresses of sockets. */
export function networkOf(address: string): string {
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
type Marked = { [CONNECTION]?: Connection };

/** Stands for connections that nobody bounds, as those of requests that are injected. */
const UNBOUNDED: Connection = { requests: 0 };

/** The connection that a socket is for the port that bounds it. */
export function connectionOf(socket: object): Connection {
  return (socket as Marked)[CONNECTION] ?? UNBOUNDED;
}

/** Sockets that were closed to make room, and whose end the server has not seen yet. */
const MIN_SPARE = 64;

/**
 * Bounds the connections of a server, also of one that speaks TLS. Whoever serves them counts `requests` of
 * `connectionOf` the socket, or all of them are idle.
 */
export function boundConnections(server: Server, limits: ConnectionLimits): ConnectionTable {
  const table = new ConnectionTable(limits);
  /** Called with the socket that speaks TLS when the handshake is over, by the peer's address and port. */
  const shaking = new Map<string, (secured: TLSSocket) => void>();
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
    (socket as Marked)[CONNECTION] = connection;
    const peer = peerOf(socket);
    const remove = () => {
      shaking.delete(peer);
      table.remove(connection);
    };
    socket.once('close', remove);
    if (!isTls) return;
    shaking.set(peer, (secured) => {
      current = secured;
      (secured as Marked)[CONNECTION] = connection;
      secured.once('close', remove);
    });
  });
  server.on('secureConnection', (socket: TLSSocket) => shaking.get(peerOf(socket))?.(socket));
  return table;
}

function peerOf({ remoteAddress, remotePort }: Socket): string {
  return `${remoteAddress}:${remotePort}`;
}
