import { useRawQuery } from '../../../../api/raw-query.ts';
import { getItems } from '../../../../base/read-json.ts';
import { WalletPanel } from '../../frame/wallet-panel.tsx';
import { formatHistoryPath, PredictionHistoryPanel } from './history.tsx';
import { OpenOrders } from './open-orders.tsx';
import { formatPositionsPath, Positions } from './positions.tsx';
import { ProfilePanel } from './profile.tsx';

/** What a wallet holds, has ordered and has won. */
export function WalletPredictions({
  named,
  onChange,
}: {
  /** The member `address` of the page's query. */
  readonly named: string | undefined;
  /** Called with the address of another wallet. */
  readonly onChange: (address: string) => void;
}) {
  return (
    <WalletPanel named={named} onChange={onChange}>
      {(address) => (
        <>
          <ProfileOfTrader address={address} />
          <Positions address={address} />
          <OpenOrders address={address} />
          <PredictionHistoryPanel key={address} address={address} />
        </>
      )}
    </WalletPanel>
  );
}

/** A wallet that has neither traded nor a position has no profile, and the interface says so by a failure. So none is asked for. */
function ProfileOfTrader({ address }: { readonly address: string }) {
  // The panels below ask the same, and each path is asked once.
  const history = useRawQuery(formatHistoryPath(address, 1));
  const positions = useRawQuery(formatPositionsPath(address));
  const hasTraded = [history, positions].some(({ data }) => getItems(data?.exact, 'data').length > 0);
  return hasTraded ? <ProfilePanel address={address} /> : null;
}
