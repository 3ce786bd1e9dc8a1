/** Variables that are never a secret, and that messages must be able to name: the PATH that was searched. */
export const EVERYDAY_VARIABLE = new RegExp(
  `^(${[
    'PATH|HOME|PWD|SHELL|TERM|TMPDIR|TEMP|TMP|TZ|USER|USERNAME|LOGNAME|HOSTNAME|LANG|LC_\\w+|XDG_\\w+_(HOME|DIRS?)',
    'NODE_ENV|NODE_PATH|PYTHONPATH|LOG_LEVEL',
    'APPDATA|LOCALAPPDATA|COMSPEC|HOMEDRIVE|HOMEPATH|PATHEXT|PROGRAMDATA|PROGRAMFILES|SYSTEMDRIVE|SYSTEMROOT',
    'USERPROFILE|WINDIR',
  ].join('|')})$`,
  'i',
);

/** Headers that are never a secret. */
export const EVERYDAY_HEADER = /^(accept|accept-\w+|content-type|user-agent)$/i;
