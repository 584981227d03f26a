import { useInstance } from '../../../api/instance.ts';
import { Button } from '../../../parts/button.tsx';
import { Disclosure } from '../../../parts/disclosure.tsx';
import { Field } from '../../../parts/field.tsx';
import { useThrowawayWallet } from '../../../wallet/use-throwaway-wallet.ts';
import { type RequestField, type RouteRequest, usesTaker } from '../quote/route-request.ts';
import { VenueChoice } from './venue-choice.tsx';

interface OptionsProps {
  readonly draft: RouteRequest;
  readonly getError: (field: RequestField) => string | null;
  readonly onChange: (part: Partial<RouteRequest>) => void;
}

/** What most quotes leave as it is. It is open where the request says otherwise. */
export function RouteOptions({ draft, getError, onChange }: OptionsProps) {
  const isUsual =
    draft.slippage === '' &&
    draft.taker === '' &&
    draft.venueRule === 'all' &&
    draft.splits &&
    !draft.direct &&
    !draft.anyIntermediate &&
    draft.maxAccounts === '';
  return (
    <Disclosure
      summary={`More options: ${usesTaker(draft) ? 'taker, slippage, venues' : 'slippage, venues, shape of the route'}`}
      open={!isUsual}
    >
      <div className="route-form__options">
        {usesTaker(draft) ? <TakerField draft={draft} getError={getError} onChange={onChange} /> : null}
        <Field
          label="Slippage"
          note="basis points"
          error={getError('slippage')}
          help={
            usesTaker(draft) ? 'Empty: estimated for this swap.' : 'Empty: 50 basis points, half a percent.'
          }
        >
          {(control) => (
            <input
              {...control}
              inputMode="numeric"
              autoComplete="off"
              value={draft.slippage}
              onChange={(event) => onChange({ slippage: event.target.value.trim() })}
            />
          )}
        </Field>
        <ShapeFields draft={draft} getError={getError} onChange={onChange} />
        <VenueChoice draft={draft} onChange={onChange} />
      </div>
    </Disclosure>
  );
}

function TakerField({ draft, getError, onChange }: OptionsProps) {
  const { data: instance } = useInstance();
  const { wallet, create } = useThrowawayWallet();
  const demo = instance?.demoWallet ?? null;
  const take = () => {
    if (wallet.kind === 'ready') onChange({ taker: wallet.key.address });
    else void create().then(({ address }) => onChange({ taker: address }));
  };
  return (
    <div className="route-form__taker">
      <Field
        label="Taker"
        note="optional"
        error={getError('taker')}
        help="The wallet that would swap. With it, the costs of the network are known, and Sluice builds a transaction."
      >
        {(control) => (
          <input
            {...control}
            className="route-form__address"
            autoComplete="off"
            spellCheck={false}
            placeholder="Address of a wallet"
            value={draft.taker}
            onChange={(event) => onChange({ taker: event.target.value.trim() })}
          />
        )}
      </Field>
      <div className="route-form__buttons">
        {wallet.kind === 'ready' || wallet.kind === 'absent' ? (
          <Button onClick={take}>
            {wallet.kind === 'ready' ? 'Throwaway wallet' : 'New throwaway wallet'}
          </Button>
        ) : null}
        {demo === null ? null : <Button onClick={() => onChange({ taker: demo })}>Demo wallet</Button>}
        {draft.taker === '' ? null : (
          <Button kind="quiet" onClick={() => onChange({ taker: '' })}>
            No taker
          </Button>
        )}
      </div>
    </div>
  );
}

function ShapeFields({ draft, getError, onChange }: OptionsProps) {
  if (draft.source === 'order') return null;
  if (draft.source === 'pools') {
    return (
      <Toggle
        label="Split the amount over several pools"
        checked={draft.splits}
        onChange={(splits) => onChange({ splits })}
      />
    );
  }
  return (
    <>
      <div className="route-form__toggles">
        <Toggle
          label="Direct routes only: a single pool"
          checked={draft.direct}
          onChange={(direct) => onChange({ direct })}
        />
        <Toggle
          label="Lead through any token, not only the large ones"
          checked={draft.anyIntermediate}
          onChange={(anyIntermediate) => onChange({ anyIntermediate })}
        />
      </div>
      <Field
        label="Most accounts"
        note="optional"
        error={getError('maxAccounts')}
        help="What the pools of the route may name, so that a transaction has room for more. Empty: 64."
      >
        {(control) => (
          <input
            {...control}
            inputMode="numeric"
            autoComplete="off"
            value={draft.maxAccounts}
            onChange={(event) => onChange({ maxAccounts: event.target.value.trim() })}
          />
        )}
      </Field>
    </>
  );
}

function Toggle({
  label,
  checked,
  onChange,
}: {
  readonly label: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}) {
  return (
    <label className="route-form__toggle">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.target.checked)} />
      {label}
    </label>
  );
}
