import { isJsonObject, type JsonObject, type McpServerConfig } from '../../protocol/index.js';
import { OAUTH_FIELDS } from '../login/oauth-settings.js';
import { misspeltToolMeta } from './check-tool-meta.js';
import { ENTRY, FOREIGN_PARAMETERS, HOST_ONLY, PARAMETERS, PARAMETERS_BY_TYPE, SANDBOX } from './known-fields.js';
import { nearestName } from './nearest-name.js';

/** A field of an entry that will not do what it seems to. */
export interface EntryWarning {
  /** Within the entry. */
  readonly path: readonly PropertyKey[];
  /** A sentence that names the field. */
  readonly problem: string;
}

/** What was found in an entry. */
export interface ReadEntry {
  readonly given: JsonObject;
  readonly parameters: JsonObject;
  readonly type: McpServerConfig['type'];
  /** The parameters stand beside the other fields. */
  readonly flat: boolean;
  /** The entry is in the form of other MCP hosts, whose own fields are left out. */
  readonly foreign: boolean;
}

/** What was read in an entry but is not used, or probably misspelt. */
export function serverWarnings(entry: ReadEntry): EntryWarning[] {
  const beside = Object.entries(entry.given).flatMap(([field, value]) =>
    about([field], besideProblem(field, value, entry)),
  );
  const within = entry.flat
    ? []
    : Object.keys(entry.parameters).flatMap((field) =>
        about(['server_parameters', field], withinProblem(field, entry)),
      );
  return [...beside, ...within, ...misspeltToolMeta(entry.given), ...unknownOAuth(entry), ...hostVariables(entry)];
}

function about(path: readonly PropertyKey[], problem: string | undefined): EntryWarning[] {
  return problem === undefined ? [] : [{ path, problem }];
}

function besideProblem(field: string, value: unknown, { type, flat, foreign }: ReadEntry): string | undefined {
  if (ENTRY.includes(field) || HOST_ONLY.includes(field)) return undefined;
  if (SANDBOX.includes(field)) {
    return value === false ? undefined : `"${field}" is not used: this Computer does not confine MCP servers`;
  }
  if (foreign && !FOREIGN_PARAMETERS.includes(field)) {
    const meant = nearestName(field, [...ENTRY, ...FOREIGN_PARAMETERS]);
    return `"${shortened(field)}" is not used by this Computer${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
  }
  if (PARAMETERS.includes(field)) {
    return flat ? otherType(field, type) : `"${field}" is not read here; move it into "server_parameters"`;
  }
  return unknownField(field, flat ? [...ENTRY, ...PARAMETERS_BY_TYPE[type]] : ENTRY);
}

function withinProblem(field: string, { type }: ReadEntry): string | undefined {
  if (PARAMETERS.includes(field)) return otherType(field, type);
  if (ENTRY.includes(field)) return `"${field}" is not read here; move it out of "server_parameters"`;
  return unknownField(field, PARAMETERS_BY_TYPE[type]);
}

function otherType(field: string, type: McpServerConfig['type']): string | undefined {
  return PARAMETERS_BY_TYPE[type].includes(field) ? undefined : `"${field}" is not used by a server of type "${type}"`;
}

/** A field that this version does not know is kept, as the protocol asks, but nothing comes of it. */
function unknownField(field: string, known: readonly string[]): string {
  const meant = nearestName(field, known);
  const ending = meant === undefined ? 'it has no effect' : `did you mean "${meant}"?`;
  return `"${shortened(field)}" is not a known field; ${ending}`;
}

function shortened(field: string): string {
  return field.length > 40 ? `${field.slice(0, 40)}…` : field;
}

function unknownOAuth({ parameters, flat }: ReadEntry): EntryWarning[] {
  const { oauth } = parameters;
  if (!isJsonObject(oauth)) return [];
  const place = flat ? ['oauth'] : ['server_parameters', 'oauth'];
  return Object.keys(oauth)
    .filter((field) => !OAUTH_FIELDS.includes(field))
    .map((field) => ({ path: [...place, field], problem: unknownField(field, OAUTH_FIELDS) }));
}

/** What VS Code fills in by itself. The texts stay as they are: an argument may well want to look like this. */
const HOST_VARIABLE = /\$\{(workspaceFolder|workspaceFolderBasename|userHome|pathSeparator|config:|command:)/;

function hostVariables({ parameters, flat, foreign }: ReadEntry): EntryWarning[] {
  return Object.entries(parameters).flatMap(([field, value]) => {
    if (field === 'envFile' || (foreign && !FOREIGN_PARAMETERS.includes(field))) return [];
    const found = textsWithin(value)
      .map((text) => HOST_VARIABLE.exec(text)?.[1])
      .find((name) => name !== undefined);
    if (found === undefined) return [];
    const shown = found.endsWith(':') ? `\${${found}…}` : `\${${found}}`;
    const problem = `"${field}" holds ${shown}, which only VS Code fills in; write its value, or use \${env:NAME} or \${input:ID}`;
    return [{ path: flat ? [field] : ['server_parameters', field], problem }];
  });
}

function textsWithin(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsWithin);
  return isJsonObject(value) ? Object.values(value).flatMap(textsWithin) : [];
}
