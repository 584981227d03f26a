import type { ApiOperation } from '../../../openapi/model/api-model.ts';
import type { FormProblem } from '../../../openapi/form/checks.ts';

/** The path of a credential among the problems of a form. */
export function getCredentialPath(name: string): string {
  return `credential.${name}`;
}

/** Returns a problem for every credential that an operation needs and that was not entered. */
export function findMissingCredentials(
  { credentials }: ApiOperation,
  given: ReadonlyMap<string, string>,
): readonly FormProblem[] {
  return credentials
    .filter(({ name, isRequired }) => isRequired && (given.get(name) ?? '') === '')
    .map(({ name }) => ({
      path: getCredentialPath(name),
      text: 'Enter it: without it the request is refused.',
    }));
}
