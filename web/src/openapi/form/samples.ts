import { ExactNumber, type ExactJson } from '../../base/exact-json.ts';
import type { FormField } from './fields.ts';

/**
 * Creates a value that has the form of a field, for an operation whose document has no example. A text stands in angle
 * brackets, as what the reader has to fill in; what is not required is left out.
 * Returns undefined for a file.
 */
export function createSample(field: FormField): ExactJson | undefined {
  if (field.fallback !== null) return field.fallback;
  switch (field.kind) {
    case 'text':
      return `<${field.name === '' ? 'text' : field.name}>`;
    case 'integer':
    case 'number':
      return new ExactNumber(String(field.minimum ?? 1));
    case 'boolean':
      return true;
    case 'choice':
      return field.choices[0]?.value;
    case 'list': {
      const item = createSample(field.item);
      return item === undefined ? [] : Array.from({ length: field.minItems }, () => item);
    }
    case 'object': {
      const required = field.members.filter(({ isRequired }) => isRequired);
      return new Map(
        required.flatMap((member): [string, ExactJson][] => {
          const value = createSample(member);
          return value === undefined ? [] : [[member.name, value]];
        }),
      );
    }
    case 'map':
      return new Map();
    case 'variants': {
      const [first] = field.variants;
      return first === undefined ? undefined : createSample(first.field);
    }
    case 'json':
      return null;
    case 'file':
      return undefined;
  }
}
