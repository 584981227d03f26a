import { useMutation, useQueryClient } from '@tanstack/react-query';
import { createContext, type ReactNode, useContext, useMemo, useState } from 'react';
import { invalidateNetwork } from '../../../api/admin.ts';
import { describeFailure } from '../../../api/call.ts';

/** Something that was done here. */
export interface ActivityEntry {
  readonly number: number;
  /** By the clock of this machine, in milliseconds of the Unix epoch. */
  readonly at: number;
  readonly what: string;
  readonly result: string;
  readonly isRefused: boolean;
  /** Takes it back; null where nothing does. */
  readonly undo: (() => void) | null;
}

interface Activity {
  readonly entries: readonly ActivityEntry[];
  readonly add: (entry: Omit<ActivityEntry, 'number' | 'at'>) => void;
}

/** Entries that are kept. */
const MAX_ENTRIES = 100;

const ActivityContext = createContext<Activity | null>(null);

/** Holds what was done on the page, the newest first. */
export function ActivityProvider({ children }: { readonly children: ReactNode }) {
  const [entries, setEntries] = useState<readonly ActivityEntry[]>([]);
  const activity = useMemo(
    () => ({
      entries,
      add: (entry: Omit<ActivityEntry, 'number' | 'at'>) =>
        setEntries((before) =>
          [
            {
              ...entry,
              number: (before[0]?.number ?? 0) + 1,
              at: performance.timeOrigin + performance.now(),
            },
            ...before,
          ].slice(0, MAX_ENTRIES),
        ),
    }),
    [entries],
  );
  return <ActivityContext value={activity}>{children}</ActivityContext>;
}

/** Returns what was done on the page. */
export function useActivity(): Activity {
  const activity = useContext(ActivityContext);
  if (activity === null) throw new Error('there is no ActivityProvider around this part');
  return activity;
}

/** How a control is used, and what is said of it. */
export interface ControlTerms<Input, Answer> {
  readonly act: (input: Input) => Promise<Answer>;
  readonly nameAct: (input: Input) => string;
  readonly describeResult: (answer: Answer, input: Input) => string;
  /** Returns what takes it back; null or absent: nothing does. */
  readonly makeUndo?: (answer: Answer, input: Input) => (() => void) | null;
}

/** Returns a mutation that is written down in "What you did", after which every page asks again for what it shows. */
export function useControl<Answer, Input = void>({
  act,
  nameAct,
  describeResult,
  makeUndo,
}: ControlTerms<Input, Answer>) {
  const queryClient = useQueryClient();
  const { add } = useActivity();
  return useMutation({
    mutationFn: act,
    onSuccess: (answer, input) =>
      add({
        what: nameAct(input),
        result: describeResult(answer, input),
        isRefused: false,
        undo: makeUndo?.(answer, input) ?? null,
      }),
    onError: (error, input) =>
      add({ what: nameAct(input), result: describeFailure(error), isRefused: true, undo: null }),
    onSettled: () => void invalidateNetwork(queryClient),
  });
}
