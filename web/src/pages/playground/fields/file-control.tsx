import { formatWhole } from '../../../base/format-amount.ts';
import { ABSENT, type FormValue } from '../../../openapi/form/values.ts';
import type { FieldControl } from '../../../parts/field.tsx';

/** Chooses a file. It is read when the request is sent. */
export function FileControl({
  control,
  path,
  value,
  onChange,
}: {
  readonly control: FieldControl;
  readonly path: string;
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
}) {
  const choose = (file: File | undefined) =>
    onChange(
      file === undefined
        ? ABSENT
        : { kind: 'upload', file: { name: file.name, type: file.type, content: file } },
    );
  return (
    <>
      <input
        {...control}
        type="file"
        data-path={path}
        onChange={(event) => choose(event.target.files?.[0])}
      />
      {value.kind === 'upload' ? (
        <p className="field__help">
          {value.file.name}, {formatWhole(value.file.content.size)} bytes
          {value.file.type === '' ? '' : `, ${value.file.type}`}
        </p>
      ) : null}
    </>
  );
}
