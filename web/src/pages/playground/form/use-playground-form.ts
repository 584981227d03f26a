import { useNavigate, useSearch } from '@tanstack/react-router';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useInstance } from '../../../api/instance.ts';
import type { FormProblem } from '../../../openapi/form/checks.ts';
import type { ApiCredential, ApiModel, ApiOperation } from '../../../openapi/model/api-model.ts';
import {
  type ApiRequest,
  buildApiRequest,
  createPlaceholders,
} from '../../../openapi/request/api-request.ts';
import { formatSearch } from '../../../base/search-text.ts';
import type { ApiSide } from '../../../openapi/use-api-model.ts';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { findMissingCredentials } from './missing-credentials.ts';
import { findNamedField } from './named-field.ts';
import { replaceSigningWallet } from './own-wallet.ts';
import { useCredentials } from '../../../api/credentials.ts';
import { useSession } from '../../../api/session.ts';
import {
  checkRequestForm,
  fillExampleForm,
  listOperationFields,
  type OperationFields,
  readRequestForm,
  type RequestForm,
} from './request-form.ts';
import { readSharedForm, writeSharedForm } from './shared-form.ts';

/** The form of an operation, what it makes, and what is wrong with it. */
export interface PlaygroundForm {
  readonly fields: OperationFields;
  readonly values: RequestForm;
  /** Changes when the form was filled again, so that nothing of the one before stays. */
  readonly version: number;
  readonly request: ApiRequest;
  /** The same with placeholders for the credentials that were entered or are needed, to be shown and copied. */
  readonly shownRequest: ApiRequest;
  /** The problems that are shown: of fields that were left, and of all when it was tried to send the form. */
  readonly problems: ReadonlyMap<string, string>;
  /** How many problems are shown. */
  readonly count: number;
  /** The query of the page's address that makes this form. */
  readonly search: Readonly<Record<string, string>>;
  /** The whole address. */
  readonly link: string;
  readonly change: (values: RequestForm) => void;
  /** Fills the form with the example again. */
  readonly reset: () => void;
  /** Notes that a field was left, so that what is wrong with it is shown. */
  readonly touch: (path: string | undefined) => void;
  /** Shows what an endpoint has refused at the field that it names, until the form is changed; null: nothing. */
  readonly refuse: (message: string | null) => void;
  /** Shows all problems. Returns whether there are none. */
  readonly check: () => boolean;
}

/** The address follows the form after a pause, and not at every key. */
const ADDRESS_DELAY_MS = 300;

/** Keeps the form of an operation. It begins with the example, under what the address says. */
export function usePlaygroundForm(side: ApiSide, model: ApiModel, operation: ApiOperation): PlaygroundForm {
  const fields = useMemo(() => listOperationFields(operation, model.schemas), [operation, model]);
  const { data: instance } = useInstance();
  const { wallet } = useThrowawayWallet();
  const own = wallet.kind === 'ready' ? wallet.key.address : null;
  const demo = instance?.demoWallet ?? null;
  const base = useMemo(() => {
    const example = fillExampleForm(operation, fields);
    return own === null || demo === null ? example : replaceSigningWallet(fields, example, demo, own);
  }, [operation, fields, own, demo]);
  const [values, setValues] = useState<RequestForm | null>(null);
  const [touched, setTouched] = useState<ReadonlySet<string> | 'all'>(new Set());
  const [refused, setRefused] = useState<FormProblem | null>(null);
  const [version, setVersion] = useState(0);
  const given = useSearch({ strict: false }) as Readonly<Record<string, string>>;
  const givenText = formatSearch(given);
  const shown = values ?? readSharedForm(fields, base, given);
  const search = { ...(side === 'admin' ? { side } : {}), ...writeSharedForm(fields, shown, base) };
  const searchText = formatSearch(search);
  const written = useRef(givenText);
  useAddress(operation.id, values === null ? null : search, searchText, written);
  useEffect(() => {
    if (givenText === written.current) return;
    // The reader went back or forward, or followed a link.
    written.current = givenText;
    setValues(null);
    setVersion((last) => last + 1);
  }, [givenText]);

  const names = operation.credentials.map(({ name }) => name);
  const credentials = useCredentials(side, names);
  const origin = side === 'public' && instance !== undefined ? instance.urls.rest : window.location.origin;
  const requiresKey = instance?.requiresKey === true;
  const [request, shownRequest] = useMemo(() => {
    const given = { origin, ...readRequestForm(fields, shown) };
    const isNeeded = ({ name, isRequired }: ApiCredential) =>
      isRequired || (name === 'ApiKey' && requiresKey);
    const named = operation.credentials
      .filter((credential) => isNeeded(credential) || (credentials.get(credential.name) ?? '') !== '')
      .map(({ name }) => name);
    return [
      buildApiRequest(operation, { ...given, credentials }),
      buildApiRequest(operation, { ...given, credentials: createPlaceholders(named) }),
    ] as const;
  }, [operation, origin, requiresKey, credentials, fields, shown]);
  const isSignedIn = useSession() !== null && side === 'admin';
  const all = useMemo(() => {
    // Whoever is signed in may leave the credential out: the request is sent in the session.
    const missing = isSignedIn ? [] : findMissingCredentials(operation, credentials);
    return [...missing, ...checkRequestForm(fields, shown)];
  }, [isSignedIn, operation, credentials, fields, shown]);
  const problems = useMemo(() => {
    const wrong = all.filter(({ path }) => touched === 'all' || touched.has(path));
    const shownProblems = refused === null ? wrong : [...wrong, refused];
    return new Map(shownProblems.map(({ path, text }) => [path, text]));
  }, [all, touched, refused]);
  return {
    fields,
    values: shown,
    version,
    request,
    shownRequest,
    problems,
    count: problems.size - (refused === null ? 0 : 1),
    search,
    link: `${window.location.origin}${window.location.pathname}${searchText}`,
    change: (next) => {
      setValues(next);
      setRefused(null);
    },
    refuse: (message) => setRefused(message === null ? null : findNamedField(fields, message)),
    reset: () => {
      setValues(base);
      setRefused(null);
      setTouched(new Set());
      setVersion((last) => last + 1);
    },
    touch: (path) => {
      if (path === undefined || touched === 'all' || touched.has(path)) return;
      setTouched(new Set([...touched, path]));
    },
    check: () => {
      setTouched('all');
      return all.length === 0;
    },
  };
}

/** Writes the form into the address of the page, so that it can be shared and comes back with the page. */
function useAddress(
  operationId: string,
  search: Readonly<Record<string, string>> | null,
  text: string,
  written: { current: string },
): void {
  const navigate = useNavigate();
  // biome-ignore lint/correctness/useExhaustiveDependencies: the text says all of the search.
  useEffect(() => {
    if (search === null || text === written.current) return;
    const timer = setTimeout(() => {
      written.current = text;
      void navigate({
        to: '/playground/$operationId',
        params: { operationId },
        search,
        replace: true,
        resetScroll: false,
      });
    }, ADDRESS_DELAY_MS);
    return () => clearTimeout(timer);
  }, [operationId, text, navigate, written]);
}
