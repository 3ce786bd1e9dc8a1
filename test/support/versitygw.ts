import { spawnSync } from 'node:child_process';

/** The program of an S3 server. */
export const VERSITYGW = process.env['VERSITYGW'] ?? 'versitygw';

/** How to get it. */
export const VERSITYGW_SETUP =
  'go install github.com/versity/versitygw/cmd/versitygw@v1.8.0, then run the tests with ' +
  'VERSITYGW=$(go env GOPATH)/bin/versitygw';

/** Whether it is there. */
export function hasVersitygw(): boolean {
  return spawnSync(VERSITYGW, ['--version']).status === 0;
}
