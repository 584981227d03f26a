import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { callAdmin, sendAdmin } from '../../../api/admin.ts';
import { ApiError } from '../../../api/call.ts';
import { type MakerCheck, readCheck, readCheckPlan } from '../source/check-shapes.ts';
import { readAnswer } from '../../../api/read-answer.ts';
import type { CheckChoice } from './checklist.ts';

const WATCHED_MS = 1_000;
const PLAN_MS = 3_000;

/** Reads what checks there are, and whose is under way. */
export function useCheckPlan() {
  return useQuery({
    queryKey: ['makers', 'checks'],
    queryFn: async () => readAnswer('the checks', readCheckPlan, await callAdmin(`${CHECKS}/checks`)),
    refetchInterval: PLAN_MS,
  });
}

/**
 * Reads the last check of a maker, again and again while it is under way; null if there was none.
 *
 * @param isKnown - Whether the maker was checked. What is not there is not asked for: a browser writes down each refusal.
 */
export function useMakerCheck(maker: string, isKnown: boolean) {
  return useQuery({
    queryKey: keyCheck(maker),
    queryFn: () => fetchCheck(maker),
    enabled: isKnown,
    refetchInterval: ({ state }) => (state.data?.running === true ? WATCHED_MS : PLAN_MS),
  });
}

/** Starts a check. */
export function useStartCheck(maker: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (terms: { readonly kind: CheckChoice; readonly waitSeconds: number }) => {
      return readAnswer('the check', readCheck, await sendAdmin('POST', toCheckPath(maker), terms));
    },
    onSuccess: (check) => {
      client.setQueryData(keyCheck(maker), check);
      return client.invalidateQueries({ queryKey: ['makers', 'checks'] });
    },
  });
}

const CHECKS = '/admin/v1/network/makers';

async function fetchCheck(maker: string): Promise<MakerCheck | null> {
  try {
    return readAnswer('the check', readCheck, await callAdmin(toCheckPath(maker)));
  } catch (error) {
    if (error instanceof ApiError && error.status === 404) return null;
    throw error;
  }
}

function toCheckPath(maker: string): string {
  return `${CHECKS}/${encodeURIComponent(maker)}/check`;
}

function keyCheck(maker: string): readonly string[] {
  return ['makers', 'check', maker];
}
