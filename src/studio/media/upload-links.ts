import { createHmac, timingSafeEqual } from 'node:crypto';
import { type Party, toPartyKey } from '../../common/party.ts';
import type { Address } from '../../solana/address.ts';
import {
  getMediaPath,
  IMAGE_TYPES,
  type ImageType,
  type MediaName,
  type MediaType,
  METADATA_TYPE,
} from './media.ts';

/** How long a link can be used. */
const LIFETIME_MS = 15 * 60_000;
const UPLOADER_BYTES = 9;

/** The links of a launch. */
export interface LaunchLinks {
  /** Takes the image by PUT. */
  readonly imagePresignedUrl: string;
  /** Takes the metadata by PUT. */
  readonly metadataPresignedUrl: string;
  /** Where the image is served. */
  readonly imageUrl: string;
  /** Where the metadata are served, which the account of the token names for good. */
  readonly metadataUrl: string;
}

/** The query of a link, as a client sends it. */
export interface LinkQuery {
  readonly type?: unknown;
  readonly expires?: unknown;
  readonly uploader?: unknown;
  readonly signature?: unknown;
}

/** What a link allows, or why it allows nothing. */
export type CheckedLink =
  | { readonly ok: true; readonly contentType: MediaType; readonly uploader: string }
  | { readonly ok: false; readonly message: string };

export interface UploadLinksOptions {
  /** All instances behind one address have the same. */
  readonly key: Uint8Array;
  /** Returns the URL at which clients reach the gateway, without a path; null as long as it has none. */
  readonly getOrigin: () => string | null;
  /** Unix milliseconds. */
  readonly now: () => number;
}

/**
 * Makes links with which a client uploads the files of one launch, and checks them. A link says for which file, of which type, by
 * whom and until when it can be used, and is signed, so that nothing of it can be changed and nothing need be stored.
 */
export class UploadLinks {
  readonly #options: UploadLinksOptions;

  constructor(options: UploadLinksOptions) {
    this.#options = options;
  }

  /**
   * @param caller - Who prepares the launch, and so whose room the files take.
   * @throws Error as long as the gateway has no address
   */
  createLinks(mint: Address, imageType: ImageType, caller: Party): LaunchLinks {
    const expires = String(this.#options.now() + LIFETIME_MS);
    const uploader = this.getUploader(caller);
    const link = (name: MediaName, type: MediaType) => {
      const signature = this.#sign(name, type, expires, uploader).toString('base64url');
      return `${this.getUrl(name)}?${new URLSearchParams({ type, expires, uploader, signature })}`;
    };
    return {
      imagePresignedUrl: link({ kind: 'image', mint }, imageType),
      metadataPresignedUrl: link({ kind: 'metadata', mint }, METADATA_TYPE),
      imageUrl: this.getUrl({ kind: 'image', mint }),
      metadataUrl: this.getUrl({ kind: 'metadata', mint }),
    };
  }

  /** Returns the name under which a caller uploads, which does not tell who it is. */
  getUploader(caller: Party): string {
    const digest = this.#digest(`uploader|${toPartyKey(caller)}`);
    return digest.subarray(0, UPLOADER_BYTES).toString('base64url');
  }

  /** Checks the link with which a file is to be uploaded. */
  check(name: MediaName, { type, expires, uploader, signature }: LinkQuery): CheckedLink {
    if (
      typeof type !== 'string' ||
      typeof expires !== 'string' ||
      typeof uploader !== 'string' ||
      typeof signature !== 'string'
    ) {
      return { ok: false, message: 'The URL of an upload must be the one that create-tx has answered' };
    }
    const types: readonly MediaType[] = [...IMAGE_TYPES, METADATA_TYPE];
    const contentType = types.find((each) => each === type);
    const given = Buffer.from(signature, 'base64url');
    const right = this.#sign(name, type, expires, uploader);
    if (contentType === undefined || given.length !== right.length || !timingSafeEqual(given, right))
      return { ok: false, message: 'The signature of the URL is wrong' };
    if (Number(expires) <= this.#options.now())
      return { ok: false, message: 'The URL has expired; it could be used for 15 minutes' };
    return { ok: true, contentType, uploader };
  }

  /**
   * Returns where a file is served.
   * @throws Error as long as the gateway has no address
   */
  getUrl(name: MediaName): string {
    const origin = this.#options.getOrigin();
    if (origin === null) throw new Error('the gateway has no address yet');
    return `${origin}${getMediaPath(name)}`;
  }

  #sign({ kind, mint }: MediaName, type: string, expires: string, uploader: string): Buffer {
    return this.#digest(JSON.stringify(['PUT', kind, mint, type, expires, uploader]));
  }

  #digest(text: string): Buffer {
    return createHmac('sha256', this.#options.key).update(text).digest();
  }
}
