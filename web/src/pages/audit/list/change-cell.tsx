import { escapeInvisible } from '../../../base/format-text.ts';
import { compareAuditSides } from '../text/audit-change.ts';
import type { AuditLine } from './audit-queries.ts';

/** What a change replaced: each value as it was and as it is. */
export function ChangeCell({ entry: { before, after } }: { readonly entry: AuditLine }) {
  const { shown, more } = compareAuditSides(before, after);
  if (shown.length === 0) return <span className="audit-muted">nothing further</span>;
  return (
    <dl className="audit-change">
      {shown.map(({ name, before: old, after: current }) => (
        <div key={name}>
          <dt>{escapeInvisible(name)}</dt>
          <dd>
            {old === null ? null : <del>{escapeInvisible(old)}</del>}
            {old === null || current === null ? null : <span aria-hidden="true"> → </span>}
            {current === null ? null : <ins>{escapeInvisible(current)}</ins>}
          </dd>
        </div>
      ))}
      {more === 0 ? null : (
        <div>
          <dt>and {more} more</dt>
          <dd />
        </div>
      )}
    </dl>
  );
}
