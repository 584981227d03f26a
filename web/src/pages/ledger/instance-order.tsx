import { useParams } from '@tanstack/react-router';
import { INSTANCE_SCOPE } from '../../api/scope.ts';
import { ManageFrame } from '../../parts/manage/manage-frame.tsx';
import { OrderPage } from './order/order-page.tsx';

/** One order of all organisations, and why it ended as it did. */
export function InstanceOrderPage() {
  const { order = '' } = useParams({ strict: false });
  return (
    <ManageFrame scope={INSTANCE_SCOPE} title="Order" what="Orders">
      <OrderPage key={order} scope={INSTANCE_SCOPE} id={order} />
    </ManageFrame>
  );
}
