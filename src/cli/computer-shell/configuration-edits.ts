import { isDeepStrictEqual } from 'node:util';
import type { Computer, ComputerConfig, ConfigEdit } from '../../computer/index.js';

/**
 * What has to change in a configuration file so that it says what the Computer has now. Entries that say it already stay
 * as they were written.
 *
 * @param options - `later`: the files that win over this one; the last one gets what is new.
 * @returns the changes, by what the file holds.
 */
export async function configurationEdits(
  computer: Computer,
  file: string,
  { later }: { readonly later: readonly string[] },
): Promise<(document: unknown) => ConfigEdit[]> {
  const { pathOfServer, readConfig, readConfigFiles } = await import('../../computer/index.js');
  const own = await readConfigFiles([file]);
  const winning = later.length === 0 ? undefined : await readConfigFiles(later);
  const now = computer.configuration();
  const wanted = readConfig(now);
  return (document) => [
    ...Object.entries(now.servers).flatMap(([name, value]): ConfigEdit[] => {
      const path = pathOfServer(document, name) ?? (winning === undefined ? ['servers', name] : undefined);
      const isSaid = isDeepStrictEqual(own.servers.get(name)?.config, wanted.servers.get(name)?.config);
      return path === undefined || isSaid || winning?.servers.has(name) === true ? [] : [{ path, value }];
    }),
    ...[...own.servers.keys()].flatMap((name): ConfigEdit[] => {
      const path = wanted.servers.has(name) ? undefined : pathOfServer(document, name);
      return path === undefined ? [] : [{ path, value: undefined }];
    }),
    ...inputEdits(own, wanted, { value: now.inputs, isLast: winning === undefined }),
  ];
}

/** The last file gets all inputs: it wins over those of the others by their ids. */
function inputEdits(
  own: ComputerConfig,
  wanted: ComputerConfig,
  { value, isLast }: { readonly value: unknown; readonly isLast: boolean },
): ConfigEdit[] {
  const gone = [...own.inputs.keys()].filter((id) => !wanted.inputs.has(id));
  if (isLast) return isDeepStrictEqual([...own.inputs], [...wanted.inputs]) ? [] : [{ path: ['inputs'], value }];
  if (gone.length === 0) return [];
  return [{ path: ['inputs'], value: [...own.inputs.values()].filter(({ id }) => wanted.inputs.has(id)) }];
}
