import { Fragment } from 'react';
import { Button } from '../../../parts/button.tsx';
import {
  createCondition,
  type DraftCondition,
  KINDS,
  MAX_CONDITIONS,
  MAX_GROUPS,
} from '../source/rule-draft.ts';
import type { Suggestions } from '../source/use-suggestions.ts';
import { ConditionEditor } from './condition-editor.tsx';

type DraftGroup = readonly DraftCondition[];

/** The groups of a rule: all conditions of one box have to hold, and one of the boxes. */
export function GroupEditor({
  groups,
  suggestions,
  onChange,
}: {
  readonly groups: readonly DraftGroup[];
  readonly suggestions: Suggestions;
  readonly onChange: (groups: readonly DraftGroup[]) => void;
}) {
  const hasRoom = groups.flat().length < MAX_CONDITIONS;
  const setGroup = (index: number, group: DraftGroup) =>
    onChange(groups.flatMap((one, place) => (place !== index ? [one] : group.length === 0 ? [] : [group])));
  return (
    <div className="rule-groups">
      {groups.length === 0 ? (
        <p className="rule-always">
          <strong>Every request</strong> of the team matches, because the rule has no conditions.
        </p>
      ) : null}
      {groups.map((group, index) => (
        <Fragment key={group[0]?.id ?? index}>
          {index === 0 ? null : <JoinWord word="or" />}
          <section className="rule-group" aria-label={`Group ${index + 1} of conditions`}>
            <p className="rule-group__lead">
              {index === 0 ? 'A request matches when' : 'it also matches when'}
              {group.length > 1 ? ' all of these hold:' : ':'}
            </p>
            {group.map((condition, place) => (
              <Fragment key={condition.id}>
                {place === 0 ? null : <JoinWord word="and" />}
                <ConditionEditor
                  condition={condition}
                  suggestions={suggestions}
                  onChange={(next) =>
                    setGroup(
                      index,
                      group.map((one) => (one.id === next.id ? next : one)),
                    )
                  }
                  onRemove={() =>
                    setGroup(
                      index,
                      group.filter(({ id }) => id !== condition.id),
                    )
                  }
                />
              </Fragment>
            ))}
            <Button
              kind="quiet"
              disabled={!hasRoom}
              onClick={() => setGroup(index, [...group, createCondition(chooseNextKind(group))])}
            >
              + and a further condition
            </Button>
          </section>
        </Fragment>
      ))}
      <div>
        <Button
          disabled={!hasRoom || groups.length >= MAX_GROUPS}
          onClick={() => onChange([...groups, [createCondition('path')]])}
        >
          {groups.length === 0 ? '+ a condition' : '+ or something else'}
        </Button>
      </div>
    </div>
  );
}

function JoinWord({ word }: { readonly word: 'and' | 'or' }) {
  return (
    <p className={`rule-join rule-join--${word}`}>
      <span>{word}</span>
    </p>
  );
}

/** A further condition of a group usually looks at something else than those before. */
function chooseNextKind(group: DraftGroup): DraftCondition['kind'] {
  const used = new Set(group.map(({ kind }) => kind));
  return KINDS.find((kind) => !used.has(kind)) ?? 'path';
}
