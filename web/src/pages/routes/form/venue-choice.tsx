import { useQuery } from '@tanstack/react-query';
import { callApi } from '../../../api/call.ts';
import { Field } from '../../../parts/field.tsx';
import type { RouteRequest } from '../quote/route-request.ts';

/** Chooses venues that alone may take part, or that may not. */
export function VenueChoice({
  draft,
  onChange,
}: {
  readonly draft: RouteRequest;
  readonly onChange: (part: Partial<RouteRequest>) => void;
}) {
  const { data: labels = [] } = useVenueLabels();
  const shown = [...new Set([...labels, ...draft.venues])];
  const toggle = (label: string, isChosen: boolean) =>
    onChange({
      venues: isChosen ? [...draft.venues, label] : draft.venues.filter((venue) => venue !== label),
    });
  return (
    <div className="route-form__venues" data-listed={draft.venueRule !== 'all'}>
      <Field label="Venues">
        {(control) => (
          <select
            {...control}
            value={draft.venueRule}
            onChange={(event) => onChange({ venueRule: event.target.value as RouteRequest['venueRule'] })}
          >
            <option value="all">All venues</option>
            <option value="only">Only those that are marked</option>
            <option value="except">All but those that are marked</option>
          </select>
        )}
      </Field>
      {draft.venueRule === 'all' ? null : (
        <fieldset className="route-form__labels">
          <legend className="visually-hidden">Marked venues</legend>
          {shown.map((label) => (
            <label key={label} className="route-form__toggle">
              <input
                type="checkbox"
                checked={draft.venues.includes(label)}
                onChange={(event) => toggle(label, event.target.checked)}
              />
              {label}
            </label>
          ))}
        </fieldset>
      )}
    </div>
  );
}

/** Reads the labels of all venues that have a program here. */
function useVenueLabels() {
  return useQuery({
    queryKey: ['venue-labels'],
    queryFn: async () => {
      const labels = await callApi<Record<string, unknown>>('/swap/v2/program-id-to-label');
      return Object.values(labels)
        .filter((label) => typeof label === 'string')
        .sort();
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
