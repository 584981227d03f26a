import { Link } from '@tanstack/react-router';
import { escapeInvisible, shortenAddress } from '../../../base/format-text.ts';
import type { Scope } from '../../../api/scope.ts';
import { CopyButton } from '../../../parts/copy-button.tsx';

/** The id of an order, as a link to its page. */
export function OrderLink({ scope, id }: { readonly scope: Scope; readonly id: string }) {
  const shown = <span title={id}>{escapeInvisible(shortenAddress(id))}</span>;
  return (
    <span className="address-text address-text--mono">
      {scope.kind === 'instance' ? (
        <Link to="/operate/orders/$order" params={{ order: id }} preload={false}>
          {shown}
        </Link>
      ) : (
        <Link
          to="/organisations/$organisation/orders/$order"
          params={{ organisation: scope.organisation, order: id }}
          preload={false}
        >
          {shown}
        </Link>
      )}
      <CopyButton text={id} label="Copy the id of the order" />
    </span>
  );
}
