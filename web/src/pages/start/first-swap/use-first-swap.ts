import { useQueryClient } from '@tanstack/react-query';
import { useSyncExternalStore } from 'react';
import { callApi } from '../../../api/call.ts';
import { formatExactJson } from '../../../base/exact-json.ts';
import { type ApiRequest, getRequestTarget } from '../../../openapi/request/api-request.ts';
import { fetchBalances } from '../../../wallet/balances.ts';
import { signEncodedTransaction, useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { type SwapIntent, SwapRun, type SwapRunState, type StepId } from './swap-run.ts';

/** One for the whole page, which goes on while the reader looks elsewhere. */
const run = new SwapRun();

/** Returns the swap of this page, and what can be done with it. */
export function useFirstSwap(): {
  readonly state: SwapRunState;
  readonly start: (intent: SwapIntent) => void;
  readonly repeatFrom: (id: StepId) => void;
  /** Forgets the run, not the wallet. */
  readonly clear: () => void;
} {
  const queryClient = useQueryClient();
  const { create } = useThrowawayWallet();
  const state = useSyncExternalStore(run.subscribe, run.getState);
  const refresh = () => queryClient.invalidateQueries({ queryKey: ['balances'] });
  const services = {
    getKey: create,
    sign: signEncodedTransaction,
    send: sendRequest,
    fetchBalances,
    origin: window.location.origin,
  };
  return {
    state,
    start: (intent) => void run.start(intent, services).then(refresh),
    repeatFrom: (id) => void run.repeatFrom(id).then(refresh),
    clear: run.clear,
  };
}

/** Sends a request to the page's own origin. @throws as `callApi` */
export function sendRequest(request: ApiRequest): Promise<unknown> {
  const { method, headers, body } = request;
  return callApi(getRequestTarget(request), {
    method,
    headers: headers.map(({ name, value }): [string, string] => [name, value]),
    ...(body?.kind === 'json' ? { body: formatExactJson(body.value) } : {}),
  });
}
