import { X509Certificate } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { proxyLabel } from '../../../client/index.js';
import { proxyFor } from '../../flags/proxy-environment.js';
import { fail, ok, orElse, warn, type Check, type Finding } from '../check.js';
import type { DoctorContext } from '../context.js';

const DAY_MS = 24 * 3_600_000;
const SOON_DAYS = 14;

/** Proxy, authorities and client certificate that are in force. */
export const networkCheck: Check = {
  id: 'network',
  title: 'network',
  run: async (context) => {
    const { options } = context.network();
    const now = context.machine.now();
    const findings = [
      ...proxyFindings(context),
      ...(options.cert === undefined ? [] : [judgeCertificate('the client certificate', options.cert, now)]),
      ...(await Promise.all(context.flags.ca.map((file) => judgeAuthorities(file, now)))),
      ...(await nodesAuthorities(context)),
      ...insecure(context),
    ];
    return orElse(findings, ok('no proxy, no authority of its own'));
  },
};

function proxyFindings({ flags, machine }: DoctorContext): readonly Finding[] {
  const target = flags.server !== undefined && URL.canParse(flags.server) ? flags.server : 'https://example.com';
  const chosen = proxyFor(new URL(target), machine.env, flags.proxy);
  if (chosen !== undefined) return [ok(`proxy ${proxyLabel(new URL(chosen.proxy))}, from ${chosen.from}`)];
  const other = proxyFor(new URL('https://example.com'), machine.env, flags.proxy);
  if (other === undefined) return [];
  return [
    ok(`the Server is reached directly; elsewhere proxy ${proxyLabel(new URL(other.proxy))}, from ${other.from}`),
  ];
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g;

/** A file may hold all authorities of the world, some of which are long past: that is no fault. */
async function judgeAuthorities(file: string, now: number): Promise<Finding> {
  const pems = (await readFile(file, 'utf8')).match(CERTIFICATE) ?? [];
  const [first = '', ...others] = pems;
  if (others.length === 0) return judgeCertificate(`${file}: the authority`, first, now);
  const expired = pems.filter((pem) => Date.parse(new X509Certificate(pem).validTo) <= now).length;
  const found = `${file}: ${pems.length} authorities, ${expired === 0 ? 'all of them good' : `${expired} of them expired`}`;
  return expired === pems.length ? fail(found, 'get newer ones') : ok(found);
}

/** Node says a word on stderr when it cannot read them, and goes on. */
async function nodesAuthorities({ machine }: DoctorContext): Promise<readonly Finding[]> {
  const file = machine.env['NODE_EXTRA_CA_CERTS'] ?? '';
  if (file === '') return [];
  const pems = await readFile(file, 'utf8').then(
    (text) => text.match(CERTIFICATE) ?? [],
    () => undefined,
  );
  const found = `NODE_EXTRA_CA_CERTS ${file}`;
  if (pems === undefined) return [warn(`${found} cannot be read`, 'mend the path, or unset it')];
  return [ok(`${found}: ${pems.length} authorities`)];
}

function judgeCertificate(what: string, pem: string, now: number): Finding {
  const { subject, validFrom, validTo } = new X509Certificate(pem);
  const name = `${what} ${/CN=(.*)/.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')}`;
  const left = Date.parse(validTo) - now;
  if (left <= 0) return fail(`${name} has expired`, 'get a new one');
  if (Date.parse(validFrom) > now) return fail(`${name} is not valid yet`, 'is the clock of this machine right?');
  const days = Math.floor(left / DAY_MS);
  if (days < SOON_DAYS) return warn(`${name} ends in ${days} days`, 'get a new one');
  return ok(`${name} is good for ${days} days`);
}

function insecure({ machine }: DoctorContext): readonly Finding[] {
  if (machine.env['NODE_TLS_REJECT_UNAUTHORIZED'] !== '0') return [];
  return [
    warn(
      'NODE_TLS_REJECT_UNAUTHORIZED=0: certificates are not looked at, by anything',
      'unset it; --ca trusts an authority',
    ),
  ];
}
