import { useDocsUrl } from '../../../api/instance.ts';
import { DetailText } from './detail-text.tsx';
import type { CheckedSituation } from '../source/check-shapes.ts';
import { findAdvice } from './checklist.ts';

/** The signs of the outcomes. The word beside each says the same. */
const MARKS: Readonly<Record<string, string>> = { passed: '✓', failed: '✗', skipped: '–', missing: '–' };

/** The words for outcomes that are not their own. */
const OUTCOMES: Readonly<Record<string, string>> = { missing: 'not reached' };

/** The situations of a check as a checklist. */
export function SituationList({
  situations,
  kind,
}: {
  readonly situations: readonly CheckedSituation[];
  readonly kind: string;
}) {
  return (
    <ol className="check-list">
      {situations.map((situation) => (
        <SituationItem key={situation.situation} situation={situation} kind={kind} />
      ))}
    </ol>
  );
}

function SituationItem({
  situation: { situation, meaning, outcome, detail },
  kind,
}: {
  readonly situation: CheckedSituation;
  readonly kind: string;
}) {
  const docs = useDocsUrl();
  const advice = findAdvice(situation, kind);
  return (
    <li className="check-item" data-outcome={outcome} data-situation={situation}>
      <span className="check-item__mark" aria-hidden="true">
        {outcome === 'running' ? <span className="button__spinner" /> : (MARKS[outcome] ?? '')}
      </span>
      <div className="check-item__head">
        <span className="check-item__name">{situation}</span>
        {outcome === 'planned' ? null : (
          <span className="check-item__outcome">{OUTCOMES[outcome] ?? outcome}</span>
        )}
      </div>
      <p className="check-item__meaning">{meaning}</p>
      {detail === null ? null : (
        <p className="check-item__detail">
          <DetailText text={detail} />
        </p>
      )}
      {outcome === 'failed' ? (
        <p>
          <a href={`${docs}/${advice.page}`}>{advice.text}</a>
        </p>
      ) : null}
    </li>
  );
}
