import { MAX_MEDIA_BYTES, METADATA_TYPE } from '../../../studio/media/media.ts';
import { parseTokenMetadata } from '../../../studio/media/token-metadata.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import {
  createExampleUpload,
  EXAMPLE_FILE,
  FileContents,
  MediaParams,
  UPLOAD_ANSWERS,
  UploadQuery,
} from './media-schema.ts';
import { checkUpload, answerWithMedia, type MediaServices, readUpload, putUpload } from './media-answers.ts';
import { STUDIO_ERROR_FORM, StudioError } from './studio-errors.ts';

/** `GET /metadata/:mint.json`: the metadata of a token. */
export const metadataEndpoint = defineEndpoint({
  onDefect: STUDIO_ERROR_FORM.onDefect,
  method: 'GET',
  path: '/metadata/:mint.json',
  operationId: 'GetTokenMetadata',
  summary: 'The metadata of a launched token',
  description: 'The metadata that were uploaded for a token. Its account on the chain names this URL.',
  isOpen: true,
  params: MediaParams,
  example: { params: EXAMPLE_FILE },
  fileTypes: [METADATA_TYPE],
  responses: { 200: FileContents, 404: StudioError, 500: StudioError },
  handle: (services: MediaServices, { params }) => answerWithMedia(services, 'metadata', params.mint),
});

/** `PUT /metadata/:mint.json`: takes the metadata of a token, once. */
export const metadataUploadEndpoint = defineEndpoint({
  ...STUDIO_ERROR_FORM,
  method: 'PUT',
  path: '/metadata/:mint.json',
  operationId: 'PutTokenMetadata',
  summary: 'Upload the metadata of a token',
  description:
    'Takes the metadata of a token at the URL `metadataPresignedUrl` of `create-tx`, once, within 15 minutes: a JSON object with `name`, `symbol`, and optionally `description`, `image`, `website`, `twitter` and `telegram`.',
  isOpen: true,
  params: MediaParams,
  query: UploadQuery,
  example: { params: EXAMPLE_FILE, query: createExampleUpload(METADATA_TYPE) },
  rawBody: { kind: 'file', contentTypes: [METADATA_TYPE], maxBytes: MAX_MEDIA_BYTES.metadata },
  responses: UPLOAD_ANSWERS,
  admit: (services: MediaServices, request) => checkUpload(services, 'metadata', request),
  handle: async (services: MediaServices, request) => {
    const allowed = readUpload(services, 'metadata', request);
    if (allowed instanceof OtherAnswer) return allowed;
    const parsed = parseTokenMetadata(request.body.bytes);
    if (!parsed.ok) {
      const { field, message } = parsed;
      return new OtherAnswer(400, field === '' ? { error: message } : { errors: { [field]: [message] } });
    }
    return putUpload(services, { ...allowed, bytes: parsed.bytes });
  },
});
