import { sendAdmin } from '../../api/admin.ts';
import type { KeylessLine } from '../../api/organisations/organisation-shapes.ts';
import { formatWhole } from '../../base/format-amount.ts';
import { RemovalDialog } from '../../parts/manage/removal-dialog.tsx';
import { useChange } from '../../parts/manage/use-change.ts';
import { LIMIT_NAMES } from './plan-columns.tsx';

/** Gives a plan its usual limits again. */
export function ResetLimitsDialog({
  line,
  onClose,
}: {
  readonly line: KeylessLine;
  readonly onClose: () => void;
}) {
  const change = useChange();
  const path = `/admin/v1/plans/${encodeURIComponent(line.name)}`;
  return (
    <RemovalDialog
      title={`Reset the limits of ${line.name}?`}
      action="Reset the limits"
      change={change}
      onConfirm={() => change.start(() => sendAdmin('DELETE', path), onClose)}
      onClose={onClose}
    >
      <ul className="manage-list">
        {LIMIT_NAMES.map(([bucket, noun]) => (
          <li key={bucket}>
            {noun} in any 60 seconds: {formatWhole(line.usual[bucket])}
            {line.usual[bucket] === line[bucket] ? ', as now' : `, now ${formatWhole(line[bucket])}`}
          </li>
        ))}
      </ul>
    </RemovalDialog>
  );
}
