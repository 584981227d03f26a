import { IMAGE_TYPES } from '../../../studio/media/media.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EXAMPLE_FILE, FileContents, MediaParams } from './media-schema.ts';
import { answerWithMedia, type MediaServices } from './media-answers.ts';
import { STUDIO_ERROR_FORM, StudioError } from './studio-errors.ts';

/** `GET /headers/:mint`: the header image of the page of a token. */
export const headerEndpoint = defineEndpoint({
  onDefect: STUDIO_ERROR_FORM.onDefect,
  method: 'GET',
  path: '/headers/:mint',
  operationId: 'GetTokenHeaderImage',
  summary: 'The header image of the page of a launched token',
  description: 'The file `headerImage` with which a token was submitted.',
  isOpen: true,
  params: MediaParams,
  example: { params: EXAMPLE_FILE },
  fileTypes: IMAGE_TYPES,
  responses: { 200: FileContents, 404: StudioError, 500: StudioError },
  handle: (services: MediaServices, { params }) => answerWithMedia(services, 'header', params.mint),
});
