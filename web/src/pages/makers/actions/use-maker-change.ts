import { useMutation, useQueryClient } from '@tanstack/react-query';
import { sendAdmin } from '../../../api/admin.ts';
import { readNewMaker } from '../source/maker-shapes.ts';
import { readAnswer } from '../../../api/read-answer.ts';

/** A change of a maker that needs no more than its id. */
export type MakerAction = 'enable' | 'disable' | 'rotate' | 'reinstate' | 'remove';

/** What a maker is created with. What is empty is left out. */
export interface NewMakerTerms {
  readonly id: string;
  readonly address: string;
  readonly name: string;
  readonly webhook: string;
  readonly webhookKey: string;
}

const MAKERS = '/admin/v1/makers';

/** Changes a maker. Resolves to its new key where it has one, which is shown this once. */
export function useMakerChange(maker: string) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async (action: MakerAction): Promise<string | null> => {
      const path = `${MAKERS}/${encodeURIComponent(maker)}`;
      if (action === 'remove') await sendAdmin('DELETE', path);
      else {
        const answer = await sendAdmin('POST', `${path}/${action}`);
        if (action === 'rotate') return readAnswer('the new key', readNewMaker, answer).key;
      }
      return null;
    },
    // What is removed is not asked for again: its page is left.
    onSettled: (_, error, action) =>
      client.invalidateQueries({
        queryKey: action === 'remove' && error === null ? ['makers', 'list'] : ['makers'],
      }),
  });
}

/** Creates a maker. Resolves to its key, which is shown this once. */
export function useMakerCreation() {
  const client = useQueryClient();
  return useMutation({
    mutationFn: async ({ id, address, ...optional }: NewMakerTerms) => {
      const given = Object.entries(optional).filter(([, text]) => text !== '');
      const answer = await sendAdmin('POST', MAKERS, { id, address, ...Object.fromEntries(given) });
      return readAnswer('the new maker', readNewMaker, answer);
    },
    onSettled: () => client.invalidateQueries({ queryKey: ['makers'] }),
  });
}
