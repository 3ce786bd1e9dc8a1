import { posix, win32 } from 'node:path';

/** The machine on which configurations of other hosts are looked for. */
export interface HostContext {
  /** The user's home folder. */
  readonly home: string;
  readonly platform: NodeJS.Platform;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The project whose own configurations count too: an absolute path. */
  readonly project: string;
}

/** How paths are written on that machine. */
export function pathsLike({ platform }: HostContext): typeof posix {
  return platform === 'win32' ? win32 : posix;
}
