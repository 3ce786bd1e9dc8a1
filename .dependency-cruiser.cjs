/** Who may import whom. The picture of this file is docs/architecture.md. */
const only = (from, allowed) => ({
  name: `${from}-imports-only-${allowed.join('-or-') || 'itself'}`,
  severity: 'error',
  from: { path: `^src/${from}/` },
  to: { path: '^src/', pathNot: `^src/(${[from, ...allowed].join('|')})/` },
});

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    only('protocol', []),
    only('server', ['protocol']),
    only('client', ['protocol']),
    only('agent', ['protocol', 'client']),
    only('computer', ['protocol', 'client']),
    only('mcp-server', ['protocol']),
    only('cli', ['protocol', 'client', 'agent', 'computer', 'server', 'mcp-server']),
    { name: 'no-circular', severity: 'error', from: {}, to: { circular: true } },
    {
      name: 'no-orphans',
      severity: 'error',
      from: { orphan: true, pathNot: '(\\.test(-d)?\\.ts|/index\\.ts|/main\\.ts)$' },
      to: {},
    },
    {
      name: 'protocol-is-runtime-neutral',
      comment: 'protocol must load in a browser: no Node built-ins, no sockets, nothing from npm but zod',
      severity: 'error',
      from: { path: '^src/protocol/', pathNot: '\\.test(-d)?\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'agent-runs-in-browsers',
      comment: 'the Agent and the connection it uses must load in a browser: no Node built-ins outside a node/ folder',
      severity: 'error',
      from: { path: '^src/(agent|client)/', pathNot: '\\.test(-d)?\\.ts$|^src/agent/node/' },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'mcp-server-runs-anywhere',
      comment: 'servers run in workers too, on an SDK of their own: no Node built-ins, types of the SDK only',
      severity: 'error',
      from: { path: '^src/mcp-server/', pathNot: '\\.test(-d)?\\.ts$' },
      to: { dependencyTypes: ['core', 'npm'], dependencyTypesNot: ['type-only'], pathNot: 'node_modules/zod/' },
    },
    {
      name: 'layers-of-the-command-line',
      comment:
        'what shows and asks knows nothing of commands; the engine of the shells knows no shell; the shells do not know each other',
      severity: 'error',
      from: { path: '^src/cli/(terminal|shell)/', pathNot: '\\.test\\.ts$' },
      to: { path: '^src/cli/(commands|computer-shell|agent-shell|table|owner|doctor|import|demo)/' },
    },
    {
      name: 'shells-do-not-know-each-other',
      severity: 'error',
      from: { path: '^src/cli/(computer|agent)-shell/' },
      to: { path: '^src/cli/(computer|agent)-shell/', pathNot: '^src/cli/$1-shell/' },
    },
    {
      name: 'parts-are-entered-by-their-front-door',
      comment:
        'another part is imported through its index.ts only; what needs no schema of the protocol, by basics.ts too',
      severity: 'error',
      from: { path: '^src/(agent|client|computer|server|mcp-server|cli)/', pathNot: '\\.test(-d)?\\.ts$' },
      to: {
        path: '^src/(protocol|client|agent|computer|server|mcp-server)/',
        pathNot: '^src/$1/|/index\\.ts$|^src/protocol/basics\\.ts$',
      },
    },
  ],
  options: {
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
  },
};
