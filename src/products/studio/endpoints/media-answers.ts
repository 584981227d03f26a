import { parseAddress } from '../../../solana/address.ts';
import type { MediaKind, MediaName, NewMedia } from '../../../studio/media/media.ts';
import type { StudioMedia } from '../../../studio/media/open-media.ts';
import { type EndpointRequest, OtherAnswer } from '../../endpoint.ts';
import { FileAnswer } from '../../raw-body.ts';

/** What the handlers of the endpoints for files are given. */
export interface MediaServices {
  readonly media: Pick<StudioMedia, 'library' | 'links'>;
}

/**
 * A file is served as what it is and nothing else: a browser neither guesses another type nor runs anything in it, also if
 * somebody opens it as a page. Other sites may show it.
 */
const FILE_HEADERS = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'cross-origin-resource-policy': 'cross-origin',
  'cache-control': 'public, max-age=86400',
} as const;

const NOUNS: Readonly<Record<MediaKind, string>> = {
  image: 'Image',
  metadata: 'Metadata',
  header: 'Header image',
};

/** Answers with a file; 404 if there is none, as long as it was not uploaded. */
export async function answerWithMedia(
  { media }: MediaServices,
  kind: MediaKind,
  mintText: string,
): Promise<FileAnswer | OtherAnswer> {
  const mint = parseAddress(mintText);
  const found = mint === null ? null : await media.library.find({ kind, mint });
  if (found === null) {
    return new OtherAnswer(404, { error: `${NOUNS[kind]} not found` }, { 'cache-control': 'no-store' });
  }
  const { contentType, length, read } = found;
  return new FileAnswer(contentType, { length, chunks: read() }, FILE_HEADERS);
}

/** What the URL of an upload allows. */
type AllowedUpload = Pick<NewMedia, 'kind' | 'mint' | 'contentType' | 'uploader'>;

/** Refuses an upload by its URL and its headers, before its body is read. */
export async function checkUpload(
  services: MediaServices,
  kind: MediaKind,
  request: EndpointRequest,
): Promise<OtherAnswer | null> {
  const allowed = readUpload(services, kind, request);
  if (allowed instanceof OtherAnswer) return allowed;
  const taken = await services.media.library.find(allowed);
  return taken === null ? null : refuseSecond(kind);
}

/** Reads what the URL of an upload allows, or why it allows nothing. */
export function readUpload(
  { media }: MediaServices,
  kind: MediaKind,
  { params, query, headers }: Pick<EndpointRequest, 'params' | 'query' | 'headers'>,
): AllowedUpload | OtherAnswer {
  const mint = parseAddress((params as { readonly mint: string }).mint);
  if (mint === null) return new OtherAnswer(403, { error: 'The URL is of no upload' });
  const checked = media.links.check({ kind, mint }, query as Record<string, unknown>);
  if (!checked.ok) return new OtherAnswer(403, { error: checked.message });
  const { contentType, uploader } = checked;
  const [given = ''] = String(headers['content-type'] ?? '').split(';');
  if (given.trim().toLowerCase() !== contentType)
    return new OtherAnswer(403, { error: `content-type must be ${contentType}, as create-tx was told` });
  return { kind, mint, contentType, uploader };
}

/** Stores an uploaded file, and answers with the URL where it is served from now on. */
export async function putUpload(
  { media: { library, links } }: MediaServices,
  media: NewMedia,
): Promise<{ readonly url: string } | OtherAnswer> {
  const outcome = await library.put(media);
  if (outcome === 'full') return refuseForRoom();
  return outcome === 'taken' ? refuseSecond(media.kind) : { url: links.getUrl(media) };
}

/** Room is made by launches that do not land, and by the operator, who is alerted: neither comes within a second. */
function refuseForRoom(): OtherAnswer {
  const body = { error: 'There is no room for files now; try again later' };
  return new OtherAnswer(503, body, { 'retry-after': '60' });
}

function refuseSecond(kind: MediaName['kind']): OtherAnswer {
  return new OtherAnswer(409, { error: `${NOUNS[kind]} was uploaded already, and cannot be changed` });
}
