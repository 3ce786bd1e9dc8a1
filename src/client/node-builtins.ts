/**
 * Node itself, where there is one: its built-in modules are had through `getBuiltinModule`, which no bundler sees, so
 * that a page neither loads nor misses them.
 */
export function nodeProcess(): Pick<NodeJS.Process, 'getBuiltinModule'> | undefined {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  const { getBuiltinModule } = process ?? {};
  return getBuiltinModule === undefined ? undefined : { getBuiltinModule };
}
