import { useSyncExternalStore } from 'react';

/** What is kept of a tab. `sessionStorage` is one; where the browser has none, the credentials last until a reload. */
type TabStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

const PREFIX = 'sluice-credential-';

/** The credentials that were entered in this tab, by interface and name. They are gone with the tab. */
export class TabCredentials {
  readonly #storage: TabStorage | null;
  readonly #listeners = new Set<() => void>();
  #generation = 0;
  #values: ReadonlyMap<string, string> = new Map();

  constructor(storage: TabStorage | null) {
    this.#storage = storage;
  }

  get(name: string): string {
    return this.#values.get(name) ?? this.#storage?.getItem(PREFIX + name) ?? '';
  }

  /** How often a credential was entered or removed in this tab, or somebody signed in or out. */
  get generation(): number {
    return this.#generation;
  }

  set(name: string, value: string): void {
    this.#generation++;
    this.#values = new Map(this.#values).set(name, value);
    try {
      if (value === '') this.#storage?.removeItem(PREFIX + name);
      else this.#storage?.setItem(PREFIX + name, value);
    } catch {
      // A full or a forbidden storage: the credential lasts until a reload.
    }
    this.#announce();
  }

  /** Tells the page that what it is let in by has changed outside this storage. */
  announceChange(): void {
    this.#generation++;
    this.#announce();
  }

  #announce(): void {
    for (const listener of this.#listeners) listener();
  }

  watch(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}

function findTabStorage(): TabStorage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

const tabCredentials = new TabCredentials(findTabStorage());

/** Makes all pages ask again, because somebody has signed in or out. */
export function announceCredentialChange(): void {
  tabCredentials.announceChange();
}

/** Calls a listener when a credential changes, or somebody signs in or out. Returns a function that ends it. */
export function watchCredentials(listener: () => void): () => void {
  return tabCredentials.watch(listener);
}

/** Keeps a credential for this tab; an empty one is forgotten. */
export function keepCredential(name: string, value: string): void {
  tabCredentials.set(name, value);
}

/** Returns a credential of this tab; empty if there is none. */
export function getCredential(name: string): string {
  return tabCredentials.get(name);
}

/** Returns a credential of this tab, and sets it. All parts of the page see the same one. */
export function useCredential(name: string): readonly [string, (value: string) => void] {
  const value = useSyncExternalStore(
    (listener) => tabCredentials.watch(listener),
    () => tabCredentials.get(name),
  );
  return [value, (next) => keepCredential(name, next)];
}

/** Returns the credentials of this tab by the names that the description of an interface gives them. */
export function useCredentials(side: string, names: readonly string[]): ReadonlyMap<string, string> {
  const text = useSyncExternalStore(
    (listener) => tabCredentials.watch(listener),
    () => JSON.stringify(names.map((name) => [name, tabCredentials.get(nameCredential(side, name))])),
  );
  return new Map(JSON.parse(text) as [string, string][]);
}

/** The name of the credential of the admin interface: as the description of the API names it. */
export const ADMIN_CREDENTIAL = nameCredential('admin', 'Bearer');

/** Returns the credential of the admin interface that was entered in this tab; empty if there is none. */
export function getAdminCredential(): string {
  return tabCredentials.get(ADMIN_CREDENTIAL);
}

/**
 * Returns a number that changes with the credentials of the tab. As a part of a query's key it makes a new credential ask
 * again, without the credential standing in the key.
 */
export function useCredentialGeneration(): number {
  return useSyncExternalStore(
    (listener) => tabCredentials.watch(listener),
    () => tabCredentials.generation,
  );
}

/** The name of the key of the products: as the description of the API names it. */
export const API_KEY = nameCredential('public', 'ApiKey');

/** Returns the API key that was entered in this tab; empty if there is none. */
export function getApiKey(): string {
  return tabCredentials.get(API_KEY);
}

/** The name of a credential among those of the tab: a bearer token of one interface is none of the other. */
export function nameCredential(side: string, name: string): string {
  return `${side}-${name}`;
}
