import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** What a URL of a document says. */
export interface SignedDocument {
  /** The name in the store. */
  readonly name: string;
  readonly mimeType: string | undefined;
  /** Until when it can be fetched, in ms on the clock of `Date.now()`; whole seconds. */
  readonly expiresAt: number;
}

/** What came of a URL: `expired` is one of ours that is too late, `unknown` anything else. */
export type CheckedUrl = SignedDocument | 'expired' | 'unknown';

/** Makes URLs that nobody can guess or change, and that do not last. */
export class SignedUrls {
  readonly #secret: Uint8Array | string;
  readonly #now: () => number;

  /** @param secret - whoever knows it can make URLs; a random one ends with the process. */
  constructor(secret: Uint8Array | string | undefined, now: () => number) {
    this.#secret = secret ?? randomBytes(32);
    this.#now = now;
  }

  /**
   * @param base - the address of the server, with or without a slash at its end.
   */
  sign(base: string, { name, mimeType = '', expiresAt }: SignedDocument): string {
    const expires = String(Math.floor(expiresAt / 1000));
    const query = new URLSearchParams({
      ...(mimeType === '' ? undefined : { type: mimeType }),
      expires,
      signature: this.#signature(name, mimeType, expires),
    });
    return `${base.replace(/\/+$/, '')}/${name}?${query.toString()}`;
  }

  /** @param target - the path and query of a request; only its last segment counts. */
  check(target: string): CheckedUrl {
    const [path = '', query = ''] = target.split('?', 2);
    const name = path.slice(path.lastIndexOf('/') + 1);
    const parameters = new URLSearchParams(query);
    const expires = parameters.get('expires') ?? '';
    const mimeType = parameters.get('type') ?? '';
    // Compared first: what is not ours tells nothing about what is.
    if (!isSame(parameters.get('signature') ?? '', this.#signature(name, mimeType, expires))) return 'unknown';
    const expiresAt = Number(expires) * 1000;
    if (expiresAt <= this.#now()) return 'expired';
    return { name, mimeType: mimeType === '' ? undefined : mimeType, expiresAt };
  }

  #signature(name: string, mimeType: string, expires: string): string {
    return createHmac('sha256', this.#secret)
      .update(JSON.stringify([name, mimeType, expires]))
      .digest('base64url');
  }
}

function isSame(one: string, two: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(two)];
  return a.length === b.length && timingSafeEqual(a, b);
}
