import { useParams } from '@tanstack/react-router';
import { useOrganisationScope } from '../../parts/manage/use-organisation-scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { OrderPage } from './order/order-page.tsx';

/** One order of an organisation, and why it ended as it did. */
export function OrganisationOrderPage() {
  const scope = useOrganisationScope();
  const { order = '' } = useParams({ strict: false });
  return (
    <ManageFrame scope={scope} title="Order" what="Orders">
      <OrderPage key={order} scope={scope} id={order} />
    </ManageFrame>
  );
}
