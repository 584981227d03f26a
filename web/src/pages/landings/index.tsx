import './landings.css';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { usePageSearch } from '../../parts/page-search.ts';
import { LandingList } from './landing-list.tsx';
import { LandingPanel } from './landing-panel.tsx';

/** The transactions that clients submitted for landing, and what became of them. */
export function LandingsPage() {
  const [search, change] = usePageSearch();
  const { landing } = search;
  return (
    <ManageFrame
      scope={INSTANCE_SCOPE}
      title="Landings"
      lead="Signed transactions that clients submitted, and what became of them. They are kept for seven days."
      what="The landings of all organisations"
    >
      <div className="landings">
        {landing === undefined ? null : (
          <LandingPanel key={landing} name={landing} onClose={() => change({ landing: null })} />
        )}
        <LandingList search={search} onChange={change} />
      </div>
    </ManageFrame>
  );
}
