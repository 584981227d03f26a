import { Prose } from '../../parts/prose.tsx';
import { toExactJson, formatExactJson } from '../../base/exact-json.ts';
import type { ApiParameter } from '../../openapi/model/api-model.ts';
import { describeBounds, listVariants, type NamedNodes, resolveNode } from '../../openapi/model/schema.ts';
import { describeType } from '../../openapi/model/type-label.ts';

const PLACE_TITLES: Readonly<Record<ApiParameter['place'], string>> = {
  path: 'In the path',
  query: 'In the query',
  header: 'In the headers',
};

/** The parameters of an operation by their places. */
export function ParameterList({
  parameters,
  named,
}: {
  readonly parameters: readonly ApiParameter[];
  readonly named: NamedNodes;
}) {
  const places = (['path', 'query', 'header'] as const).filter((place) =>
    parameters.some((each) => each.place === place),
  );
  return places.map((place) => (
    <div key={place} className="schema-tree">
      <h3 className="operation-view__subtitle">{PLACE_TITLES[place]}</h3>
      <ul>
        {parameters
          .filter((each) => each.place === place)
          .map((parameter) => (
            <ParameterItem key={parameter.name} parameter={parameter} named={named} />
          ))}
      </ul>
    </div>
  ));
}

function ParameterItem({
  parameter,
  named,
}: {
  readonly parameter: ApiParameter;
  readonly named: NamedNodes;
}) {
  const { name, isRequired, description, schema, example } = parameter;
  const node = resolveNode(schema, named);
  const bounds = [...new Set([node, ...listVariants(node)].map(describeBounds))].filter(
    (text) => text !== '',
  );
  return (
    <li className="schema-tree__member">
      <div className="schema-tree__head">
        <code className="schema-tree__name">{name}</code>
        <code className="schema-tree__type">{describeType(schema)}</code>
        {isRequired ? <span className="schema-tree__required">required</span> : null}
        {bounds.length === 0 ? null : <span className="schema-tree__note">{bounds.join('; ')}</span>}
        {node.default === undefined ? null : (
          <span className="schema-tree__note">
            default <code>{formatExactJson(toExactJson(node.default))}</code>
          </span>
        )}
      </div>
      {description === '' ? null : (
        <p className="schema-tree__text">
          <Prose text={description} />
        </p>
      )}
      {example === undefined ? null : (
        <p className="schema-tree__text">
          Example: <code className="schema-tree__example">{String(example)}</code>
        </p>
      )}
    </li>
  );
}
