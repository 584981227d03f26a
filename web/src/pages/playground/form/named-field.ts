import type { FormProblem } from '../../../openapi/form/checks.ts';
import type { FormField } from '../../../openapi/form/fields.ts';
import { BODY_PATH, type OperationFields } from './request-form.ts';

/**
 * Finds the field that a refusal is about: the one whose name its sentence has as a word, and of several the one that it
 * names first. Returns null if it names none.
 */
export function findNamedField(fields: OperationFields, message: string): FormProblem | null {
  const named = listNamedPaths(fields)
    .map(({ name, path }) => ({ path, at: findWord(message, name), length: name.length }))
    .filter(({ at }) => at >= 0)
    .sort((one, other) => one.at - other.at || other.length - one.length);
  const [first] = named;
  return first === undefined ? null : { path: first.path, text: message };
}

interface NamedPath {
  readonly name: string;
  readonly path: string;
}

function listNamedPaths({ parameters, body }: OperationFields): readonly NamedPath[] {
  const ofParameters = parameters.map(({ key, field }) => ({ name: field.name, path: key }));
  return [...ofParameters, ...(body === null ? [] : listMembers(body, BODY_PATH))];
}

/** Members are named by themselves, and by what they stand in: `params.makingAmount`. */
function listMembers(field: FormField, path: string): readonly NamedPath[] {
  if (field.kind !== 'object') return [];
  return field.members.flatMap((member) => {
    const inner = `${path}.${member.name}`;
    return [{ name: member.name, path: inner }, ...listMembers(member, inner)];
  });
}

/** Where a name stands alone, and not within another word; -1 if nowhere. */
function findWord(text: string, name: string): number {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    const isAlone = !/[\w-]/.test(text[at - 1] ?? ' ') && !/[\w-]/.test(text[at + name.length] ?? ' ');
    if (isAlone) return at;
  }
  return -1;
}
