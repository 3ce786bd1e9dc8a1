import type { Computer } from '../../computer/index.js';
import { isJsonObject } from '../../protocol/index.js';

/** A value whose placeholders were resolved, for a person: what came from inputs that may be secret is masked. */
export function shownRendering(source: unknown, rendered: unknown, computer: Computer): unknown {
  const open = new Set(
    computer
      .inputValues()
      .filter(({ value }) => value !== undefined)
      .map(({ id }) => id),
  );
  return shown(source, rendered, { computer, open });
}

interface Context {
  readonly computer: Computer;
  /** The inputs whose values may be shown. */
  readonly open: ReadonlySet<string>;
}

function shown(source: unknown, rendered: unknown, context: Context): unknown {
  if (Array.isArray(source) && Array.isArray(rendered)) {
    return source.map((item, index) => shown(item, rendered[index], context));
  }
  if (isJsonObject(source) && isJsonObject(rendered)) {
    return Object.fromEntries(
      Object.entries(source).map(([key, value]) => [key, shown(value, rendered[key], context)]),
    );
  }
  if (typeof source !== 'string') return rendered;
  const names = [...source.matchAll(/\$\{(?:input:)?([^}]*)\}/g)].map(([, name = '']) => name);
  return names.every((name) => context.open.has(name)) ? rendered : context.computer.redact(rendered);
}
