import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { refreshOrganisations } from '../../api/organisations/use-organisations.ts';

/** A change that a page makes. */
export interface ManageChange {
  readonly isBusy: boolean;
  /** Why the last one failed; null: it did not. */
  readonly error: unknown;
  /** Starts a change, and calls `onDone` with what it gives, unless the page was left or the change failed. */
  readonly start: <Result>(
    work: () => Promise<Result>,
    onDone: (result: Result) => void,
    options?: {
      /** Whether the change ends the session of the reader: nothing is asked again then. Default: false. */
      readonly endsSession?: boolean;
    },
  ) => void;
  /** Forgets the last failure. */
  readonly clear: () => void;
}

/**
 * Runs changes of organisations, one at a time. What a change gives is kept nowhere, because it can be a secret. All pages ask
 * again afterwards, also when it failed: somebody else may have changed the same.
 */
export function useChange(): ManageChange {
  const client = useQueryClient();
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<unknown>(null);
  const isShown = useRef(true);
  const isRunning = useRef(false);
  useEffect(() => {
    isShown.current = true;
    return () => {
      isShown.current = false;
    };
  }, []);
  const start: ManageChange['start'] = (work, onDone, { endsSession = false } = {}) => {
    if (isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(null);
    let isWatched = true;
    work()
      .then(
        (result) => {
          isWatched = !endsSession;
          if (isShown.current) onDone(result);
        },
        (failure) => setError(failure),
      )
      .finally(() => {
        isRunning.current = false;
        setBusy(false);
        if (!isWatched) return;
        void refreshOrganisations(client);
        // What the reader may do can have changed with it.
        void client.invalidateQueries({ queryKey: ['admin-session'] });
      });
  };
  return { isBusy, error, start, clear: () => setError(null) };
}
