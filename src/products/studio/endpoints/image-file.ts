import { findImageType } from '../../../studio/media/image-type.ts';
import { IMAGE_TYPES, MAX_MEDIA_BYTES } from '../../../studio/media/media.ts';
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

/** `GET /images/:mint`: the image of a token. */
export const imageEndpoint = defineEndpoint({
  onDefect: STUDIO_ERROR_FORM.onDefect,
  method: 'GET',
  path: '/images/:mint',
  operationId: 'GetTokenImage',
  summary: 'The image of a launched token',
  description: 'The image that was uploaded for a token. `imageUrl` of `create-tx` is its URL.',
  isOpen: true,
  params: MediaParams,
  example: { params: EXAMPLE_FILE },
  fileTypes: IMAGE_TYPES,
  responses: { 200: FileContents, 404: StudioError, 500: StudioError },
  handle: (services: MediaServices, { params }) => answerWithMedia(services, 'image', params.mint),
});

/** `PUT /images/:mint`: takes the image of a token, once. */
export const imageUploadEndpoint = defineEndpoint({
  ...STUDIO_ERROR_FORM,
  method: 'PUT',
  path: '/images/:mint',
  operationId: 'PutTokenImage',
  summary: 'Upload the image of a token',
  description:
    'Takes the image of a token at the URL `imagePresignedUrl` of `create-tx`, once, within 15 minutes, with the content type that `create-tx` was told.',
  isOpen: true,
  params: MediaParams,
  query: UploadQuery,
  example: { params: EXAMPLE_FILE, query: createExampleUpload('image/png') },
  rawBody: { kind: 'file', contentTypes: IMAGE_TYPES, maxBytes: MAX_MEDIA_BYTES.image },
  responses: UPLOAD_ANSWERS,
  admit: (services: MediaServices, request) => checkUpload(services, 'image', request),
  handle: async (services: MediaServices, request) => {
    const allowed = readUpload(services, 'image', request);
    if (allowed instanceof OtherAnswer) return allowed;
    const { bytes } = request.body;
    if (findImageType(bytes) !== allowed.contentType)
      return new OtherAnswer(400, { error: `The body is no image of the type ${allowed.contentType}` });
    return putUpload(services, { ...allowed, bytes });
  },
});
