import './predictions.css';
import { ChoiceBar } from '../../../parts/choice-bar.tsx';
import { usePageSearch } from '../../../parts/page-search.ts';
import { ProductFrame } from '../frame/product-frame.tsx';
import { EventDetail } from './event/event-view.tsx';
import { EventList } from './events/event-list.tsx';
import { Leaderboard } from './everybody/leaderboard.tsx';
import { PredictionTradeList } from './everybody/prediction-trades.tsx';
import { RoundList } from './rounds/round-list.tsx';
import { WalletPredictions } from './wallet/wallet-predictions.tsx';

/** Markets about events: what is asked, what each side costs, and what wallets hold and have won. */
export function PredictionsPage() {
  return (
    <ProductFrame
      view="predictions"
      lead="Questions that are answered by yes or no. A contract of the side that wins pays one dollar."
    >
      <Predictions />
    </ProductFrame>
  );
}

function Predictions() {
  const [search, change] = usePageSearch();
  const view = VIEWS.find(([name]) => name === search.view)?.[0] ?? 'events';
  return (
    <>
      <ChoiceBar
        label="What is shown"
        choices={VIEWS}
        chosen={view}
        onChoose={(next) =>
          change({ view: next === 'events' ? null : next, event: null, market: null, page: null })
        }
      />
      {view === 'rounds' ? (
        <RoundList />
      ) : view === 'wallet' ? (
        <WalletPredictions named={search.address} onChange={(address) => change({ address })} />
      ) : view === 'trades' ? (
        <PredictionTradeList />
      ) : view === 'leaders' ? (
        <Leaderboard />
      ) : search.event !== undefined ? (
        <EventDetail key={search.event} eventId={search.event} />
      ) : (
        <EventList />
      )}
    </>
  );
}

const VIEWS = [
  ['events', 'Events'],
  ['rounds', 'Rounds of minutes'],
  ['wallet', 'A wallet'],
  ['trades', 'Trades'],
  ['leaders', 'Leaderboard'],
] as const;
