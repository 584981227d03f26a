import { Type } from 'typebox';
import { MAX_MEDIA_BYTES } from '../../../studio/media/media.ts';
import {
  type LaunchSubmission,
  MAX_CONTENT_LENGTH,
  submitLaunch,
} from '../../../studio/submissions/submit-launch.ts';
import { refuseStudioField } from '../../../studio/studio-refused.ts';
import { EXECUTE_TIMEOUT_MS } from '../../../transactions/submit/submit-and-confirm.ts';
import { defineEndpoint, OtherAnswer } from '../../endpoint.ts';
import { named } from '../../named-schema.ts';
import type { MultipartBody } from '../../raw-body.ts';
import type { StudioServices } from './services.ts';
import { readStudioAddress } from './studio-address.ts';
import { addStudioErrors, answerStudioRefusals, STUDIO_ERROR_FORM } from './studio-errors.ts';

const SubmitForm = named(
  'SubmitLaunch',
  Type.Object({
    transaction: Type.String({ description: 'The transaction of create-tx, signed by the creator, base64.' }),
    owner: Type.String({ description: 'The creator.' }),
    content: Type.Optional(
      Type.String({
        maxLength: MAX_CONTENT_LENGTH,
        description: 'The text of the page. It is not on the chain.',
      }),
    ),
    headerImage: Type.Optional(
      Type.String({
        format: 'binary',
        description: 'The header image of the page: JPEG, PNG, GIF or WebP, at most 5 MiB.',
      }),
    ),
  }),
);

const SubmittedLaunchJson = named(
  'SubmittedLaunch',
  Type.Object({
    success: Type.Boolean(),
    data: Type.Object({
      mint: Type.String(),
      configKey: Type.String({ description: 'The configuration of the curve.' }),
    }),
  }),
);

/** The most bytes of a field: a character takes up to four. */
const MAX_FIELD_BYTES = 4 * MAX_CONTENT_LENGTH;
/** The fields beside the image, with the lines between them. */
const MAX_OTHER_BYTES = 64 * 1024;

export const submitLaunchEndpoint = defineEndpoint({
  method: 'POST',
  path: '/studio/v1/dbc-pool/submit',
  operationId: 'SubmitLaunch',
  bucket: 'execute',
  credits: 1,
  timeoutMs: EXECUTE_TIMEOUT_MS,
  summary: 'Launch a prepared token',
  description:
    'Lands the transaction of create-tx and records the page of the token. It answers when the launch is confirmed. The same request ' +
    'again has the same answer; the first page of a token stays.',
  rawBody: {
    kind: 'multipart',
    schema: SubmitForm,
    maxBytes: MAX_MEDIA_BYTES.header + MAX_FIELD_BYTES + MAX_OTHER_BYTES,
    maxFieldBytes: MAX_FIELD_BYTES,
  },
  responses: addStudioErrors(SubmittedLaunchJson, 503),
  ...STUDIO_ERROR_FORM,
  handle: ({ submitting }: StudioServices, { body, caller }) =>
    answerStudioRefusals(async () => {
      const submitted = await submitLaunch(submitting, readSubmission(body), caller);
      if (submitted.kind === 'unknown') return new OtherAnswer(503, { error: submitted.message });
      return { success: true, data: { mint: submitted.mint, configKey: submitted.config } };
    }),
});

/** @throws StudioRefused if a field is missing, or is not what it must be */
function readSubmission(body: MultipartBody): LaunchSubmission {
  return {
    transaction: readField(body, 'transaction'),
    owner: readStudioAddress(readField(body, 'owner'), 'owner'),
    content: findField(body, 'content'),
    header: findHeader(body),
  };
}

function readField(body: MultipartBody, name: string): string {
  return findField(body, name) ?? refuseStudioField(name, `${name} is missing`);
}

/** Returns null for a field that is absent or empty. */
function findField({ fields, files }: MultipartBody, name: string): string | null {
  if (files.has(name)) return refuseStudioField(name, `${name} must be a text, got a file`);
  return fields.get(name) || null;
}

/** Returns null for a file that is absent or empty, as forms of browsers send it where none was chosen. */
function findHeader({ fields, files }: MultipartBody): Uint8Array | null {
  if (fields.get('headerImage')) refuseStudioField('headerImage', 'headerImage must be a file, got a text');
  const bytes = files.get('headerImage')?.bytes ?? null;
  return bytes === null || bytes.length === 0 ? null : bytes;
}
