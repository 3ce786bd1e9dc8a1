import { isJsonObject, type JsonObject } from '../../protocol/index.js';
import { TOOL_META } from './known-fields.js';
import { withMendHint } from './mend-hint.js';
import { nearestName } from './nearest-name.js';

/** A complaint about a place in an entry. */
export interface ToolMetaProblem {
  readonly path: readonly PropertyKey[];
  readonly problem: string;
}

const CHECKS: Readonly<Record<string, { readonly isRight: (value: unknown) => boolean; readonly expected: string }>> = {
  auto_apply: { isRight: (value) => typeof value === 'boolean', expected: 'expected true or false' },
  alias: { isRight: (value) => typeof value === 'string', expected: 'expected a string' },
  tags: {
    isRight: (value) => Array.isArray(value) && value.every((tag) => typeof tag === 'string'),
    expected: 'expected a list of strings',
  },
  ret_object_mapper: { isRight: isJsonObject, expected: 'expected an object' },
};

/** The first field of `tool_meta` and `default_tool_meta` that has a wrong type. Protocol §7.3. */
export function wrongToolMeta(entry: JsonObject): ToolMetaProblem | undefined {
  for (const { path, meta } of toolMetas(entry)) {
    for (const [field, value] of Object.entries(meta)) {
      const check = Object.hasOwn(CHECKS, field) ? CHECKS[field] : undefined;
      if (check !== undefined && value !== null && !check.isRight(value)) {
        return { path: [...path, field], problem: withMendHint(check.expected, meta, [field]) };
      }
    }
  }
  return undefined;
}

/** Fields that are carried along although another one was probably meant: `autoApply`. Others are fine. */
export function misspeltToolMeta(entry: JsonObject): ToolMetaProblem[] {
  return toolMetas(entry).flatMap(({ path, meta }) =>
    Object.keys(meta)
      .filter((field) => !TOOL_META.includes(field))
      .flatMap((field) => {
        const meant = nearestName(field, TOOL_META);
        if (meant === undefined) return [];
        return [{ path: [...path, field], problem: `"${field}" means nothing here; did you mean "${meant}"?` }];
      }),
  );
}

function toolMetas(entry: JsonObject): { readonly path: readonly PropertyKey[]; readonly meta: JsonObject }[] {
  const { default_tool_meta: common, tool_meta: byTool } = entry;
  return [
    ...(isJsonObject(common) ? [{ path: ['default_tool_meta'], meta: common }] : []),
    ...Object.entries(isJsonObject(byTool) ? byTool : {}).flatMap(([tool, meta]) =>
      isJsonObject(meta) ? [{ path: ['tool_meta', tool], meta }] : [],
    ),
  ];
}
