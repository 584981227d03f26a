import { Type } from 'typebox';
import { named } from '../../named-schema.ts';
import { EXAMPLE_LAUNCH } from './example-launch.ts';
import { StudioError } from './studio-errors.ts';

/** The token whose file it is. */
export const MediaParams = Type.Object({ mint: Type.String({ description: 'The mint of the token.' }) });

/** What `create-tx` has put into the URL of an upload. */
export const UploadQuery = Type.Object({
  type: Type.String({ description: 'The content type that the file must have.' }),
  expires: Type.String({ description: 'When the URL expires, in Unix milliseconds.' }),
  uploader: Type.String({ description: 'Whose room the file takes.' }),
  signature: Type.String({ description: 'Of the method, the path and the other parameters.' }),
});

/** The answers to an upload. */
export const UPLOAD_ANSWERS = {
  200: named(
    'UploadedFile',
    Type.Object({ url: Type.String({ description: 'Where the file is served from now on.' }) }),
  ),
  400: StudioError,
  403: StudioError,
  409: StudioError,
  500: StudioError,
  503: StudioError,
};

/** The contents of a file. */
export const FileContents = Type.Unsafe<string>({ type: 'string', format: 'binary' });

/** A token for the documentation. */
export const EXAMPLE_FILE = { mint: EXAMPLE_LAUNCH.mint };

/** Creates the query of an upload for the documentation, which no instance takes: each URL is of one instance and one launch. */
export function createExampleUpload(type: string): Readonly<Record<string, string>> {
  return { type, expires: '1790000900000', uploader: 'o0XqU5yv3wFv', signature: 'from-create-tx' };
}
