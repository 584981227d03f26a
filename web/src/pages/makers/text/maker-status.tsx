import { Badge } from '../../../parts/badge.tsx';

const TONES: Readonly<Record<string, 'good' | 'warning' | 'danger'>> = {
  prod: 'good',
  suspended: 'danger',
  offline: 'warning',
};

/** The status of a maker or of a webhook, in its own word. */
export function MakerStatusBadge({ status }: { readonly status: string }) {
  return <Badge tone={TONES[status] ?? 'plain'}>{status}</Badge>;
}
