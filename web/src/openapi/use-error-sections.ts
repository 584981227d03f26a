import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call.ts';
import type { ApiOperation } from './model/api-model.ts';
import type { ApiSide } from './use-api-model.ts';

/** A part of the page of errors, for the requests that it is about. */
export interface ErrorChapter {
  readonly title: string;
  readonly anchor: string;
  readonly scope:
    | { readonly kind: 'all' | 'admin' }
    | { readonly kind: 'tag'; readonly tag: string; readonly pathPart: string | null };
  readonly blocks: readonly ErrorChapterBlock[];
}

export type ErrorChapterBlock =
  | { readonly kind: 'heading' | 'text'; readonly text: string }
  | {
      readonly kind: 'table';
      readonly headings: readonly string[];
      readonly rows: readonly (readonly string[])[];
    }
  | { readonly kind: 'texts'; readonly lines: readonly string[] };

/** Reads the page of errors as data, once: it does not change while the instance runs. */
export function useErrorSections() {
  return useQuery({
    queryKey: ['errors'],
    queryFn: async () =>
      (await callApi<{ readonly sections: readonly ErrorChapter[] }>('/portal/data/errors')).sections,
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** Returns the chapters about one operation: first those of its path, then those of its group, then those of all. */
export function selectErrorChapters(
  chapters: readonly ErrorChapter[],
  { group, path }: Pick<ApiOperation, 'group' | 'path'>,
  side: ApiSide,
): readonly ErrorChapter[] {
  const own = chapters.filter(({ scope }) => {
    if (scope.kind === 'admin') return side === 'admin';
    if (scope.kind !== 'tag' || side !== 'public') return false;
    return scope.tag === group && (scope.pathPart === null || path.includes(scope.pathPart));
  });
  const isOfPath = ({ scope }: ErrorChapter) => scope.kind === 'tag' && scope.pathPart !== null;
  return [
    ...own.filter(isOfPath),
    ...own.filter((chapter) => !isOfPath(chapter)),
    ...chapters.filter(({ scope }) => scope.kind === 'all'),
  ];
}
