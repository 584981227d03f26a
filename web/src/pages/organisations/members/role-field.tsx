import { Field } from '../../../parts/field.tsx';
import { MEMBER_ROLES } from './member-rules.ts';

/** Chooses a role, and says what it may do. */
export function RoleField({
  roles,
  value,
  onChange,
}: {
  readonly roles: readonly string[];
  readonly value: string;
  readonly onChange: (role: string) => void;
}) {
  const may = MEMBER_ROLES.find(([role]) => role === value)?.[1];
  return (
    <Field label="Role" help={may === undefined ? undefined : `May change ${may}.`}>
      {(control) => (
        <select {...control} value={value} onChange={({ target }) => onChange(target.value)}>
          {roles.map((role) => (
            <option key={role} value={role}>
              {role}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
