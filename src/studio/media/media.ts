import type { Address } from '../../solana/address.ts';

/** What a file is for: the image of a token, its metadata, or the header image of its page. */
export type MediaKind = 'image' | 'metadata' | 'header';

export const IMAGE_TYPES = ['image/jpeg', 'image/png', 'image/gif', 'image/webp'] as const;
export type ImageType = (typeof IMAGE_TYPES)[number];
export const METADATA_TYPE = 'application/json';

/** The type with which a file is served. */
export type MediaType = ImageType | typeof METADATA_TYPE;

/** The longest file of each kind, in bytes. */
export const MAX_MEDIA_BYTES: Readonly<Record<MediaKind, number>> = {
  image: 5 * 1024 * 1024,
  metadata: 64 * 1024,
  header: 5 * 1024 * 1024,
};

/** The name of a file: there is one of each kind for a token. */
export interface MediaName {
  readonly kind: MediaKind;
  readonly mint: Address;
}

/** A file that is stored, with its contents to be read. */
export interface StoredMedia {
  readonly contentType: MediaType;
  /** In bytes. */
  readonly length: number;
  /** Reads the file piece by piece. Fails if the file is removed meanwhile. */
  readonly read: () => AsyncIterable<Uint8Array>;
}

/** A file to be stored. */
export interface NewMedia extends MediaName {
  readonly contentType: MediaType;
  readonly bytes: Uint8Array;
  /** Names those who share the room of one uploader. */
  readonly uploader: string;
}

/** A file of which it is not known whether its token was launched. */
export interface PendingMedia extends MediaName {
  readonly uploader: string;
  /** What it takes of the room for files, in bytes. */
  readonly size: number;
  /** When it was stored, in Unix milliseconds. */
  readonly storedAt: number;
}

/** How much of the room for files is taken, in bytes. */
export interface MediaUsage {
  /** By all files. */
  readonly all: number;
  /** By those that are pending. */
  readonly pending: number;
}

/** Keeps files. A file never changes. */
export interface MediaStore {
  /** Stores a file. Returns false if there is one of that name already. */
  readonly put: (media: NewMedia) => Promise<boolean>;
  /** Returns null if there is no such file. */
  readonly find: (name: MediaName) => Promise<StoredMedia | null>;
  readonly remove: (name: MediaName) => Promise<void>;
  readonly measure: () => Promise<MediaUsage>;
  /** Lists the pending files, the oldest first. */
  readonly listPending: () => Promise<readonly PendingMedia[]>;
  /** Notes that the tokens of some files were launched. Those files are no longer pending. */
  readonly keep: (mints: readonly Address[]) => Promise<void>;
}

/** A small file takes more room than its bytes. */
const MIN_SIZE = 4_096;

/** Returns what a file takes of the room for files. */
export function computeMediaSize(bytes: number): number {
  return Math.max(bytes, MIN_SIZE);
}

/** Returns the path under which the gateway serves a file, and takes its upload. */
export function getMediaPath({ kind, mint }: MediaName): string {
  if (kind === 'metadata') return `/metadata/${mint}.json`;
  return `/${kind === 'image' ? 'images' : 'headers'}/${mint}`;
}
