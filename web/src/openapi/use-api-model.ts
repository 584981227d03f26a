import { useQuery } from '@tanstack/react-query';
import { callApi } from '../api/call.ts';
import type { ServedDocument } from './model/api-document.ts';
import { buildApiModel } from './model/api-model.ts';

/** Which of the two interfaces a page shows. The admin interface is served on the admin port only. */
export type ApiSide = 'public' | 'admin';

const DOCUMENTS: Readonly<Record<ApiSide, string>> = {
  public: '/portal/data/openapi',
  admin: '/portal/data/openapi/admin',
};

/** Reads the OpenAPI document of an interface, once: it does not change while the instance runs. */
export function useApiModel(side: ApiSide) {
  return useQuery({
    queryKey: ['openapi', side],
    queryFn: async () => buildApiModel(await callApi<ServedDocument>(DOCUMENTS[side])),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
