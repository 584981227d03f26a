import type { ApiGroup, ApiOperation } from '../../openapi/model/api-model.ts';

/**
 * Returns the groups with the operations in which every word occurs: in the method, the path, the name, the group or the
 * summary. Groups without one are left out.
 */
export function filterOperations(groups: readonly ApiGroup[], text: string): readonly ApiGroup[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  if (words.length === 0) return groups;
  return groups
    .map((group) => ({
      ...group,
      operations: group.operations.filter((operation) => hasAllWords(operation, words)),
    }))
    .filter(({ operations }) => operations.length > 0);
}

function hasAllWords({ method, path, id, group, summary }: ApiOperation, words: readonly string[]): boolean {
  const text = `${method} ${path} ${id} ${group} ${summary}`.toLowerCase();
  return words.every((word) => text.includes(word));
}
