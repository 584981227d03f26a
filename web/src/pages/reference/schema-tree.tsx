import './schema-tree.css';
import { useState } from 'react';
import { Prose } from '../../parts/prose.tsx';
import { describeBounds, type NamedNodes, resolveNode, type SchemaNode } from '../../openapi/model/schema.ts';
import { describeType, listInnerObjects, type ObjectMember } from '../../openapi/model/type-label.ts';

/** Types with more members are closed at first, so that a page does not begin with a long list. */
const MAX_OPEN_MEMBERS = 24;

/**
 * The members of a schema, each with its type and what it means. A member that is an object is opened on request, and rendered
 * then, so that a schema may contain itself.
 */
export function SchemaTree({ schema, named }: { readonly schema: SchemaNode; readonly named: NamedNodes }) {
  const objects = listInnerObjects(schema, named);
  if (objects.length === 0)
    return (
      <p className="schema-tree__leaf">
        <code>{describeType(schema)}</code> {describeBounds(resolveNode(schema, named))}
      </p>
    );
  return (
    <div className="schema-tree">
      {objects.map(({ name, members }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the alternatives of one schema never change.
        <div key={index} className="schema-tree__object">
          {objects.length > 1 ? (
            <p className="schema-tree__variant">
              {index === 0 ? 'One of: ' : 'Or: '}
              <code>{name ?? 'object'}</code>
            </p>
          ) : null}
          {members.length === 0 ? <p className="schema-tree__leaf">An object without members.</p> : null}
          <ul>
            {members.map((member) => (
              <SchemaMember key={member.name} member={member} named={named} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

function SchemaMember({ member, named }: { readonly member: ObjectMember; readonly named: NamedNodes }) {
  const { name, schema, isRequired } = member;
  const [isOpen, setOpen] = useState(false);
  const node = resolveNode(schema, named);
  const bounds = describeBounds(node);
  const inner = listInnerObjects(schema, named);
  const count = inner.reduce((sum, { members }) => sum + members.length, 0);
  return (
    <li className="schema-tree__member">
      <div className="schema-tree__head">
        <code className="schema-tree__name">{name}</code>
        <code className="schema-tree__type">{describeType(schema)}</code>
        {isRequired ? null : <span className="schema-tree__note">optional</span>}
        {node.deprecated === true ? <span className="schema-tree__note">deprecated</span> : null}
        {bounds === '' ? null : <span className="schema-tree__note">{bounds}</span>}
        {node.default === undefined ? null : (
          <span className="schema-tree__note">
            default <code>{JSON.stringify(node.default)}</code>
          </span>
        )}
      </div>
      {node.description === undefined ? null : (
        <p className="schema-tree__text">
          <Prose text={node.description} />
        </p>
      )}
      {count === 0 ? null : (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>
            {count} {count === 1 ? 'member' : 'members'}
          </summary>
          {isOpen ? <SchemaTree schema={schema} named={named} /> : null}
        </details>
      )}
    </li>
  );
}

/** A schema under a summary, closed where it is long. */
export function SchemaDisclosure({
  label,
  schema,
  named,
}: {
  readonly label: string;
  readonly schema: SchemaNode;
  readonly named: NamedNodes;
}) {
  const count = listInnerObjects(schema, named).reduce((sum, { members }) => sum + members.length, 0);
  const [isOpen, setOpen] = useState(count <= MAX_OPEN_MEMBERS);
  return (
    <details
      className="schema-tree__disclosure"
      open={isOpen}
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>
        {label} <code>{describeType(schema)}</code>
      </summary>
      {isOpen ? <SchemaTree schema={schema} named={named} /> : null}
    </details>
  );
}
