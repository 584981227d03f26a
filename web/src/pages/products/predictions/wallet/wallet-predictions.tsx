import { WalletPanel } from '../../frame/wallet-panel.tsx';
import { OpenOrders } from './open-orders.tsx';
import { Positions } from './positions.tsx';
import { PredictionHistoryPanel } from './history.tsx';
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
          <ProfilePanel address={address} />
          <Positions address={address} />
          <OpenOrders address={address} />
          <PredictionHistoryPanel key={address} address={address} />
        </>
      )}
    </WalletPanel>
  );
}
