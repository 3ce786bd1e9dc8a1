import type { NetworkOptions } from '../../client/index.js';
import type { DpeResolver } from '../../computer/index.js';
import { CommandError, UsageError } from '../failure.js';
import { text, toggle, type FlagValues } from './flags.js';
import { HTTP_FORM, openHttpDocuments } from './http-documents.js';
import { usableCacheFolder } from '../places.js';
import { openS3Documents, S3_FORM } from './s3-documents.js';

/** A resolver that is closed when the command ends. */
export type ClosableResolver = DpeResolver & AsyncDisposable;

/** One way for documents to reach the Agent. */
interface DocumentsKind {
  /** How the flag's value is written. */
  readonly form: string;
  /**
   * @param place - what stands after the colon; never empty.
   * @throws UsageError that says what is expected there, without the name of the flag.
   */
  readonly open: (
    place: string | undefined,
    flags: DocumentsFlags,
    network: Pick<NetworkOptions, 'proxy' | 'ca'>,
  ) => Promise<ClosableResolver>;
}

const KINDS: Readonly<Record<string, DocumentsKind>> = {
  file: {
    form: 'file[:DIR]',
    open: openFileDocuments,
  },
  http: { form: HTTP_FORM, open: openHttpDocuments },
  s3: { form: S3_FORM, open: (place, _flags, network) => openS3Documents(place, network) },
};

const FORMS = Object.values(KINDS).map(({ form }) => form);

/** The flags that say how documents reach the Agent. */
export const DOCUMENTS_FLAGS = {
  documents: text('KIND', `how documents reach the Agent: ${FORMS.join(' or ')}; keys come from the environment`),
  insecure: toggle('serve documents beyond loopback in plain text'),
} as const;

type DocumentsFlags = Pick<FlagValues<typeof DOCUMENTS_FLAGS>, 'documents'> & { readonly insecure?: boolean };

/**
 * Makes the resolver that the flag names.
 *
 * @param network - how a store on the net is reached.
 * @returns `null` without the flag.
 * @throws UsageError when the value names none.
 */
export async function openDocuments(
  flags: DocumentsFlags,
  network: Pick<NetworkOptions, 'proxy' | 'ca'> = {},
): Promise<ClosableResolver | null> {
  const { documents: value } = flags;
  if (value === undefined) return null;
  const [, name = '', place] = /^([^:]*)(?::(.*))?$/s.exec(value) ?? [];
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  if (kind === undefined) throw new UsageError(`--documents: expected ${FORMS.join(' or ')}, got "${name}"`);
  if (place === '') throw new UsageError(`--documents: expected ${kind.form}, got "${value}"`);
  try {
    return await kind.open(place, flags, network);
  } catch (error) {
    throw error instanceof UsageError ? new UsageError(`--documents ${name}: ${error.message}`) : error;
  }
}

async function openFileDocuments(folder: string | undefined): Promise<ClosableResolver> {
  const { FileDpeResolver } = await import('../../computer/index.js');
  const resolver = new FileDpeResolver(folder === undefined ? { parent: usableCacheFolder() } : { folder });
  try {
    await resolver.prepare();
    return resolver;
  } catch (error) {
    throw new CommandError(`--documents file: ${(error as Error).message}`);
  }
}
